"""Entries of the log in words."""

from __future__ import annotations

import json
from typing import Any

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


def test_what_is_no_text_is_named_as_well_as_it_can_be() -> None:
    """SQLite has bytes where somebody put them; a moment can be one that a zone does not have."""
    told: Any = {"code": b"run.queued", "body": b"\xff"}
    assert "run queued" in line(entry("", "")._replace(**told), "UTC")
    assert line(entry("run.queued", "[" * 100_000), "UTC") == "run queued"
    assert line(entry("run.queued", '{"at":"0001-01-01T00:00:00+00:00"}'), "America/New_York") == "run queued"
