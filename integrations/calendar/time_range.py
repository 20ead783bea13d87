"""When an event is: from a moment to a moment in a zone, or whole days.

All-day ends are exclusive, as in the Calendar API (Events: "end: the (exclusive) end time of the event").
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from integrations.calendar.wire import EventTime
from integrations.errors import ModelRetry

NOT_PLACES = frozenset({"localtime", "posixrules", "Factory"})
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


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
