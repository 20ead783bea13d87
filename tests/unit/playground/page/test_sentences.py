"""The audit pane has a sentence for every code that the runtime writes."""

from __future__ import annotations

import re
from pathlib import Path

from bot.domain.audit import AuditCode

ROOT = Path(__file__).parents[4]
_REJECTED = re.compile(
    r"click\..*|alarm\.not_put_off|question\.not_asked_again|run\.not_(continued|sent_now|tried_again|undone)"
)
"""Clicks that change nothing: the page has one sentence for all of them."""


def test_every_code_is_said_in_a_sentence() -> None:
    """No entry of the log is shown by its bare code, and no sentence is about a code that nobody writes."""
    said = set(re.findall(r'^  "([a-z_.]+)": \(', _text("playground/page/static/world/sentences.js"), re.M))
    codes = {code.value for code in AuditCode}
    assert said <= codes
    assert [code for code in sorted(codes - said) if not _REJECTED.fullmatch(code)] == []


def _text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")
