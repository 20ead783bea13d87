"""The moment that "send it on Monday at 8" names."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from integrations.errors import ModelRetry
from integrations.text import has_passed

LONGEST = timedelta(days=366)
YEARS = range(1970, 2201)
"""Beyond them no zone can be reckoned with: Python's calendar has ends."""
_FORM = "Write the local time as 2026-11-23T08:00, or with an offset."


def moment(text: str, zone: str) -> datetime:
    """The moment, aware: local to the zone, or with its own offset.

    Raises `ModelRetry` for what cannot be read, and for a time that the clocks skip or show twice.
    """
    try:
        written = datetime.fromisoformat(text.strip())
    except ValueError:
        raise _refuse(f"“{text[:40]}” is no date and time.") from None
    if written.year not in YEARS:
        raise _refuse(f"The year {written.year} is too far away.")
    if len(text.strip()) <= len("2026-11-23"):
        raise _refuse("That day has no time of day with it.")
    if written.tzinfo is not None:
        return written.astimezone(UTC)
    local = written.replace(tzinfo=ZoneInfo(zone))
    if local.astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None) != written:
        raise _refuse(f"The clocks skip that time in {zone}.")
    if local.utcoffset() != local.replace(fold=1).utcoffset():
        raise _refuse(f"The clocks show that time twice in {zone}.", "Give the time with its offset from UTC.")
    return local.astimezone(UTC)


def leaving(text: str | None, zone: str, now: datetime) -> datetime | None:
    """The moment to send at; None for at once. Raises `ModelRetry` as `moment`, and when it is over or too far."""
    if text is None:
        return None
    at = moment(text, zone)
    if at <= now:
        raise _refuse(has_passed(now.astimezone(ZoneInfo(zone))), "Leave send_at out to send at once.")
    if at - now > LONGEST:
        raise _refuse("That is more than a year away.")
    return at


def in_words(at: datetime, zone: str, now: datetime) -> str:
    """ "Monday 23 November at 08:00 (Europe/Berlin)", with the year where it is another one."""
    local, here = at.astimezone(ZoneInfo(zone)), now.astimezone(ZoneInfo(zone))
    return f"{_spoken(local, with_year=local.year != here.year)} ({zone})"


def roughly(text: str) -> str:
    """The same for a caption, which knows neither zone nor time and never fails."""
    try:
        return _spoken(datetime.fromisoformat(text.strip()), with_year=False)
    except ValueError:
        return text[:40]


def _spoken(local: datetime, *, with_year: bool) -> str:
    year = f" {local.year}" if with_year else ""
    return f"{local:%A} {local.day} {local:%B}{year} at {local:%H:%M}"


def _refuse(why: str, hint: str = _FORM) -> ModelRetry:
    return ModelRetry("invalid_send_at", why, hint=hint, private=False)
