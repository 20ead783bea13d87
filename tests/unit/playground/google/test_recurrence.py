"""The days of series."""

from __future__ import annotations

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from playground.google.calendar.recurrence import HORIZON, occurrences
from playground.google.errors import ApiError

MONDAY = date(2026, 11, 23)
LONDON = ZoneInfo("Europe/London")


def at(day: date) -> datetime:
    return datetime.combine(day, time(9), LONDON)


def days(*rules: str, first: date = MONDAY) -> list[date]:
    return occurrences([*rules], first, at)


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ("FREQ=DAILY;COUNT=3", [23, 24, 25]),
        ("FREQ=DAILY;INTERVAL=2;UNTIL=20261128T000000Z", [23, 25, 27]),
        ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=6", [23, 24, 25, 26, 27, 30]),
        ("FREQ=WEEKLY;COUNT=2", [23, 30]),
        ("FREQ=WEEKLY;BYDAY=WE,FR;COUNT=2", [25, 27]),
        ("FREQ=DAILY;UNTIL=20261125T090000Z", [23, 24, 25]),
        ("FREQ=DAILY;UNTIL=20261125T085959Z", [23, 24]),
        ("FREQ=DAILY;UNTIL=20261125", [23, 24, 25]),
    ],
)
def test_days(rule: str, found: list[int]) -> None:
    """The rule gives these days of November; UNTIL is inclusive, to the second when it is a moment."""
    assert [day.day for day in days(f"RRULE:{rule}")] == found


@pytest.mark.parametrize(
    ("rule", "first", "found"),
    [
        ("FREQ=MONTHLY;COUNT=3", "2026-11-30", ["2026-11-30", "2026-12-30", "2027-01-30"]),
        ("FREQ=MONTHLY;COUNT=2", "2027-01-31", ["2027-01-31", "2027-03-31"]),
        ("FREQ=MONTHLY;BYDAY=1MO;COUNT=2", "2026-11-02", ["2026-11-02", "2026-12-07"]),
        ("FREQ=MONTHLY;BYDAY=-1FR;COUNT=2", "2026-11-27", ["2026-11-27", "2026-12-25"]),
        ("FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=2", "2026-11-30", ["2026-11-30", "2026-12-31"]),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2", "2026-11-30", ["2026-11-30", "2026-12-31"]),
        ("FREQ=YEARLY;BYMONTH=12;BYDAY=MO;COUNT=2", "2026-11-23", ["2026-12-07", "2026-12-14"]),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;COUNT=3", "2026-11-23", ["2026-11-23", "2026-11-29", "2026-12-07"]),
        ("FREQ=YEARLY;COUNT=2", "2026-11-23", ["2026-11-23", "2027-11-23"]),
        ("FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1", "2026-11-23", ["2027-03-01"]),
    ],
)
def test_months_and_years(rule: str, first: str, found: list[str]) -> None:
    """The nth and the last weekday, the last day, and months that lack a day, which are left out."""
    assert [day.isoformat() for day in days(f"RRULE:{rule}", first=date.fromisoformat(first))] == found


def test_exceptions_and_additions() -> None:
    """EXDATE takes a day out, in whatever form it is given; RDATE adds one."""
    rules = ("RRULE:FREQ=DAILY;COUNT=5", "EXDATE;TZID=Europe/London:20261124T090000", "EXDATE:20261126T090000Z")
    assert [day.day for day in days(*rules, "RDATE;VALUE=DATE:20261129")] == [23, 25, 27, 29]


def test_an_endless_series_has_a_horizon() -> None:
    """A series without an end is shown for a year."""
    found = days("RRULE:FREQ=WEEKLY")
    assert len(found) == 53
    assert found[-1] <= MONDAY + HORIZON


@pytest.mark.parametrize(
    ("rules", "status"),
    [
        (["RRULE:FREQ=HOURLY"], 400),
        (["RRULE:FREQ=DAILY;COUNT=2;UNTIL=20261128"], 400),
        (["RRULE:FREQ=WEEKLY;BYDAY=XX"], 400),
        (["nonsense"], 400),
        (["RRULE:FREQ=DAILY;INTERVAL=0"], 400),
        (["RRULE:FREQ=DAILY;COUNT=-1"], 400),
        (["RRULE:FREQ=DAILY;UNTIL=soon"], 400),
        (["RRULE:FREQ=DAILY", "EXDATE:soon"], 400),
        (["RRULE:FREQ=YEARLY;BYWEEKNO=3"], 501),
        (["RRULE:FREQ=MONTHLY;BYDAY=MO,2TU"], 501),
        (["RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"], 501),
    ],
)
def test_other_rules_are_refused(rules: list[str], status: int) -> None:
    """A rule that makes no sense is a 400, one that cannot be expanded a 501, never a wrong series."""
    with pytest.raises(ApiError, match=str(status)):
        days(*rules)
