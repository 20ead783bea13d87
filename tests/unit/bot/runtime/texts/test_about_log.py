"""Entries of the log in words."""

from __future__ import annotations

import json

import pytest

from bot.domain.audit import AuditEntry
from bot.runtime.texts.about_log import line
from tests.builders import NOW, TEAM


def entry(code: str, body: str) -> AuditEntry:
    return AuditEntry(id=1, team=TEAM, scope="run_1", number=1, code=code, at="", body=body, mac="m", key_id="k")


def said(code: str, **details: object) -> str:
    return line(entry(code, json.dumps({"at": NOW.isoformat(), "details": details})), "Europe/London")


def test_an_entry_is_a_line() -> None:
    """When, what, with which tool, and what was decided, as far as there is any."""
    assert said("action.asked", tool="gmail_send", verdict="ask") == (
        "Sat 21 Nov 2026, 09:30 GMT – action asked: gmail_send (ask)"
    )
    assert said("person.trust_level") == "Sat 21 Nov 2026, 09:30 GMT – person trust level"


@pytest.mark.parametrize("body", ["nonsense", "[]", "7", "{}", '{"at":"never"}', '{"at":"2026-11-21","details":7}'])
def test_what_cannot_be_read_is_named_by_its_code(body: str) -> None:
    """Whatever somebody made of its bytes."""
    assert line(entry("run.queued", body), "UTC") == "run queued"
