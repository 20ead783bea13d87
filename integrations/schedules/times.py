"""Times of reminders as a model writes them: one local moment, or a time of day with the days that it repeats on.

A moment that is over, that the person's clock skips, or that cannot be read is refused with what to ask or write.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from integrations.errors import ModelRetry
from integrations.text import has_passed

Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

WEEK: Sequence[Weekday] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
ONCE = "Write a local date and time such as 2026-11-24T16:00."
AGAIN = "Write a time of day such as 08:00, with `weekdays` or `day_of_month`."

_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:?\d{2})?\Z", re.IGNORECASE)
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})\Z")


def once(text: str, zone: str, *, now: datetime) -> Mapping[str, object]:
    """The spec of one moment. Raises `ModelRetry` for what is no moment, is over, or does not exist in the zone."""
    place = zone_of(zone)
    at = _parsed(text, place)
    if at <= now:
        raise ModelRetry(
            "time_is_over",
            has_passed(now.astimezone(place)),
            hint="If another day or hour was meant, use that; else ask.",
            private=False,
        )
    return {"at": at.astimezone(place).replace(tzinfo=None).isoformat(timespec="minutes")}


def repeating(text: str, weekdays: Sequence[Weekday], day_of_month: int | None) -> Mapping[str, object]:
    """The spec of a repeating time. Raises `ModelRetry` for what is no time of day, or no rule."""
    clock = _CLOCK.match(text.strip())
    hour, minute = (int(clock[1]), int(clock[2])) if clock else (24, 0)
    if hour > 23 or minute > 59:
        raise ModelRetry("invalid_time", f"“{text[:40]}” is no time of day.", hint=AGAIN, private=False)
    if weekdays and day_of_month is not None:
        message = "Either certain weekdays or a day of the month, not both."
        raise ModelRetry("two_rules", message, hint="Make two reminders, or choose one.", private=False)
    if day_of_month is not None:
        return {"day": day_of_month, "hour": hour, "minute": minute}
    return {"day_of_week": ",".join(day for day in WEEK if day in weekdays), "hour": hour, "minute": minute}


def zone_of(name: str) -> ZoneInfo:
    """The person's zone; UTC where it is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def words(at: datetime, place: ZoneInfo) -> str:
    """A point in time as people say it: “Monday 23 November 2026, 16:00”."""
    local = at.astimezone(place)
    return f"{local:%A} {local.day} {local:%B %Y, %H:%M}"


def _parsed(text: str, place: ZoneInfo) -> datetime:
    try:
        if _MOMENT.match(text.strip()):
            at = datetime.fromisoformat(text.strip().upper())
            return _exact(at, place) if at.tzinfo else _local(at, place)
    except (ValueError, OverflowError):
        pass
    raise ModelRetry("invalid_time", f"“{text[:60]}” is no date and time.", hint=ONCE, private=False)


def _local(naive: datetime, place: ZoneInfo) -> datetime:
    """The moment that the clock on the wall shows; of two the first, and none where it skips (PEP 495)."""
    at = naive.replace(tzinfo=place)
    if at.astimezone(UTC).astimezone(place).replace(tzinfo=None) == naive:
        return at
    before, after = (
        at.replace(fold=fold).astimezone(UTC).astimezone(place).replace(tzinfo=None).isoformat(timespec="minutes")
        for fold in (1, 0)
    )
    message = f"{naive:%Y-%m-%d %H:%M} does not exist in {place.key}: the clock goes forward then."
    raise ModelRetry("time_does_not_exist", message, hint=f"Ask which is meant: {before} or {after}.", private=False)


def _exact(at: datetime, place: ZoneInfo) -> datetime:
    """A moment with an offset. Schedules keep local time, of which the second of two equal hours cannot be told."""
    if at.astimezone(place).fold:
        message = f"{at.astimezone(place):%Y-%m-%d %H:%M} comes twice in {place.key}; only the first can be kept."
        raise ModelRetry(
            "time_happens_twice", message, hint="Take the first, or a time after that hour.", private=False
        )
    return at
