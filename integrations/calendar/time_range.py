"""When an event is: from a moment to a moment in a zone, or whole days; and times as the model writes them.

All-day ends are exclusive, as in the Calendar API (Events: "end: the (exclusive) end time of the event"). The model
writes ISO 8601: local in a zone, with an offset, or days. Unclear times are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TypeVar
from zoneinfo import ZoneInfo

from integrations.calendar.wire import EventTime
from integrations.errors import ModelRetry
from integrations.text import clean

NOT_PLACES = frozenset({"localtime", "posixrules", "Factory"})
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
Interval = tuple[datetime, datetime]
D = TypeVar("D", date, datetime)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_DATE_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?\Z")
HINT = "Write 2026-11-24T14:00 for a local time, 2026-11-24T14:00+01:00 for an exact one, 2026-11-24 for a whole day."
LONGEST = timedelta(days=366)
_MOMENT = timedelta(seconds=1)
YEARS = range(1970, 2201)
"""Times must lie within these years, because Python's calendar has an end."""


@dataclass(frozen=True, slots=True)
class TimedRange:
    """The time between two aware moments, meant in `zone`."""

    start: datetime
    end: datetime
    zone: str

    def bounds(self) -> tuple[datetime, datetime]:
        """The same in UTC."""
        return self.start.astimezone(UTC), self.end.astimezone(UTC)

    def as_google(self) -> tuple[dict[str, object], dict[str, object]]:
        """Start and end for the API. The fields of all-day events are null, or a PATCH would leave both."""
        return _moment(self.start, self.zone), _moment(self.end, self.zone)

    def as_arguments(self, zone: str) -> tuple[str, str]:
        """Start and end written as arguments, read in this zone."""
        first, last = (at.astimezone(ZoneInfo(zone)) for at in (self.start, self.end))
        return f"{first:%Y-%m-%dT%H:%M}", f"{last:%Y-%m-%dT%H:%M}"

    def moved_to(self, start: datetime, zone: str) -> TimedRange:
        """The same length from another start."""
        length = self.end.astimezone(UTC) - self.start.astimezone(UTC)
        return TimedRange(start, (start.astimezone(UTC) + length).astimezone(ZoneInfo(zone)), zone)

    def words(self, zone: str | None = None) -> str:
        """ "Tue 24 Nov 2026, 14:00–15:00 Europe/Stockholm (1 h)"."""
        name = zone or self.zone
        start, end = self.start.astimezone(ZoneInfo(name)), self.end.astimezone(ZoneInfo(name))
        until = f"{end:%H:%M}" if end.date() == start.date() else f"{day_words(end.date())}, {end:%H:%M}"
        return f"{day_words(start.date())}, {start:%H:%M}–{until} {name} ({_length(self.start, self.end)})"


@dataclass(frozen=True, slots=True)
class DateRange:
    """Whole days; `end` is the day after the last one. `zone` says where they begin, for conflicts only."""

    start: date
    end: date
    zone: str

    def bounds(self) -> tuple[datetime, datetime]:
        """From midnight to midnight in the zone, in UTC."""
        zone = ZoneInfo(self.zone)
        first, last = (datetime.combine(day, time(), zone).astimezone(UTC) for day in (self.start, self.end))
        return first, last

    def as_google(self) -> tuple[dict[str, object], dict[str, object]]:
        """Start and end for the API, with the fields of timed events null."""
        return _day(self.start), _day(self.end)

    def as_arguments(self, zone: str) -> tuple[str, str]:
        """Start and end written as arguments: days have no zone."""
        return self.start.isoformat(), self.end.isoformat()

    def moved_to(self, start: date, zone: str) -> DateRange:
        """As many days from another one."""
        return DateRange(start, start + (self.end - self.start), zone)

    def words(self, zone: str | None = None) -> str:
        """ "Tue 24 Nov 2026, all day"."""
        last = self.end - timedelta(days=1)
        if last <= self.start:
            return f"{day_words(self.start)}, all day"
        return f"{day_words(self.start)} – {day_words(last)}, all day ({(self.end - self.start).days} days)"


TimeRange = TimedRange | DateRange


def overlap(one: Interval, other: Interval) -> bool:
    """Whether two intervals share some time."""
    return one[0] < other[1] and other[0] < one[1]


def window_there(start: datetime, end: datetime, zone: str, theirs: str | None) -> Interval:
    """The time to ask a calendar for, so that it tells every whole day that this time touches in `zone`.

    Google takes a whole day from midnight to midnight in the calendar's own zone (`theirs`), where it may be over
    before the same day begins in `zone`, or begin after it.
    """
    if theirs is None or not is_zone(theirs):
        return start, end
    place, there = ZoneInfo(zone), ZoneInfo(theirs)
    first, last = (at.astimezone(place).date() for at in (start, end.astimezone(UTC) - _MOMENT))
    first_ends, last_begins = (datetime.combine(day, time(), there) for day in (first + timedelta(days=1), last))
    return min(start, first_ends - _MOMENT), max(end, last_begins + _MOMENT)


def local_day(span: TimeRange) -> date:
    """The day it begins on, in its own zone."""
    return span.start.astimezone(ZoneInfo(span.zone)).date() if isinstance(span, TimedRange) else span.start


def span_of(start: EventTime, end: EventTime, zone: str) -> TimeRange:
    """The span of an event as Google gives it; `zone` where it names none."""
    if start.date and end.date:
        return DateRange(date.fromisoformat(start.date), date.fromisoformat(end.date), zone)
    if start.date_time and end.date_time:
        named = start.time_zone if start.time_zone and is_zone(start.time_zone) else zone
        return TimedRange(_aware(start.date_time, named), _aware(end.date_time, named), named)
    epoch = datetime.fromtimestamp(0, UTC)
    return TimedRange(epoch, epoch, zone)


def new_times(span: TimeRange) -> dict[str, object]:
    """Start and end of a new event for the API."""
    edges = zip(("start", "end"), span.as_google(), strict=True)
    return {name: {key: value for key, value in edge.items() if value is not None} for name, edge in edges}


def is_zone(name: str) -> bool:
    """Whether the IANA database has such a place: not this machine's own zone, nor a variant with leap seconds."""
    if name in NOT_PLACES or name.startswith(("right/", "posix/")):
        return False
    try:
        ZoneInfo(name)
    except (OSError, ValueError):  # ZoneInfoNotFoundError is a KeyError
        return False
    except KeyError:
        return False
    return True


def checked_zone(name: str | None, default: str) -> str:
    """The zone to read local times in; raises `ModelRetry` for one that does not exist."""
    if name is None:
        return default
    if not is_zone(name):
        message = f"“{name[:60]}” is no time zone. Use an IANA name such as Europe/Stockholm."
        raise ModelRetry("unknown_zone", message, private=False)
    return name


def day_words(day: date) -> str:
    """ "Tue 24 Nov 2026", whatever the process's locale is."""
    return f"{DAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}"


def roughly(text: str) -> str:
    """A day or a moment as an argument has it, for a caption, which never fails; midnight is a day."""
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        return clean(text, 25)
    return f"{day_words(at)}, {at:%H:%M}" if at.time() != time() else day_words(at)


def roughly_between(start: str | None, end: str | None) -> str:
    """The time between two arguments in words, for a caption; empty without any. What ends at midnight ends the day
    before, and one day is told as one.
    """
    first, last = (roughly(text) if text else "" for text in (start, _last_day(end or "")))
    return first if first == last else " to ".join(text for text in (first, last) if text)


def _last_day(end: str) -> str:
    """The end, or where it is a midnight, the day before it; a day alone is included as it is."""
    try:
        at = datetime.fromisoformat(end.strip())
    except ValueError:
        return end
    is_midnight = at.time() == time() and not _DATE.match(end.strip())
    return (at.date() - timedelta(days=1)).isoformat() if is_midnight and at.date() > date.min else end


def _aware(text: str, zone: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone))


def _moment(at: datetime, zone: str) -> dict[str, object]:
    return {"dateTime": at.isoformat(timespec="seconds"), "timeZone": zone, "date": None}


def _day(day: date) -> dict[str, object]:
    return {"date": day.isoformat(), "dateTime": None, "timeZone": None}


def _length(start: datetime, end: datetime) -> str:
    minutes = int((end.astimezone(UTC) - start.astimezone(UTC)).total_seconds() // 60)
    days, rest = divmod(minutes, 24 * 60)
    hours, left = divmod(rest, 60)
    parts = [f"{days} d" if days else "", f"{hours} h" if hours else "", f"{left} min" if left else ""]
    return " ".join(part for part in parts if part) or "0 min"


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
