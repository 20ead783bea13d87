"""The playground's installation: its agents can be used, and else it is as shipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.settings import Settings
from bot.wiring import tools
from playground import installation
from playground.errors import NoFolder
from playground.programs import ROOT
from policies import loader


def test_its_agents_are_listed_and_lack_nothing(tmp_path: Path) -> None:
    """The constitution is the shipped one, with the playground's agents; an approval holds under both."""
    made = installation.laid_out(tmp_path, root=ROOT, person={})
    settings = Settings(agents_dir=made["AGENTS_DIR"], policies_dir=made["POLICIES_DIR"])
    policy, shipped = tools.policy_of(settings), loader.load()
    assert list(policy.agents) == ["mail_clerk", *shipped.agents]
    assert (policy.version, policy.constitution) == (shipped.version, shipped.constitution)
    assert "mail_clerk" in {definition.name for definition in tools.agents_of(tools.library_of(settings))}


def test_it_is_laid_out_again(tmp_path: Path) -> None:
    """A later start finds the folders there."""
    assert installation.laid_out(tmp_path, root=ROOT, person={}) == installation.laid_out(
        tmp_path, root=ROOT, person={}
    )


@pytest.mark.parametrize("form", ["yaml", "json", "md"])
def test_agents_of_ones_own_are_listed_without_policies_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """They take the place of the playground's; a folder is named from where the person stands."""
    written = {
        "yaml": "displayName: Scout\nname: scout\n",
        "json": '{"name": "scout", "modelConfig": {"name": "gemini"}}',
        "md": "---\nname: scout\n---\nYou look.\n",
    }
    own = tmp_path / "own"
    own.mkdir()
    (own / f"scout.{form}").write_text(written[form])
    (own / "copy.yaml").write_text("name: week_review\n")  # what is listed twice is refused
    (own / "README.md").write_text("name: nobody\n")
    monkeypatch.chdir(tmp_path)
    made = installation.laid_out(tmp_path, root=ROOT, person={"AGENTS_DIR": "own"})
    assert made["AGENTS_DIR"] == str(own)
    assert list(loader.load(Path(made["POLICIES_DIR"])).agents) == ["scout", *loader.load().agents]


def test_other_folders_of_ones_own_are_taken_as_they_are(tmp_path: Path) -> None:
    own = {"POLICIES_DIR": str(tmp_path / "own"), "REPOSITORIES_DIR": str(tmp_path / "work")}
    for name in ("own", "work"):
        (tmp_path / name).mkdir()
    made = installation.laid_out(tmp_path, root=ROOT, person=own)
    assert made == {"AGENTS_DIR": str(installation.AGENTS), **own}
    assert {path.name for path in tmp_path.iterdir()} == {"own", "work"}


@pytest.mark.parametrize("name", ["AGENTS_DIR", "POLICIES_DIR", "REPOSITORIES_DIR"])
def test_a_folder_that_is_not_there_is_told_before_anything_starts(tmp_path: Path, name: str) -> None:
    """In one sentence, which names the variable."""
    with pytest.raises(NoFolder) as refused:
        installation.laid_out(tmp_path, root=ROOT, person={name: str(tmp_path / "none")})
    said = f"{name} names {tmp_path / 'none'}, which is no folder: make it, or leave {name} empty."
    assert str(refused.value) == said
