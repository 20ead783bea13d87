"""What domain values say of themselves, and their ids: they sort by time, and nobody guesses them."""

from __future__ import annotations

import re
import time
from dataclasses import FrozenInstanceError
from datetime import timedelta

import pytest

from bot.domain.actions import Approval, call_hashes
from bot.domain.conditions import covers
from bot.domain.ids import effect_key, new_id, new_nonce
from bot.domain.limits import Usage
from bot.domain.questions import SettlePayload
from policies.types import EffectClass
from tests import builders as make
from tests.builders import DANA, NOW


@pytest.mark.parametrize(
    ("hash_", "seconds", "stands"),
    [("h", 0, True), ("other", 0, False), ("h", 59, True), ("h", 60, False)],
    ids=["exactly this", "something else", "just in time", "too late"],
)
def test_an_approval_stands_for_exactly_this_for_a_while(hash_: str, seconds: int, stands: bool) -> None:
    """An approval covers its own hash until it ends, and nothing else."""
    approval = Approval(hash="h", by=DANA, at=NOW, expires_at=NOW + timedelta(seconds=60))
    assert covers(approval, hash_, NOW + timedelta(seconds=seconds)) is stands
    assert not covers(None, hash_, NOW)


def test_a_button_carries_nothing_of_the_arguments() -> None:
    """Its value is the question's id and its nonce."""
    asked = make.question(id="q_1", nonce="secret", payload=SettlePayload(where="helen"))
    assert asked.button_value() == "q_1.secret"


def test_usage_adds_up() -> None:
    """Tokens of several calls are added kind by kind."""
    both = Usage(prompt=1, output=2, cached=1) + Usage(prompt=10, output=20)
    assert both == Usage(prompt=11, output=22, cached=1)


def test_a_side_effect_changes_something_outside() -> None:
    """Reading and our own store are no side effects."""
    kinds = {effect for effect in EffectClass if make.action(effect=effect).is_side_effect}
    assert kinds == {EffectClass.PRIVATE_WRITE, EffectClass.EXTERNAL, EffectClass.DESTRUCTIVE}


def test_calls_are_told_apart_by_tool_and_arguments() -> None:
    """The same arguments to another tool are another call."""
    calls = [make.action(tool="a", args_hash="1"), make.action(tool="b", args_hash="1")]
    assert call_hashes(calls) == ("a:1", "b:1")


def test_values_do_not_change() -> None:
    """A domain value is frozen."""
    with pytest.raises(FrozenInstanceError):
        make.run().state = None  # pyright: ignore[reportAttributeAccessIssue] - that is the point


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
