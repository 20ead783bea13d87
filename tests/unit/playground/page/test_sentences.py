"""The audit pane has a sentence for every code that the runtime writes."""

from __future__ import annotations

import re
from pathlib import Path

from bot.domain.questions import QuestionState
from bot.domain.runs import RunState

ROOT = Path(__file__).parents[4]
_KINDS = "action|connect|connection|database|delivery|memory|message|person|question|retention|run|schedule"
_WRITTEN = re.compile(rf'"((?:{_KINDS})\.[a-z_]+)"')
_NO_ENTRY = re.compile(r"\blog\.|\bClickRejected\(|crashed")
"""Lines of the program's own log, and of answers to a click that changes nothing."""


def test_every_code_is_said_in_a_sentence() -> None:
    """No entry of the log is shown by its bare code."""
    said = set(re.findall(r'^  "([a-z_.]+)": \(', _text("playground/page/static/world/sentences.js"), re.M))
    lines = [line for path in sorted((ROOT / "bot/runtime").rglob("*.py")) for line in path.read_text().splitlines()]
    written = {code for line in lines if not _NO_ENTRY.search(line) for code in _WRITTEN.findall(line)}
    written |= {f"run.{state}" for state in (RunState.COMPLETED, RunState.FAILED, RunState.CANCELLED, RunState.PAUSED)}
    written |= {f"question.{state}" for state in QuestionState if state is not QuestionState.OPEN}
    assert len(written) > 40
    assert written - said == set()


def _text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")
