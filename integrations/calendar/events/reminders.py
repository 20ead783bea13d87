"""The owner's reminders of an event: as Google takes them, and in words."""

from __future__ import annotations

from collections.abc import Sequence

from integrations.calendar.wire import Reminders


def reminders_as_google(minutes: Sequence[int]) -> dict[str, object]:
    """The owner's own reminders; an empty list means none at all."""
    once = dict.fromkeys(minutes)
    return {"useDefault": False, "overrides": [{"method": "popup", "minutes": number} for number in once]}


def reminders_in_words(minutes: Sequence[int]) -> str:
    """ "10 minutes and 1 day before"."""
    if not minutes:
        return "none"
    return " and ".join(map(_ahead, sorted(set(minutes)))) + " before"


def reminders_now(reminders: Reminders) -> str:
    """The reminders that an event has, in the same words."""
    if reminders.use_default:
        return "your calendar's usual ones"
    mails = sorted(entry.minutes for entry in reminders.overrides if entry.method == "email")
    others = sorted(entry.minutes for entry in reminders.overrides if entry.method != "email")
    both = [reminders_in_words(others)] if others or not mails else []
    return "; ".join([*both, *([f"{reminders_in_words(mails)} by mail"] if mails else [])])


def _ahead(minutes: int) -> str:
    for unit, length in (("week", 10_080), ("day", 1_440), ("hour", 60)):
        if minutes and minutes % length == 0:
            return f"{minutes // length} {unit}{'s' if minutes > length else ''}"
    return f"{minutes} minute{'' if minutes == 1 else 's'}"
