"""Days and times in people's words."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import pytest

from playground.gemini.script.dates import day_in, duration_in, now_of, time_in, without_times

SATURDAY = date(2026, 11, 21)


def test_now_is_read_from_the_instruction() -> None:
    """The line with the moment and the zone is found in any instruction."""
    moment = now_of("Blah.\n\nNow: Saturday 2026-11-21 15:04 (Asia/Kolkata)", datetime(2000, 1, 1, tzinfo=UTC))
    assert (moment.at.isoformat(), moment.zone) == ("2026-11-21T15:04:00+05:30", "Asia/Kolkata")


@pytest.mark.parametrize("instruction", ["", "Now: later", "Now: Saturday 2026-11-21 15:04 (Mars/Base)"])
def test_without_a_usable_line(instruction: str) -> None:
    """Without the line the clock decides, and an unknown zone is UTC."""
    assert now_of(instruction, datetime(2000, 1, 1, tzinfo=UTC)).zone == "UTC"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", date(2026, 11, 21)),
        ("tomorrow at 3", date(2026, 11, 22)),
        ("the day after tomorrow", date(2026, 11, 23)),
        ("on Thursday", date(2026, 11, 26)),
        ("next thu", date(2026, 11, 26)),
        ("Saturday", date(2026, 11, 28)),
        ("on 3 December", date(2026, 12, 3)),
        ("January 5th", date(2027, 1, 5)),
        ("2026-12-24", date(2026, 12, 24)),
        ("in two weeks", date(2026, 12, 5)),
        ("in 3 days", date(2026, 11, 24)),
        ("31 November", None),
        ("2026-13-40", None),
        ("sometime", None),
    ],
)
def test_days(text: str, day: date | None) -> None:
    """A weekday is the next one of its name; a date without a year is the next of its kind."""
    assert day_in(text, SATURDAY) == day


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("at 10", time(10)),
        ("at 3", time(15)),
        ("3pm", time(15)),
        ("12 am", time(0)),
        ("15:30", time(15, 30)),
        ("at 9.15 am", time(9, 15)),
        ("at noon", time(12)),
        ("at 25:00", None),
        ("at 99", None),
        ("soon", None),
    ],
)
def test_times(text: str, clock: time | None) -> None:
    """Times with and without minutes, halves of the day, noon."""
    assert time_in(text) == clock


@pytest.mark.parametrize(
    ("text", "minutes"), [("for 45 minutes", 45), ("for an hour", 60), ("for half an hour", 30), ("for 2 hours", 120)]
)
def test_durations(text: str, minutes: int) -> None:
    """How long something takes."""
    assert duration_in(text) == timedelta(minutes=minutes)


def test_a_name_without_its_times() -> None:
    """What remains when days and times are taken out."""
    assert without_times("garden show on Friday at 10:30 for 30 minutes") == "garden show"
