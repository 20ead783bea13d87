"""Deadlines as people write them: one moment, or what is wrong and what to write."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.runtime.plans.deadlines import BadDeadline, parsed, suggested

LONDON = "Europe/London"


def refused(text: str, zone: str = LONDON) -> str:
    with pytest.raises(BadDeadline) as error:
        parsed(text, zone)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "zone", "at"),
    [
        ("2026-11-27 17:00", LONDON, datetime(2026, 11, 27, 17, tzinfo=UTC)),
        (" 2026-11-27T17:00:30 ", "Europe/Berlin", datetime(2026, 11, 27, 16, 0, 30, tzinfo=UTC)),
        ("2026-11-27T17:00+05:30", LONDON, datetime(2026, 11, 27, 11, 30, tzinfo=UTC)),
        ("2026-11-27t17:00z", "Asia/Tokyo", datetime(2026, 11, 27, 17, tzinfo=UTC)),
        ("2026-07-01 00:30", LONDON, datetime(2026, 6, 30, 23, 30, tzinfo=UTC)),
    ],
)
def test_it_is_read_by_the_clocks_of_the_zone_unless_it_has_an_offset(text: str, zone: str, at: datetime) -> None:
    assert parsed(text, zone) == at


@pytest.mark.parametrize(
    "text", ["tomorrow", "", "2026-11-27", "17:00", "2026-13-01 10:00", "2026-11-31 10:00", "2026-11-27 17:00 CET"]
)
def test_what_is_no_moment_is_refused(text: str) -> None:
    assert refused(text) == (
        f"“{text}” is no date and time. Write it as 2026-11-27 17:00, or with an offset: 2026-11-27T17:00+01:00."
    )


@pytest.mark.parametrize("text", ["0001-01-01 00:00", "9999-12-31T23:59-12:00"])
def test_years_that_no_calendar_reaches_are_refused(text: str) -> None:
    assert "is no date and time" in refused(text, "Asia/Tokyo")


def test_a_time_that_the_clocks_skip_is_refused_with_its_neighbours() -> None:
    assert refused("2026-03-29 01:30") == (
        "2026-03-29 01:30 does not exist in Europe/London, where the clocks go forward. "
        "Write 2026-03-29T00:30+00:00 or 2026-03-29T02:30+01:00."
    )


def test_a_time_that_the_clocks_show_twice_is_refused_with_both() -> None:
    assert refused("2026-10-25 01:30:10") == (
        "2026-10-25 01:30 comes twice in Europe/London, where the clocks go back. "
        "Write 2026-10-25T01:30+01:00 or 2026-10-25T01:30+00:00."
    )
    assert parsed("2026-10-25T01:30+01:00", LONDON) < parsed("2026-10-25T01:30+00:00", LONDON)


@pytest.mark.parametrize(
    ("before", "now", "at"),
    [
        ("2026-11-26T17:00", "2026-11-26T17:00", "2026-11-27T17:00"),
        ("2026-11-26T17:00", "2026-11-27T16:00", "2026-11-27T17:00"),
        ("2026-11-26T17:00", "2026-11-27T16:01", "2026-11-28T17:00"),
        ("2026-10-24T16:30", "2026-10-24T16:30", "2026-10-25T17:30"),  # half past five in London on both days
    ],
)
def test_the_one_that_is_suggested_has_the_same_time_of_the_day(before: str, now: str, at: str) -> None:
    moments = [datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (before, now, at)]
    assert suggested(moments[0], now=moments[1], zone=LONDON) == moments[2]


@pytest.mark.parametrize("zone", ["Europe/Lundon", "", "../etc/passwd", "/etc/passwd", "a" * 300])
def test_a_zone_that_there_is_not_is_refused(zone: str) -> None:
    assert refused("2026-11-27 17:00", zone).startswith("There is no time zone “")
