"""Times as the model writes them, and as people read them."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from integrations.calendar.time_range import DateRange, TimedRange, checked_zone, parse_time, span_between, span_of
from integrations.calendar.wire import EventTime
from integrations.errors import ModelRetry

STOCKHOLM = "Europe/Stockholm"


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
