"""When a schedule fires next: in its owner's zone, over both changes of the clock, and what is no time at all."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from bot.domain.schedules import BadSchedule
from bot.scheduler import CronTimetable

BERLIN = "Europe/Berlin"
HALF_PAST_TWO = {"hour": 2, "minute": 30}
WEEKDAYS = {"day_of_week": "mon-fri", "hour": 8, "minute": 0}


def fires(spec: Mapping[str, object], zone: str, after: str, count: int) -> list[str]:
    """The next times, in UTC."""
    at: datetime | None = datetime.fromisoformat(after).replace(tzinfo=UTC)
    found: list[str] = []
    while len(found) < count and at is not None:
        at = CronTimetable().next(spec, zone, after=at)
        found += [f"{at:%d %H:%M}"] if at else ["never"]
    return found


@pytest.mark.parametrize(
    ("spec", "zone", "after", "found"),
    [
        (WEEKDAYS, "Europe/London", "2026-11-19T12:00", ["20 08:00", "23 08:00", "24 08:00", "25 08:00"]),
        ({"hour": 8}, "UTC", "2026-11-19T08:00", ["20 08:00"]),
        ({"hour": 8}, "UTC", "2026-11-19T07:59:59", ["19 08:00"]),
        ({"at": "2026-11-19T08:00"}, "UTC", "2026-11-19T08:00", ["never"]),
        # On 29 March 02:30 does not exist in Berlin, and on 25 October it comes twice.
        (HALF_PAST_TWO, BERLIN, "2026-03-27T12:00", ["28 01:30", "29 01:30", "30 00:30"]),
        ({"at": "2026-03-29T02:30"}, BERLIN, "2026-03-27T12:00", ["29 01:30", "never"]),
        ({"minute": 0}, BERLIN, "2026-03-28T23:30", ["29 00:00", "29 01:00", "29 02:00"]),
        (HALF_PAST_TWO, BERLIN, "2026-10-24T12:00", ["25 00:30", "26 01:30", "27 01:30"]),
        (HALF_PAST_TWO, BERLIN, "2026-10-25T01:10", ["26 01:30"]),
        ({"minute": 0}, BERLIN, "2026-10-24T23:30", ["25 00:00", "25 02:00", "25 03:00"]),
        ({"hour": 8}, "America/New_York", "2026-10-31T00:00", ["31 12:00", "01 13:00", "02 13:00"]),
        # The 30th of February, and a 53rd week in June: “every year” is bounded like no year at all.
        ({"month": 2, "day": 30}, "UTC", "2026-11-19T08:00", ["never"]),
        ({"year": "*", "week": 53, "month": 6}, "UTC", "2026-11-19T08:00", ["never"]),
    ],
)
def test_when_it_fires_next(spec: Mapping[str, object], zone: str, after: str, found: list[str]) -> None:
    """Later than the moment that is asked about, by the clock of its zone: a time that the clock skips comes as much
    later, one that it shows twice counts once, and what never comes is found out soon.
    """
    assert fires(spec, zone, after, len(found)) == found


@pytest.mark.parametrize(
    ("spec", "zone", "told"),
    [
        ({}, "UTC", "needs some of"),
        ({"second": 1}, "UTC", "needs some of"),
        ({"crontab": "0 8 * * 1-5"}, "UTC", "needs some of"),
        ({"day_of_week": "1-5", "hour": 8}, "UTC", "Weekdays are written as names"),
        ({"day_of_week": 0}, "UTC", "Weekdays are written as names"),
        ({"hour": 25}, "UTC", "no repeating time"),
        ({"hour": []}, "UTC", "Each field"),
        ({"hour": 8}, "Mars/Olympus", "no time zone"),
        ({"hour": 8}, "../etc/passwd", "no time zone"),
        ({"minute": None}, "UTC", "Each field"),
        ({"minute": "*/1," * 50}, "UTC", "Each field"),
        ({"year": "*/2", "month": 6}, "UTC", "year of a repeating time"),
        ({"at": "9999-12-31T23:59"}, "America/Los_Angeles", "beyond the calendar"),
        ({"at": "0001-01-01T00:00"}, "Asia/Tokyo", "beyond the calendar"),
        ({"at": "tomorrow"}, "UTC", "is written like"),
        ({"at": "2026-11-23T16:00+01:00"}, "UTC", "stands alone"),
        ({"at": "2026-11-23T16:00", "hour": 8}, "UTC", "stands alone"),
    ],
)
def test_what_is_no_time_is_refused(spec: Mapping[str, object], zone: str, told: str) -> None:
    """With words that say what is wrong."""
    with pytest.raises(BadSchedule, match=told):
        CronTimetable().next(spec, zone, after=datetime(2026, 11, 19, tzinfo=UTC))
