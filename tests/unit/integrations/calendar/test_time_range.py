"""Times as the model writes them, and as people read them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from integrations.calendar.time_range import (
    DateRange,
    TimedRange,
    checked_zone,
    overlap,
    parse_time,
    roughly_between,
    span_between,
    span_of,
    window_there,
)
from integrations.calendar.wire import EventTime
from integrations.errors import ModelRetry

STOCKHOLM = "Europe/Stockholm"
ZONES = ["Pacific/Midway", "America/New_York", STOCKHOLM, "Asia/Kolkata", "Pacific/Kiritimati"]
"""From the west to the east: the first and the last are 25 hours apart."""


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-11-24T14:00", "2026-11-24T13:00"),
        ("2026-11-24 14:00", "2026-11-24T13:00"),
        ("2026-11-24T14:00:30", "2026-11-24T13:00:30"),
        ("2026-11-24T14:00Z", "2026-11-24T14:00"),
        ("2026-11-24T14:00+05:30", "2026-11-24T08:30"),
        ("2026-07-01T14:00", "2026-07-01T12:00"),
    ],
)
def test_a_time_without_an_offset_is_local(text: str, utc: str) -> None:
    """Local times are read in the zone, summer and winter; an offset is taken as it is."""
    moment = parse_time(text, STOCKHOLM)
    assert isinstance(moment, datetime)
    assert moment.astimezone(UTC) == datetime.fromisoformat(utc).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        *((text, "2026-11-24T14:00") for text in ("", "tomorrow", "2026-13-01", "24.11.2026", "14:00", "20261124")),
        ("2026-11-24T25:00", "2026-11-24T14:00"),
        *(
            (text, "too far away")
            for text in ("9999-12-31", "9999-12-31T23:59-12:00", "0001-01-01T00:00", "1969-12-31")
        ),
    ],
)
def test_what_is_no_time_is_asked_back(text: str, told: str) -> None:
    """Words, other notations and impossible dates are refused with an example; years beyond the calendar as such."""
    with pytest.raises(ModelRetry) as caught:
        parse_time(text, STOCKHOLM)
    assert told in f"{caught.value.message} {caught.value.hint}"
    assert caught.value.code == "invalid_time"


@pytest.mark.parametrize(
    ("text", "code", "choices"),
    [
        ("2026-03-29T02:30", "time_does_not_exist", "2026-03-29T01:30+01:00 or 2026-03-29T03:30+02:00"),
        ("2026-10-25T02:30", "time_happens_twice", "2026-10-25T02:30+02:00 or 2026-10-25T02:30+01:00"),
    ],
)
def test_a_time_that_clocks_skip_or_double_gives_two_choices(text: str, code: str, choices: str) -> None:
    """02:30 in a night when clocks change is refused with both exact times, of which each can be used."""
    with pytest.raises(ModelRetry) as caught:
        parse_time(text, STOCKHOLM)
    assert (caught.value.code, caught.value.hint) == (code, f"Use {choices}.")
    for exact in choices.split(" or "):
        moment = parse_time(exact, STOCKHOLM)
        assert isinstance(moment, datetime)
        assert moment.astimezone(UTC) == datetime.fromisoformat(exact)


@pytest.mark.parametrize(
    ("start", "end", "code"),
    [
        ("2026-11-24T14:00", "2026-11-24T14:00", "ends_before_start"),
        ("2026-11-24T14:00", "2026-11-24T13:00", "ends_before_start"),
        ("2026-11-24", "2026-11-23", "ends_before_start"),
        ("2026-11-24", "2026-11-24T10:00", "mixed_times"),
        ("2026-11-24T10:00", "2028-11-24T10:00", "too_long"),
    ],
)
def test_a_span_has_to_make_sense(start: str, end: str, code: str) -> None:
    """An event that ends before it starts, mixes a day and a time, or lasts for years is refused."""
    with pytest.raises(ModelRetry) as caught:
        span_between(start, end, STOCKHOLM)
    assert caught.value.code == code


def test_whole_days_end_on_the_day_after() -> None:
    """The end of an all-day event is exclusive; the same day twice is one day."""
    assert span_between("2026-11-24", "2026-11-26", STOCKHOLM).words() == (
        "Tue 24 Nov 2026 – Wed 25 Nov 2026, all day (2 days)"
    )
    one = span_between("2026-11-24", "2026-11-24", STOCKHOLM)
    assert one == DateRange(date(2026, 11, 24), date(2026, 11, 25), STOCKHOLM)
    assert one.words() == "Tue 24 Nov 2026, all day"
    assert one.as_google()[1] == {"date": "2026-11-25", "dateTime": None, "timeZone": None}


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        ("2026-11-24T14:00", "2026-11-24T15:30", "Tue 24 Nov 2026, 14:00–15:30 Europe/Stockholm (1 h 30 min)"),
        (
            "2026-11-24T23:00",
            "2026-11-25T01:00",
            "Tue 24 Nov 2026, 23:00–Wed 25 Nov 2026, 01:00 Europe/Stockholm (2 h)",
        ),
        ("2026-10-25T01:00", "2026-10-25T04:00", "Sun 25 Oct 2026, 01:00–04:00 Europe/Stockholm (4 h)"),
    ],
)
def test_a_span_is_said_with_weekday_zone_and_length(start: str, end: str, words: str) -> None:
    """The length is the real one, also over the night when clocks change."""
    assert span_between(start, end, STOCKHOLM).words() == words


def test_a_moment_goes_to_google_with_offset_and_zone() -> None:
    """A timed event sends time and zone, and nulls the date of an all-day one."""
    start, _ = span_between("2026-11-24T14:00", "2026-11-24T15:00", STOCKHOLM).as_google()
    assert start == {"dateTime": "2026-11-24T14:00:00+01:00", "timeZone": STOCKHOLM, "date": None}


def test_a_move_keeps_the_length() -> None:
    """An hour stays an hour, two days stay two days."""
    hour = span_between("2026-10-24T12:00", "2026-10-24T13:00", STOCKHOLM)
    assert isinstance(hour, TimedRange)
    start = parse_time("2026-10-25T12:00", STOCKHOLM)
    assert isinstance(start, datetime)
    assert hour.moved_to(start, STOCKHOLM).words().endswith("12:00–13:00 Europe/Stockholm (1 h)")
    days = DateRange(date(2026, 11, 1), date(2026, 11, 3), STOCKHOLM)
    assert days.moved_to(date(2026, 12, 1), STOCKHOLM).end == date(2026, 12, 3)


def test_google_times_are_read_in_their_own_zone() -> None:
    """A time without an offset is in the event's zone; an unknown zone falls back to the person's."""
    span = span_of(
        EventTime(date_time="2026-11-24T14:00:00", time_zone="Asia/Kolkata"),
        EventTime(date_time="2026-11-24T15:00:00", time_zone="Asia/Kolkata"),
        STOCKHOLM,
    )
    assert span.words(STOCKHOLM) == "Tue 24 Nov 2026, 09:30–10:30 Europe/Stockholm (1 h)"
    odd = span_of(
        EventTime(date_time="2026-11-24T14:00:00Z", time_zone="Mars/Olympus"),
        EventTime(date_time="2026-11-24T15:00:00Z"),
        STOCKHOLM,
    )
    assert odd.zone == STOCKHOLM


@pytest.mark.parametrize(
    "name", ["CET+1", "Stockholm", "", "../etc/passwd", "Europe/Nowhere", "localtime", "right/UTC"]
)
def test_a_zone_that_does_not_exist_is_asked_back(name: str) -> None:
    """Only names of the IANA database are zones."""
    with pytest.raises(ModelRetry):
        checked_zone(name, STOCKHOLM)


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        ("2026-12-01", "2026-12-01", "Tue 1 Dec 2026"),
        ("2026-12-01T00:00", "2026-12-02T00:00", "Tue 1 Dec 2026"),
        ("2026-12-01T00:00-05:00", "2026-12-02T00:00-05:00", "Tue 1 Dec 2026"),
        ("2026-11-30T00:00", "2026-12-07T00:00", "Mon 30 Nov 2026 to Sun 6 Dec 2026"),
        ("2026-12-01", "2026-12-02", "Tue 1 Dec 2026 to Wed 2 Dec 2026"),
        ("2026-12-01T09:00", "2026-12-01T17:00", "Tue 1 Dec 2026, 09:00 to Tue 1 Dec 2026, 17:00"),
        ("2026-12-01T00:00", None, "Tue 1 Dec 2026"),
        (None, "soon", "soon"),
        (None, "0001-01-01T00:00", "Mon 1 Jan 1"),
        (None, None, ""),
    ],
)
def test_what_ends_at_midnight_ends_the_day_before(start: str | None, end: str | None, words: str) -> None:
    """A caption tells one day as one, however the model wrote it."""
    assert roughly_between(start, end) == words


@pytest.mark.parametrize("day", [date(2026, 3, 28), date(2026, 3, 29), date(2026, 10, 25), date(2026, 11, 1)])
@pytest.mark.parametrize("hours", [(0, 24), (1, 2), (20, 23)])
@pytest.mark.parametrize(
    "theirs", ["Pacific/Midway", "America/New_York", STOCKHOLM, "Asia/Kolkata", "Pacific/Kiritimati"]
)
@pytest.mark.parametrize("mine", ["Pacific/Midway", "America/New_York", STOCKHOLM, "Asia/Tokyo", "Pacific/Kiritimati"])
def test_a_whole_day_there_is_asked_for(mine: str, theirs: str, hours: tuple[int, int], day: date) -> None:
    """Whatever the two zones are, also where clocks change: the whole day that an hour of it belongs to is in the time
    that the calendar is asked for.
    """
    start, end = (datetime.combine(day, time(), ZoneInfo(mine)) + timedelta(hours=hour) for hour in hours)
    there = DateRange(day, day + timedelta(days=1), theirs)
    window = window_there(start, end, mine, theirs)
    assert overlap(there.bounds(), window)
    assert (window[0] <= start, window[1] >= end) == (True, True)


@pytest.mark.parametrize("theirs", [None, "Mars/Olympus", "America/New_York"])
def test_a_day_is_asked_for_as_it_is(theirs: str | None) -> None:
    """Where the calendar's zone is not known, or has its part of the day within it, nothing more is asked for."""
    start, end = (datetime(2026, 12, day, tzinfo=ZoneInfo(STOCKHOLM)) for day in (1, 2))
    assert window_there(start, end, STOCKHOLM, theirs) == (start, end)
