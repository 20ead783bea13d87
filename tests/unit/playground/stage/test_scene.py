from __future__ import annotations

from pathlib import Path

import pytest

from playground.programs import ROOT
from playground.stage.acts import Click, KillBot, Say
from playground.stage.scene import InvalidScene, read_scene

SHIPPED = sorted((ROOT / "playground" / "scenes").glob("*.yaml"))


def written(directory: Path, text: str) -> Path:
    file = directory / "scene.yaml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_the_shipped_scenes_can_be_played(file: Path) -> None:
    """Every shipped scene is understood, says what it is about, and ends with the audit log verified."""
    scene = read_scene(file)
    assert scene.title
    assert scene.about
    assert type(scene.steps[-1]).__name__ == "VerifyAudit"


def test_all_scenes_are_shipped() -> None:
    """The five scenes of the playground are there."""
    names = {"answer_a_mail", "survive_a_kill", "reject", "channel_privacy", "two_cards"}
    assert names <= {file.stem for file in SHIPPED}


def test_steps_are_read_in_order(tmp_path: Path) -> None:
    """A step is a name with fields, or a name alone; people go by their first name."""
    scene = read_scene(
        written(
            tmp_path, "title: T\nsteps:\n  - say: {as: Dana, text: hi}\n  - kill_bot\n  - click: {button: Approve}\n"
        )
    )
    said, killed, clicked = scene.steps
    assert isinstance(said, Say)
    assert (said.by.user_id, said.place, said.text) == ("U0DANA", "dm", "hi")
    assert isinstance(killed, KillBot)
    assert isinstance(clicked, Click)
    assert clicked.card is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[", "is no scene"),
        ("- say", "the file is no mapping"),
        ("title: T", "it has no steps"),
        ("steps: [say]\nsetps: 1", "unknown key 'setps'"),
        ("steps: [{sya: {}}]", "there is no step 'sya'; there are say, reply, click"),
        ("steps: [{say: {as: dana, text: hi}, click: {}}]", "step 1 has 2 names"),
        ("steps: [{say: {as: dana}}]", r"step 1 \(say\): text: Field required"),
        (
            "steps: [kill_bot, {say: {as: bob, text: hi}}]",
            r"step 2 \(say\): as: .*nobody at the company is called 'bob'",
        ),
        ("steps: [{say: {as: dana, text: hi, in: '#nowhere'}}]", "there is no channel #nowhere"),
        ("steps: [{click: {button: Approve, twice: true}}]", "twice: Extra inputs are not permitted"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, why: str) -> None:
    """A file that is no scene is refused with the step and the reason."""
    with pytest.raises(InvalidScene, match=why):
        read_scene(written(tmp_path, text))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A scene that does not exist is refused by its name."""
    with pytest.raises(InvalidScene, match=r"gone\.yaml is no scene: it cannot be read \(No such file or directory\)$"):
        read_scene(tmp_path / "gone.yaml")
