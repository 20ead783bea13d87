"""Times as the model writes them: ISO 8601, local in a zone, with an offset, or days. Unclear times are refused."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import TypeVar
from zoneinfo import ZoneInfo

from integrations.calendar.time_range import DateRange, TimedRange, TimeRange, day_words
from integrations.errors import ModelRetry

D = TypeVar("D", date, datetime)

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_DATE_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?\Z")
HINT = "Write 2026-11-24T14:00 for a local time, 2026-11-24T14:00+01:00 for an exact one, 2026-11-24 for a whole day."
LONGEST = timedelta(days=366)
YEARS = range(1970, 2201)
"""Times must lie within these years, because Python's calendar has an end."""


def parse_time(text: str, zone: str) -> date | datetime:
    """A day, or a moment in `zone`; raises `ModelRetry`, also for local times that do not exist or exist twice."""
    written = text.strip().upper()
    try:
        if _DATE.match(written):
            return _within(date.fromisoformat(written))
        if _DATE_TIME.match(written):
            moment = _within(datetime.fromisoformat(written))
            return moment.astimezone(ZoneInfo(zone)) if moment.tzinfo else _local(moment, zone)
    except ValueError:
        pass
    raise ModelRetry("invalid_time", f"“{text[:60]}” is not a date or time.", hint=HINT, private=False)


def span_between(start: str, end: str, zone: str) -> TimeRange:
    """The span that two texts describe. A whole day that ends where it starts is one day.

    Raises `ModelRetry` when one is a day and the other a time, or when it does not end after it starts.
    """
    first, last = parse_time(start, zone), parse_time(end, zone)
    return joined(first, last, zone)


def joined(first: date | datetime, last: date | datetime, zone: str) -> TimeRange:
    """The span between two parsed ends; raises `ModelRetry` as `span_between`."""
    if isinstance(first, datetime) != isinstance(last, datetime):
        raise ModelRetry("mixed_times", "Start and end must both be days or both be times.", hint=HINT)
    if isinstance(first, datetime) and isinstance(last, datetime):
        span: TimeRange = TimedRange(first, last, zone)
    else:
        span = DateRange(first, first + timedelta(days=1) if last == first else last, zone)
    begins, ends = span.bounds()
    if ends <= begins:
        raise ModelRetry("ends_before_start", "The event ends before it starts, or takes no time.", hint=HINT)
    if ends - begins > LONGEST:
        raise ModelRetry("too_long", "An event cannot last longer than a year.", hint=HINT)
    return span


def _within(day: D) -> D:
    if day.year not in YEARS:
        message = f"The year {day.year} is too far away: only {YEARS[0]} to {YEARS[-1]} can be used."
        raise ModelRetry("invalid_time", message, hint=HINT, private=False)
    return day


def _local(naive: datetime, zone: str) -> datetime:
    """The moment that a wall clock shows. Where clocks change, the error names both choices (PEP 495)."""
    at = naive.replace(tzinfo=ZoneInfo(zone))
    other = at.replace(fold=1)
    if at.utcoffset() == other.utcoffset():
        return at
    day = f"{naive:%H:%M} on {day_words(naive.date())}"
    if at.astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None) != naive:
        before, after = (moment.astimezone(UTC).astimezone(ZoneInfo(zone)) for moment in (other, at))
        message = f"{day} does not exist in {zone}: clocks go forward then."
        raise ModelRetry("time_does_not_exist", message, hint=_choices(before, after))
    message = f"{day} happens twice in {zone}: clocks go back then. Ask which one is meant."
    raise ModelRetry("time_happens_twice", message, hint=_choices(at, other))


def _choices(first: datetime, second: datetime) -> str:
    return f"Use {first.isoformat(timespec='minutes')} or {second.isoformat(timespec='minutes')}."
