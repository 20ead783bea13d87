"""The shipped scenes, played by the command line on the real processes: what `make scene` shows."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
SCENES = ROOT / "playground" / "scenes"
SECONDS = 480
"""For all of them on a machine that others use; alone they take a fraction."""

PERSON = {
    "SLACK_BOT_TOKEN": "xoxb-a-real-one",
    "DATABASE_URL": "sqlite+aiosqlite:////nowhere/real.db",
    "GEMINI_API_KEY": "a-real-one",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "HTTP_PROXY": "http://127.0.0.1:9",
}
"""What a person may have in the shell; a scene that used any of it would fail."""


ORDER = [
    *("reject", "answer_a_mail", "survive_a_kill", "two_cards", "channel_privacy"),
    *("undo", "which_helen", "edit_the_event", "delegate", "connect", "reminder_and_briefing"),
]
"""All in one playground, one after the other: each begins with what the ones before it left."""

FIRST = ["reject", "answer_a_mail", "edit_the_event", "delegate"]
"""What must go as written before a change lands."""

ALONE = ["plan"]
"""Those that begin with what others change."""

HELD = "Everything went as the scene says."


async def played(directory: Path, *scenes: Path) -> tuple[int, str]:
    """The exit status and the transcript of scenes played one after the other."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "playground",
        "--data",
        str(directory / "data"),
        "--script",
        *map(str, scenes),
        cwd=directory,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **PERSON},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(SECONDS):
            said, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    return process.returncode or 0, said.decode()


def patiently(directory: Path, names: Iterable[str]) -> Iterator[Path]:
    """Copies of shipped scenes that wait for what comes late, too."""
    for name in names:
        scene = directory / f"{name}.yaml"
        text = (SCENES / f"{name}.yaml").read_text(encoding="utf-8")
        scene.write_text(f"patience: {PATIENCE_SECONDS}\n{text}", encoding="utf-8")
        yield scene


def labels(transcript: str) -> list[str]:
    """The transcript's labels in their order, each run of one only once."""
    found = [match[1] for line in transcript.splitlines() if (match := re.match(r" *(\w[\w ]*?)  \S", line))]
    return [label for before, label in zip(["", *found], found, strict=False) if label != before]


def in_order(wanted: list[str], seen: list[str]) -> bool:
    rest = iter(seen)
    return all(label in rest for label in wanted)


def test_every_scene_is_played() -> None:
    assert sorted([*ORDER, *ALONE]) == sorted(file.stem for file in SCENES.glob("*.yaml"))


@pytest.mark.timeout(500)
@pytest.mark.parametrize("names", [FIRST, pytest.param(ORDER, marks=pytest.mark.deep)], ids=["some", "all"])
async def test_the_shipped_scenes_go_as_written(tmp_path: Path, names: list[str]) -> None:
    """Every shipped scene is played to its end, whatever accounts and proxies the shell names; the transcript shows
    cause and effect in order. Then a scene that expects two mails where one is sent fails, and with it the command.
    """
    wrong = tmp_path / "two_mails.yaml"
    text = (SCENES / "answer_a_mail.yaml").read_text(encoding="utf-8")
    wrong.write_text("patience: 30\n" + text.replace("count: 1", "count: 2"), encoding="utf-8")
    status, transcript = await played(tmp_path, *patiently(tmp_path, names), wrong)
    *right, failed = transcript.split(HELD)
    assert len(right) == len(names), transcript
    answered = right[names.index("answer_a_mail")]
    order = ["request", "tool call", "card", "approval", "google", "effect", "card is now", "verified"]
    assert in_order(order, labels(answered)), transcript
    assert "audit" in labels(answered)
    assert answered.count("Dana Okafor has sent one mail") == 1
    assert status == 1
    assert "Dana Okafor has sent one mail, not 2 mails" in failed


@pytest.mark.chaos
async def test_a_scene_that_holds_ends_with_0(tmp_path: Path) -> None:
    """What `make scene` plays goes as written, and the command says so to the shell."""
    status, transcript = await played(tmp_path, *patiently(tmp_path, ["answer_a_mail"]))
    assert (status, transcript.count(HELD)) == (0, 1), transcript


@pytest.mark.deep
@pytest.mark.timeout(500)
@pytest.mark.parametrize("name", ALONE)
async def test_a_scene_goes_as_written_by_itself(tmp_path: Path, name: str) -> None:
    """In a playground of its own."""
    status, transcript = await played(tmp_path, *patiently(tmp_path, [name]))
    assert (status, HELD in transcript) == (0, True), transcript
