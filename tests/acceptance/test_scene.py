"""The shipped scenes, played by the command line on the real processes: what `make scene` shows."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCENES = ROOT / "playground" / "scenes"
SECONDS = 110

PERSON = {
    "SLACK_BOT_TOKEN": "xoxb-a-real-one",
    "DATABASE_URL": "sqlite+aiosqlite:////nowhere/real.db",
    "GEMINI_API_KEY": "a-real-one",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "HTTP_PROXY": "http://127.0.0.1:9",
}
"""What a person may have in the shell; a scene that used any of it would fail."""


async def played(scene: Path, directory: Path) -> tuple[int, str]:
    """The exit status and the transcript of a scene."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "playground",
        "--script",
        str(scene),
        "--data",
        str(directory / "data"),
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


def labels(transcript: str) -> list[str]:
    """The transcript's labels in their order, each run of one only once."""
    found = [match[1] for line in transcript.splitlines() if (match := re.match(r" *(\w[\w ]*?)  \S", line))]
    return [label for before, label in zip(["", *found], found, strict=False) if label != before]


def in_order(wanted: list[str], seen: list[str]) -> bool:
    rest = iter(seen)
    return all(label in rest for label in wanted)


@pytest.mark.parametrize("scene", sorted(SCENES.glob("*.yaml")), ids=lambda scene: scene.stem)
async def test_a_shipped_scene_goes_as_written(scene: Path, tmp_path: Path) -> None:
    """Every shipped scene is played to its end with status 0, whatever accounts and proxies the shell names."""
    status, transcript = await played(scene, tmp_path)
    assert status == 0, transcript
    assert "Everything went as the scene says." in transcript


async def test_the_transcript_shows_cause_and_effect(tmp_path: Path) -> None:
    """From the request over tool calls, card and approval to the sent mail, the audit entries and the answer."""
    status, transcript = await played(SCENES / "answer_a_mail.yaml", tmp_path)
    assert status == 0, transcript
    order = ["request", "tool call", "card", "approval", "google", "effect", "answer", "verified"]
    assert in_order(order, labels(transcript)), transcript
    assert transcript.count("Dana Okafor has sent one mail") == 1
    assert "audit" in labels(transcript)


async def test_a_scene_that_does_not_hold_fails(tmp_path: Path) -> None:
    """A scene that expects two mails where one is sent ends with status 1 and says so."""
    text = (SCENES / "answer_a_mail.yaml").read_text(encoding="utf-8")
    scene = tmp_path / "two_mails.yaml"
    scene.write_text("patience: 8\n" + text.replace("count: 1", "count: 2"), encoding="utf-8")
    status, transcript = await played(scene, tmp_path)
    assert status == 1
    assert "Dana Okafor has sent one mail, not 2 mails" in transcript
