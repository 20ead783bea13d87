"""Moments and stretches of time in words, in a person's own zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def moment(at: datetime, zone: str) -> str:
    """A point in time, as “Sunday 22 November at 09:30”."""
    local = at.astimezone(_place(zone))
    return f"{local:%A} {local.day} {local:%B at %H:%M}"


def day(at: datetime, zone: str) -> str:
    """Its day, as “Sunday 22 November”."""
    local = at.astimezone(_place(zone))
    return f"{local:%A} {local.day} {local:%B}"


def short(at: datetime, zone: str) -> str:
    """A point in time with its year, as “Mon 23 Nov 2026, 16:00 GMT”."""
    return f"{without_zone(at, zone)} {at.astimezone(_place(zone)):%Z}"


def without_zone(at: datetime, zone: str) -> str:
    """The same where the zone stands elsewhere, as “Mon 23 Nov 2026, 16:00”."""
    local = at.astimezone(_place(zone))
    return f"{local:%a} {local.day} {local:%b %Y, %H:%M}"


def zone_of(zone: str) -> str:
    """The zone's own name; UTC where there is none of this name."""
    return str(_place(zone))


def with_zone(at: datetime, zone: str) -> str:
    """A point in time with the zone's own name, as “Mon 23 Nov 2026, 16:00 (Europe/London)”."""
    return f"{without_zone(at, zone)} ({_place(zone)})"


def to_the_second(at: datetime, zone: str) -> str:
    """A point in time that is near, as “09:30:05”."""
    return f"{at.astimezone(_place(zone)):%H:%M:%S}"


def left(span: timedelta) -> str:
    """What is left, in its largest unit, rounded: “12 hours”."""
    seconds = max(span.total_seconds(), 0)
    for unit, name in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        if seconds >= 2 * unit or (unit == _MINUTE and seconds >= unit):
            count = round(seconds / unit)
            return f"{count} {name}" if count == 1 else f"{count} {name}s"
    return "less than a minute"


def late(due: datetime, zone: str) -> str:
    """That something scheduled comes late, and since when it was due."""
    return f"(This was due on {moment(due, zone)}. I was not running then, so it comes late, and only once.)"


def _place(zone: str) -> tzinfo:
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
