"""Simple series."""

from __future__ import annotations

from datetime import date

import pytest

from playground.google.calendar.recurrence import HORIZON, occurrences
from playground.google.errors import ApiError

MONDAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("rule", "days"),
    [
        ("FREQ=DAILY;COUNT=3", [23, 24, 25]),
        ("FREQ=DAILY;INTERVAL=2;UNTIL=20261128T000000Z", [23, 25, 27]),
        ("FREQ=WEEKLY;COUNT=2", [23, 30]),
        ("FREQ=WEEKLY;BYDAY=WE,FR;COUNT=2", [25, 27]),
    ],
)
def test_days(rule: str, days: list[int]) -> None:
    """The rule gives these days of November."""
    assert [day.day for day in occurrences([f"RRULE:{rule}"], MONDAY)] == days


def test_an_endless_series_has_a_horizon() -> None:
    """A series without an end is shown for a year."""
    days = occurrences(["RRULE:FREQ=WEEKLY"], MONDAY)
    assert len(days) == 53
    assert days[-1] <= MONDAY + HORIZON


@pytest.mark.parametrize(
    "rules", [["RRULE:FREQ=MONTHLY"], ["RRULE:FREQ=DAILY;BYSETPOS=1"], ["EXDATE:1", "RRULE:FREQ=DAILY"]]
)
def test_other_rules_are_refused(rules: list[str]) -> None:
    """What cannot be expanded is a 501, never a wrong series."""
    with pytest.raises(ApiError, match="501"):
        occurrences(rules, MONDAY)
