"""The deadline of a plan: a point in time, to come and not too far away. What names none, or two, is refused with what
to write. Pure.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.errors import BotError
from bot.runtime.texts import about_plans

LONGEST = timedelta(days=366)
SOONEST = timedelta(hours=1)
"""How far away a deadline is at least that is suggested."""

_WRITTEN = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})?", re.IGNORECASE)


class BadDeadline(BotError):
    """It is no deadline; the message says why, and what to write."""


def parsed(text: str, zone: str) -> datetime:
    """The moment that somebody wrote: with its offset from UTC, or by the clocks of this zone. Raises `BadDeadline`."""
    place, written = _place(zone), text.strip()
    if not _WRITTEN.fullmatch(written):
        raise BadDeadline(about_plans.NO_MOMENT.format(text=written[:40]))
    try:
        at = datetime.fromisoformat(written.upper())
        return at.astimezone(UTC) if at.tzinfo else _by_the_clock(at, place)
    except (ValueError, OverflowError):
        raise BadDeadline(about_plans.NO_MOMENT.format(text=written[:40])) from None


def problem(at: datetime, *, now: datetime, zone: str) -> str:
    """What is wrong with it: it has no zone, is over or too far away; empty for a good one. `zone` is the reader's."""
    if at.tzinfo is None:
        return about_plans.NO_ZONE
    if at <= now:
        return about_plans.is_over(at, now, zone)
    return about_plans.TOO_FAR if at - now > LONGEST else ""


def suggested(before: datetime, *, now: datetime, zone: str) -> datetime:
    """A deadline in the place of one that is over: at the same time of the day by the clocks of this zone, as soon as
    that is an hour away.
    """
    place = _place(zone)
    soonest, then = (now + SOONEST).astimezone(place), before.astimezone(place)
    at = soonest.replace(hour=then.hour, minute=then.minute, second=0, microsecond=0)
    return at if at >= soonest else at + timedelta(days=1)


def _place(zone: str) -> ZoneInfo:
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadDeadline(about_plans.NO_SUCH_ZONE.format(zone=zone[:60])) from None


def _by_the_clock(naive: datetime, place: ZoneInfo) -> datetime:
    """What the clock on the wall shows. A time that it skips or shows twice names no moment (PEP 495)."""
    first, second = (naive.replace(tzinfo=place, fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first.astimezone(UTC)
    moments = sorted(at.astimezone(UTC).astimezone(place) for at in (first, second))
    choices = [at.isoformat(timespec="minutes") for at in moments]
    is_shown = moments[0].replace(tzinfo=None, fold=0) == naive
    raise BadDeadline((about_plans.twice if is_shown else about_plans.skipped)(naive, place.key, choices))
