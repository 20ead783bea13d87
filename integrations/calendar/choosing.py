"""Which calendar is meant by a name or an id: one that the person may write."""

from __future__ import annotations

from collections.abc import Sequence

from integrations.calendar.client import PRIMARY, Agenda
from integrations.calendar.rows import clean
from integrations.calendar.wire import CalendarEntry
from integrations.errors import ModelRetry

NAMED = 10
OWN = "Leave `calendar` out for the user's own calendar."


async def other_calendar(agenda: Agenda, wanted: str | None) -> CalendarEntry | None:
    """The calendar; None for the person's own one. Raises `ModelRetry` where none, or more than one, is meant."""
    name = " ".join((wanted or "").split()).casefold()
    if name in {"", PRIMARY, agenda.email.casefold()}:
        return None
    if not agenda.sees_calendars:
        message = "Which other calendars there are was not granted, so only the user's own one can be written."
        raise ModelRetry("calendars_not_seen", message, hint=f"Say so. {OWN}", private=False)
    return _one(await agenda.written(), name)


def _one(written: Sequence[CalendarEntry], name: str) -> CalendarEntry | None:
    by_id = [entry for entry in written if entry.id.casefold() == name]
    found = by_id or [entry for entry in written if " ".join(entry.name.split()).casefold() == name]
    if len(found) == 1:
        return None if found[0].primary else found[0]
    if found:
        listed = ", ".join(entry.id for entry in found[:NAMED])
        message = f"{len(found)} calendars are called so: {listed}."
        raise ModelRetry("calendar_unclear", message, hint="Ask which is meant, and give its id.")
    listed = ", ".join(f"“{clean(entry.name, 80)}”" for entry in written[:NAMED] if not entry.primary) or "none"
    message = f"The user may write to no calendar that is called so. Others that they may write to: {listed}."
    raise ModelRetry("no_such_calendar", message, hint=f"Ask which is meant. {OWN}")
