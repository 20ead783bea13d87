"""When a mail came, as its reader would say it."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def local_time(milliseconds: int, zone: str) -> str:
    """Gmail's internal date in somebody's zone: "Tue 2026-11-24 14:00"."""
    at = datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone(ZoneInfo(zone))
    return f"{_DAYS[at.weekday()]} {at:%Y-%m-%d %H:%M}"


def time_in_words(milliseconds: int, zone: str) -> str:
    """The same as a card shows times: "Tue 24 Nov 2026, 14:00"."""
    at = datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone(ZoneInfo(zone))
    return f"{_DAYS[at.weekday()]} {at.day} {_MONTHS[at.month - 1]} {at.year}, {at:%H:%M}"
