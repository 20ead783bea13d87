"""Ids: they sort by time, nobody guesses them, and an effect's key is the same in every attempt."""

from __future__ import annotations

import re
import time

import pytest

from bot.domain.ids import effect_key, new_id, new_nonce


def test_ids_sort_by_the_time_they_were_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later millisecond sorts later, for as long as the clock has milliseconds."""
    made: list[str] = []
    for milliseconds in (0, 1, 31, 32, 1_763_000_000_000, 1_763_000_000_001, 2**48):
        monkeypatch.setattr(time, "time_ns", lambda now=milliseconds: now * 1_000_000)
        made.append(new_id("run"))
    assert made == sorted(made)


def test_ids_are_unique_and_named() -> None:
    """Ids made at once differ, begin with their prefix, and have one length."""
    made = {new_id("act") for _ in range(5_000)}
    assert len(made) == 5_000
    assert all(re.fullmatch(r"act_[0-9a-v]{26}", one) for one in made)


def test_nonces_differ() -> None:
    """A nonce has 128 bits of chance."""
    assert len({new_nonce() for _ in range(1_000)}) == 1_000
    assert re.fullmatch(r"[0-9a-f]{32}", new_nonce())


def test_an_effect_has_one_key_that_a_calendar_takes() -> None:
    """The key depends on the action only, differs between actions, and is a valid calendar event id."""
    keys = {effect_key(new_id("act")) for _ in range(1_000)}
    assert len(keys) == 1_000
    assert all(re.fullmatch(r"[a-v0-9]{5,1024}", key) for key in keys)
    assert effect_key("act_1") == effect_key("act_1")
