"""Limits are resolved once, and added to at Continue; rates allow a burst at once, then one after the other, evenly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.limits import DEFAULT_LIMITS, Limit, Limits, Rate, SpawnLimits, day_of, next_day, resolve_limits
from tests.builders import NOW

AMOUNTS = st.none() | st.integers(min_value=0, max_value=10**9)
SOME = st.dictionaries(st.sampled_from([limit.value for limit in Limit]), AMOUNTS)
WHOLE = st.builds(Limits, **{limit.value: AMOUNTS for limit in Limit})


@given(spawn=SOME, definition=SOME, default=WHOLE)
def test_the_first_that_speaks_decides(
    spawn: Mapping[str, int | None], definition: Mapping[str, int | None], default: Limits
) -> None:
    """Of each limit: who spawned the run, else its agent's definition, else the default; None speaks as well."""
    resolved = resolve_limits(spawn, definition, default)
    for limit in Limit:
        name = limit.value
        expected = spawn[name] if name in spawn else definition.get(name, default.of(limit))
        assert resolved.of(limit) == expected


@given(one=WHOLE, other=WHOLE)
def test_together_there_is_no_limit_where_one_has_none(one: Limits, other: Limits) -> None:
    """Both allowances are added; without a limit in either there is none."""
    both = one + other
    for limit in Limit:
        amounts = [one.of(limit), other.of(limit)]
        known = [amount for amount in amounts if amount is not None]
        assert both.of(limit) == (sum(known) if len(known) == 2 else None)


def test_a_name_that_is_no_limit_is_refused() -> None:
    """A misspelt limit would be no limit at all."""
    with pytest.raises(KeyError, match="no such limit: step"):
        resolve_limits({"step": 3}, {})


@pytest.mark.parametrize(
    ("spawn", "expected"),
    [
        (SpawnLimits(), {}),
        (SpawnLimits(timeout=timedelta(seconds=90)), {"active_ms": 90_000}),
        (SpawnLimits(max_steps=3, timeout=timedelta(0)), {"steps": 3, "active_ms": 0}),
    ],
)
def test_only_what_is_set_wins(spawn: SpawnLimits, expected: dict[str, int]) -> None:
    """What whoever begins an agent's run leaves out is as its definition has it."""
    assert spawn.set == expected
    usual, definition = Limits(steps=8), {"steps": 50, "active_ms": 1_000}
    assert resolve_limits(spawn.set, definition, usual) == resolve_limits({}, definition | expected, usual)


def test_the_defaults_are_the_documented_ones() -> None:
    """Eight steps, ten minutes, 200,000 tokens, half a dollar, ten changes, ten recipients, three cards."""
    assert asdict(DEFAULT_LIMITS) == {
        "steps": 8,
        "active_ms": 600_000,
        "tokens": 200_000,
        "cost_micros": 500_000,
        "effects": 10,
        "recipients": 10,
        "cards": 3,
    }


def test_a_day_is_one_of_utc() -> None:
    """Spending in the evening of New York counts for the next day, and that day's budgets end with it."""
    evening = datetime(2026, 11, 23, 22, tzinfo=timezone(timedelta(hours=-5)))
    assert (day_of(evening), next_day(evening)) == ("2026-11-24", datetime(2026, 11, 25, tzinfo=UTC))


GAPS = st.lists(st.floats(min_value=0, max_value=40), max_size=60)


def taken(rate: Rate, moments: list[datetime]) -> list[datetime]:
    """The requests that were granted."""
    next_at: datetime | None = None
    granted: list[datetime] = []
    for moment in moments:
        answer = rate.ask(next_at, moment)
        if answer.granted:
            granted.append(moment)
            next_at = answer.next_at
    return granted


def moments(gaps: list[float]) -> list[datetime]:
    at, found = NOW, list[datetime]()
    for gap in gaps:
        at += timedelta(seconds=gap)
        found.append(at)
    return found


@given(gaps=GAPS, per_minute=st.integers(1, 30))
def test_never_more_than_a_burst_and_what_the_time_brought(gaps: list[float], per_minute: int) -> None:
    """In any stretch no more are granted than a burst and as many as the rate gives in that time."""
    granted = taken(Rate(per_minute=per_minute, burst=per_minute), moments(gaps))
    for first, start in enumerate(granted):
        for last, end in enumerate(granted[first:], start=first):
            seconds = (end - start).total_seconds()
            assert last - first + 1 <= per_minute + seconds * per_minute / 60 + 0.001


@given(gaps=GAPS, per_minute=st.integers(1, 30))
def test_a_refusal_says_when_it_is_in_time(gaps: list[float], per_minute: int) -> None:
    """At the moment that it names, and not before, the next one is granted."""
    rate = Rate(per_minute=per_minute, burst=per_minute)
    next_at: datetime | None = None
    for moment in moments(gaps):
        answer = rate.ask(next_at, moment)
        if answer.granted:
            assert answer.in_time_at == moment
            next_at = answer.next_at
        else:
            assert answer.in_time_at > moment
            assert rate.ask(next_at, answer.in_time_at).granted
            assert not rate.ask(next_at, answer.in_time_at - timedelta(milliseconds=1)).granted


def test_who_waits_a_minute_has_the_whole_burst_again() -> None:
    """Twenty at once, the twenty-first in three seconds, and after a quiet minute twenty again."""
    rate = Rate(per_minute=20, burst=20)
    assert len(taken(rate, [NOW] * 30)) == 20
    later = NOW + timedelta(minutes=1)
    assert len(taken(rate, [NOW] * 30 + [later] * 30)) == 40


def test_places_that_are_reserved_are_evenly_spaced() -> None:
    """Without a burst each one is due an interval after the last, and who takes the place waits for it."""
    rate, next_at, due = Rate(per_minute=30, ahead=timedelta(minutes=1)), None, list[float]()
    for _ in range(4):
        answer = rate.ask(next_at, NOW)
        next_at = answer.next_at
        due.append((answer.in_time_at - NOW).total_seconds())
    assert due == [0, 2, 4, 6]


def test_places_are_given_away_for_a_while() -> None:
    """When those of the next minute are gone nobody takes one; later there is one again."""
    rate, next_at = Rate(per_minute=30, ahead=timedelta(minutes=1)), None
    for _ in range(31):
        answer = rate.ask(next_at, NOW)
        assert answer.granted
        next_at = answer.next_at
    assert not rate.ask(next_at, NOW).granted
    assert rate.ask(next_at, NOW + timedelta(seconds=2)).granted


@given(seconds=st.floats(61, 7_200), rate=st.sampled_from([Rate(per_minute=20, burst=20), Rate(per_minute=1, burst=1)]))
def test_a_clock_that_went_back_holds_nobody_up(seconds: float, rate: Rate) -> None:
    """Whatever is further ahead than requests can have made it was stored before the clock went back."""
    assert rate.ask(NOW + timedelta(seconds=seconds), NOW).granted
    assert not rate.ask(NOW + timedelta(minutes=1), NOW).granted


@given(seconds=st.floats(0, 7_200), per_minute=st.integers(1, 60))
def test_nobody_waits_long_for_a_place_after_a_step(seconds: float, per_minute: int) -> None:
    """However far back a clock went, the next place is in time within that minute and the way to the next one."""
    rate = Rate(per_minute=per_minute, ahead=timedelta(minutes=1))
    answer = rate.ask(NOW + timedelta(seconds=seconds), NOW)
    assert (answer.in_time_at - NOW).total_seconds() <= 60 + 60 / per_minute
