"""Times of reminders: what a person's clock shows, over both of its changes, and what is asked or refused."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from integrations.errors import ModelRetry
from integrations.schedules.times import Weekday, once, repeating

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BERLIN = "Europe/Berlin"


def test_a_local_time_is_kept_as_the_clock_shows_it() -> None:
    """Without an offset it is the person's own; with one it is turned into it."""
    assert once("2026-03-24T16:00", BERLIN, now=NOW) == {"at": "2026-03-24T16:00"}
    assert once("2026-03-24 16:00", BERLIN, now=NOW) == {"at": "2026-03-24T16:00"}
    assert once("2026-03-24T15:00Z", BERLIN, now=NOW) == {"at": "2026-03-24T16:00"}
    assert once("2026-03-24T10:00-04:00", BERLIN, now=NOW) == {"at": "2026-03-24T15:00"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2026-03-29T02:30", "2026-03-29T01:30 or 2026-03-29T03:30"),
        ("2026-03-01T13:00", "That time has passed. It is now Sun 1 Mar, 13:00."),
        ("2026-03-01T12:00", "That time has passed. It is now Sun 1 Mar, 13:00."),
        *((text, "2026-11-24T16:00") for text in ("", "tomorrow", "2026-03-24", "16:00", "9" * 40)),
        *((text, "2026-11-24T16:00") for text in ("2026-13-24T10:00", "2026-03-24T25:00")),
    ],
)
def test_a_time_that_cannot_be_kept_is_asked_about(text: str, told: str) -> None:
    """One that the clock skips with its two neighbours, one that is over with the present time, and what is no moment
    with the form in which to write one.
    """
    with pytest.raises(ModelRetry) as refused:
        once(text, BERLIN, now=NOW)
    assert (refused.value.code == "time_does_not_exist") is (text == "2026-03-29T02:30")
    assert told in f"{refused.value.message} {refused.value.hint}"


def test_of_a_time_that_comes_twice_the_first_counts() -> None:
    """The second one cannot be kept, and is refused where an offset means just that."""
    assert once("2026-10-25T02:30", BERLIN, now=NOW) == {"at": "2026-10-25T02:30"}
    assert once("2026-10-25T02:30+02:00", BERLIN, now=NOW) == {"at": "2026-10-25T02:30"}
    with pytest.raises(ModelRetry, match="comes twice"):
        once("2026-10-25T02:30+01:00", BERLIN, now=NOW)


def test_of_two_equal_hours_the_second_is_not_over_while_the_first_is() -> None:
    """Asked between the two, the first is over: it is not silently taken for the second."""
    between = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)
    with pytest.raises(ModelRetry, match="has passed"):
        once("2026-10-25T02:30", BERLIN, now=between)


def test_moments_at_the_ends_of_the_calendar() -> None:
    """Neither end breaks anything."""
    with pytest.raises(ModelRetry):
        once("9999-12-31T23:59-12:00", BERLIN, now=NOW)
    with pytest.raises(ModelRetry):
        once("0001-01-01T00:00", "Asia/Tokyo", now=NOW)


@pytest.mark.parametrize(
    ("weekdays", "day", "spec"),
    [
        (["fri", "mon"], None, {"day_of_week": "mon,fri", "hour": 8, "minute": 5}),
        ([], 31, {"day": 31, "hour": 8, "minute": 5}),
    ],
)
def test_a_rule_becomes_fields(weekdays: list[Weekday], day: int | None, spec: dict[str, object]) -> None:
    """Weekdays in the order of the week, or the day of the month."""
    assert repeating("08:05", weekdays, day) == spec


@pytest.mark.parametrize(
    ("text", "day", "told"),
    [
        *((text, None, "no time of day") for text in ("24:00", "8", "08:60", "at eight", "2026-03-24T08:00")),
        ("08:00", 1, "not both"),
    ],
)
def test_a_rule_that_nobody_could_keep_is_refused(text: str, day: int | None, told: str) -> None:
    """What is no time of day is never understood as another one, and two rules at once are none."""
    with pytest.raises(ModelRetry, match=told):
        repeating(text, ["mon"], day)
