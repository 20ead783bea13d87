"""Times that a series leaves out: written, and read in every form that calendars write."""

from __future__ import annotations

import pytest

from integrations.calendar.recurrence.series import as_exdates, left_out_of
from integrations.calendar.time_range import span_between
from integrations.errors import ModelRetry

ZONE = "Europe/Stockholm"
FIRST = span_between("2026-11-24T00:30", "2026-11-24T01:30", ZONE)
DAY = span_between("2026-11-24", "2026-11-24", ZONE)


@pytest.mark.parametrize(
    "lines",
    [
        ["EXDATE;TZID=Europe/Stockholm:20261201T003000", "EXDATE;TZID=Europe/Stockholm:20261208T003000"],
        ["EXDATE;TZID=Europe/Stockholm:20261201T003000,20261208T003000"],
        ["RRULE:FREQ=WEEKLY", "EXDATE:20261130T233000Z,20261207T233000Z"],
        ["EXDATE;TZID=America/New_York:20261130T183000", "exdate:20261208T003000"],
        ["EXDATE;VALUE=DATE:20261201,20261208"],
    ],
)
def test_what_is_left_out_is_read_by_the_clock_of_the_series(lines: list[str]) -> None:
    """In any zone, in UTC, as days, in one line or several."""
    found = left_out_of(lines, FIRST)
    assert as_exdates(found) == [f"EXDATE;TZID=Europe/Stockholm:202612{day}T003000" for day in ("01", "08")]
    assert as_exdates(left_out_of(["EXDATE;VALUE=DATE:20261201"], DAY)) == ["EXDATE;VALUE=DATE:20261201"]


@pytest.mark.parametrize(
    "line",
    ["EXDATE", "EXDATE:", "EXDATE:tomorrow", "EXDATE:99991231T235959Z", "EXDATE;VALUE=PERIOD:20261201T000000Z/PT1H"],
)
def test_what_cannot_be_read_is_not_guessed(line: str) -> None:
    """A series with such a line is left alone."""
    with pytest.raises(ModelRetry):
        left_out_of([line], FIRST)
