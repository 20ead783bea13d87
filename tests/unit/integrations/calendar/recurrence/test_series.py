"""When a series takes place: the days of its rule, at the same time by its clock, without those left out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import groupby, islice
from types import FrameType

import pytest
from dateutil import rrule
from hypothesis import given, settings
from hypothesis import strategies as st

from integrations.calendar.recurrence.rule import WEEKDAYS, Frequency, RecurrenceRule, Weekday, parse_rule
from integrations.calendar.recurrence.series import (
    as_exdates,
    begins_by_rule,
    count_before,
    is_skipped,
    left_out_of,
    occurrences,
)
from integrations.calendar.time_range import DateRange, TimeRange, local_day, span_between
from integrations.errors import ModelRetry

ZONE = "Europe/Stockholm"
NIGHT = span_between("2026-11-24T00:30", "2026-11-24T01:30", ZONE)
DAY = span_between("2026-11-24", "2026-11-24", ZONE)
TUESDAY = span_between("2026-11-24T14:00", "2026-11-24T15:00", ZONE)
MOST_STEPS = 50_000


def all_day(day: str) -> TimeRange:
    return span_between(day, day, ZONE)


def days(line: str, first: TimeRange = TUESDAY, most: int = 4) -> list[str]:
    return [str(local_day(span)) for span in occurrences(parse_rule(line), first, most=most)]


# The standard, read day by day -------------------------------------------------------------------------------------


def by_the_standard(rule: RecurrenceRule, first: date, *, most: int) -> list[date]:
    """RFC 5545 §3.3.10 the slow way: each day of five years is looked at, period by period."""
    begin = date(first.year - 1, 12, 1)  # before the first week or month of the series
    every = (begin + timedelta(days=number) for number in range(365 * 5))
    found = (
        day
        for period, grouped in groupby(every, lambda day: period_of(rule, day))
        if (period - period_of(rule, first)) % rule.interval == 0
        for day in at_positions(rule, [day for day in grouped if is_named(rule, day, first)])
        if day >= first
    )
    return list(islice(found, most if rule.count is None else min(most, rule.count)))


def period_of(rule: RecurrenceRule, day: date) -> int:
    match rule.frequency:
        case Frequency.DAILY:
            return day.toordinal()
        case Frequency.WEEKLY:
            return (day.toordinal() - 1 - rule.week_start) // 7
        case Frequency.MONTHLY:
            return day.year * 12 + day.month
        case Frequency.YEARLY:
            return day.year


def is_named(rule: RecurrenceRule, day: date, first: date) -> bool:
    nothing = not rule.days and not rule.month_days
    if rule.months and day.month not in rule.months:
        return False
    if nothing and rule.frequency is Frequency.WEEKLY:
        return day.weekday() == first.weekday()
    if nothing and rule.frequency is not Frequency.DAILY and day.day != first.day:
        return False
    if nothing and rule.frequency is Frequency.YEARLY and not rule.months:
        return day.month == first.month
    if rule.month_days and not {day.day, -from_the_end(day)} & {*rule.month_days}:
        return False
    nth, last = (day.day - 1) // 7 + 1, -((from_the_end(day) - 1) // 7 + 1)
    return not rule.days or any(one.day == day.weekday() and one.nth in {0, nth, last} for one in rule.days)


def from_the_end(day: date) -> int:
    """1 on the last day of a month."""
    return next(number for number in range(1, 32) if (day + timedelta(days=number)).month != day.month)


def at_positions(rule: RecurrenceRule, found: list[date]) -> Iterator[date]:
    for place, day in enumerate(found):
        if not rule.positions or {place + 1, place - len(found)} & {*rule.positions}:
            yield day


@st.composite
def rules(draw: st.DrawFn) -> RecurrenceRule:
    frequency = draw(st.sampled_from(Frequency))
    monthly = frequency in {Frequency.MONTHLY, Frequency.YEARLY}
    nth = st.sampled_from([0, 0, 1, 2, 5, -1, -5]) if monthly else st.just(0)
    weekdays = st.lists(st.builds(Weekday, st.integers(0, 6), nth), max_size=4, unique=True)
    numbers = st.sampled_from([1, 2, 13, 28, 29, 30, 31, -1, -2, -31])
    rule = RecurrenceRule(
        frequency=frequency,
        interval=draw(st.sampled_from([1, 1, 2, 3, 5, 7, 12])),
        count=draw(st.none() | st.integers(1, 20)),
        days=draw(weekdays),
        month_days=draw(st.lists(numbers, max_size=3, unique=True)) if monthly else (),
        months=draw(st.lists(st.integers(1, 12), max_size=4, unique=True)),
        week_start=draw(st.sampled_from([0, 6])),
    )
    if rule.frequency is Frequency.YEARLY and rule.days and not rule.months:
        rule = replace(rule, months=[3, 11])
    if monthly and (rule.days or rule.month_days):
        rule = replace(rule, positions=draw(st.lists(st.sampled_from([1, 2, -1, -3, 31]), max_size=2, unique=True)))
    return rule


@settings(max_examples=150, derandomize=True)
@given(rule=rules(), start=st.dates(date(2023, 1, 1), date(2029, 12, 31)))
def test_the_days_are_those_of_the_standard(rule: RecurrenceRule, start: date) -> None:
    """Every kind of rule gives the days that the standard names, also where dateutil alone would not."""
    is_held = [local_day(span) for span in occurrences(rule, all_day(str(start)), most=30)]
    end = start.replace(year=start.year + 3, day=1)
    assert [day for day in is_held if day < end] == [day for day in by_the_standard(rule, start, most=30) if day < end]


# Single cases ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "first", "found"),
    [
        ("FREQ=MONTHLY", "2027-01-31", ["2027-01-31", "2027-03-31", "2027-05-31", "2027-07-31"]),
        ("FREQ=YEARLY", "2024-02-29", ["2024-02-29", "2028-02-29", "2032-02-29"]),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "2026-12-31", ["2026-12-31", "2027-01-31", "2027-02-28", "2027-03-31"]),
        ("FREQ=MONTHLY;BYDAY=SA,1MO", "2026-12-05", ["2026-12-05", "2026-12-07", "2026-12-12", "2026-12-19"]),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU", "2026-12-27", ["2026-12-27", "2027-01-04", "2027-01-10", "2027-01-18"]),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU", "2026-12-27", ["2026-12-27", "2026-12-28", "2027-01-10"]),
        ("FREQ=DAILY;COUNT=2", "2026-12-31", ["2026-12-31", "2027-01-01"]),
    ],
)
def test_days_at_the_edges_of_months_and_years(line: str, first: str, found: list[str]) -> None:
    """Months without a 31st and years without 29 February are left out; weeks cross the year; WKST counts."""
    assert days(line, all_day(first))[: len(found)] == found


def test_the_end_of_the_calendar_is_an_end() -> None:
    """An event at the end of Python's calendar raises nothing."""
    first = DateRange(date(9998, 12, 30), date(9998, 12, 31), ZONE)
    assert days("FREQ=DAILY", first, most=9) == ["9998-12-30", "9998-12-31"]
    assert days("FREQ=DAILY", DateRange(date(9999, 12, 30), date(9999, 12, 31), ZONE)) == []


def test_a_series_keeps_its_time_by_the_clock() -> None:
    """14:00 stays 14:00 when the clocks are changed, so the moment in UTC moves."""
    for start, hours in (("2027-03-23", [13, 12]), ("2027-10-26", [12, 13])):
        first = span_between(f"{start}T14:00", f"{start}T15:00", ZONE)
        assert [span.bounds()[0].hour for span in occurrences(parse_rule("FREQ=WEEKLY"), first, most=2)] == hours


def test_a_time_that_clocks_skip_is_said_and_lasts_as_long() -> None:
    """02:30 does not exist on 28 March 2027: that day the event takes place an hour later by the clock."""
    first = span_between("2027-03-27T02:30", "2027-03-27T03:30", ZONE)
    spans = occurrences(parse_rule("FREQ=DAILY;COUNT=3"), first, most=9)
    assert [is_skipped(span) for span in spans] == [False, True, False]
    assert {end - start for start, end in (span.bounds() for span in spans)} == {timedelta(hours=1)}


@pytest.mark.parametrize(
    ("until", "last"),
    [("20261201T130000Z", "2026-12-01"), ("20261201T125959Z", "2026-11-24"), ("20261130T233000Z", "2026-11-24")],
)
def test_a_moment_as_the_end_counts_to_the_second(until: str, last: str) -> None:
    """UNTIL is inclusive and in UTC: 13:00Z is 14:00 in Stockholm in winter."""
    assert days(f"FREQ=WEEKLY;UNTIL={until}")[-1] == last


def test_a_rule_without_an_end_is_expanded_for_ten_years() -> None:
    """A caller who asks for more gets ten years."""
    found = days("FREQ=MONTHLY", most=10_000)
    assert (len(found), found[-1]) == (121, "2036-11-24")


@pytest.mark.parametrize(
    "line",
    [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
        "FREQ=MONTHLY;BYDAY=5MO;BYSETPOS=2",
    ],
)
def test_a_rule_without_a_day_costs_little(line: str) -> None:
    """An invitation may hold such a rule: the search for its first day ends early, counted in its steps."""
    steps = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal steps
        steps += event == "call" and frame.f_code.co_filename == rrule.__file__

    sys.setprofile(count)
    try:
        assert days(line) == []
    finally:
        sys.setprofile(None)
    assert 0 < steps < MOST_STEPS


def test_times_before_one_are_counted() -> None:
    """The times before one are counted, so that a split keeps their number; another time has no number."""
    rule = parse_rule("FREQ=WEEKLY;COUNT=10")
    third = span_between("2026-12-08T14:00", "2026-12-08T15:00", ZONE)
    assert count_before(rule, TUESDAY, third) == 2
    assert count_before(rule, TUESDAY, span_between("2026-12-09", "2026-12-09", ZONE)) is None


def test_the_first_time_is_one_of_the_rule_or_not() -> None:
    """Only a rule on Tuesday starts a series on a Tuesday."""
    fits = [name for name in WEEKDAYS if begins_by_rule(parse_rule(f"FREQ=WEEKLY;BYDAY={name}"), TUESDAY)]
    assert fits == ["TU"]


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
    found = left_out_of(lines, NIGHT)
    assert as_exdates(found) == [f"EXDATE;TZID=Europe/Stockholm:202612{day}T003000" for day in ("01", "08")]
    assert as_exdates(left_out_of(["EXDATE;VALUE=DATE:20261201"], DAY)) == ["EXDATE;VALUE=DATE:20261201"]


@pytest.mark.parametrize(
    "line",
    ["EXDATE", "EXDATE:", "EXDATE:tomorrow", "EXDATE:99991231T235959Z", "EXDATE;VALUE=PERIOD:20261201T000000Z/PT1H"],
)
def test_what_cannot_be_read_is_not_guessed(line: str) -> None:
    """A series with such a line is left alone."""
    with pytest.raises(ModelRetry):
        left_out_of([line], NIGHT)
