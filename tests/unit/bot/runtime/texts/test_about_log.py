"""Entries of the log in words."""

from __future__ import annotations

import json

import pytest

from bot.domain.audit import AuditEntry
from bot.runtime.texts.about_log import line
from tests.builders import NOW, TEAM


def entry(code: str, body: str) -> AuditEntry:
    return AuditEntry(id=1, team=TEAM, scope="run_1", number=1, code=code, at="", body=body, mac="m", key_id="k")


@pytest.mark.parametrize(("zone", "at"), [("Europe/London", "09:30"), ("Asia/Tokyo", "18:30"), ("nowhere", "09:30")])
def test_an_entry_is_a_line_in_the_zone_of_whoever_reads_it(zone: str, at: str) -> None:
    """When, and what happened."""
    body = {"at": NOW.isoformat(), "actor": "U0DANA", "details": {"level": "delegated"}}
    said = line(entry("person.trust_level", json.dumps(body)), zone)
    assert said == f"Sat 21 Nov 2026, {at} – <@U0DANA> set their trust level to delegated"


@pytest.mark.parametrize("body", ["nonsense", "[]", "7", "{}", '{"at":"never"}', '{"at":"2026-11-21","details":7}'])
def test_what_cannot_be_read_is_named_by_its_code(body: str) -> None:
    """Whatever somebody made of its bytes."""
    assert line(entry("run.queued", body), "UTC") == "run queued"
