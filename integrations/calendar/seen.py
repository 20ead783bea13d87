"""What is on all calendars that a person shows, or on those of them that are his to write, each event once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from integrations.calendar.client import PRIMARY, Agenda
from integrations.calendar.rows import clean
from integrations.calendar.wire import CalendarEntry, Event
from integrations.errors import ToolError

CALENDARS_SEARCHED = 20
NAMED = 10
NOT_LISTED = "your other calendars: Google did not list them"
NOT_GRANTED = "your other calendars: the list of them was not granted"


@dataclass(frozen=True, slots=True)
class Seen:
    """An event with the name of its calendar; None for the person's own one."""

    event: Event
    calendar: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Events in no order; `is_cut` says that a calendar has more of them, `unseen` which could not be looked at. `zone`
    is that of the person's own calendar; `others` are the calendars that were looked at beside it.
    """

    events: Sequence[Seen]
    is_cut: bool
    others: Sequence[CalendarEntry] = ()
    unseen: Sequence[str] = ()
    zone: str | None = None


async def look_at(
    agenda: Agenda, start: datetime, end: datetime, *, query: str | None = None, limit: int, written: bool = False
) -> Found:
    """The first so many events of each calendar that is shown, or only of those of them that the person may write: what
    others let him see is not his time. Raises `ToolError` when not even his own can be read.
    """
    others, unseen = await other_calendars(agenda, written=written)
    if not others:
        page = await agenda.events(start, end, query=query, limit=limit)
        alive = [Seen(event, None) for event in page.items if event.status != "cancelled"]
        return Found(events=alive, is_cut=page.next_page_token is not None, unseen=unseen, zone=page.time_zone)
    ids = [PRIMARY, *(entry.id for entry in others)]
    pages = await agenda.events_of(ids, start, end, query=query, limit=limit)
    own = pages[0]
    if isinstance(own, ToolError):
        raise own
    events: dict[tuple[str, str], Seen] = {}
    cut, looked_at = False, list[CalendarEntry]()
    for entry, page in zip([None, *others], pages, strict=True):
        if isinstance(page, ToolError):
            unseen = [*unseen, clean(entry.name if entry else PRIMARY, 80)]
            continue
        cut = cut or page.next_page_token is not None
        looked_at += [entry] if entry else []
        for event in page.items:
            if event.status != "cancelled":
                events.setdefault(_identity(event), Seen(event, entry.name if entry else None))
    return Found(events=list(events.values()), is_cut=cut, others=looked_at, unseen=unseen, zone=own.time_zone)


async def other_calendars(agenda: Agenda, *, written: bool) -> tuple[Sequence[CalendarEntry], Sequence[str]]:
    """The calendars to look at besides his own, and in words those that are not looked at."""
    try:
        others, unseen = to_look_at(await agenda.calendars(), written=written)
    except ToolError:
        return [], [NOT_LISTED]
    return others, unseen if written or agenda.sees_calendars else [NOT_GRANTED]


def to_look_at(listed: Sequence[CalendarEntry], *, written: bool) -> tuple[Sequence[CalendarEntry], Sequence[str]]:
    """The same of a list of calendars. Where only what he may write counts, what was never meant to is not told of."""
    shown = [entry for entry in listed if entry.selected and not entry.primary]
    readable = [entry for entry in shown if entry.access_role != "freeBusyReader"]
    wanted = [entry for entry in readable if entry.is_written or not written]
    others, beyond = wanted[: CALENDARS_SEARCHED - 1], wanted[CALENDARS_SEARCHED - 1 :]
    unseen = _named(f"beyond the first {CALENDARS_SEARCHED}", beyond)
    if written:
        return others, unseen
    hidden = [entry for entry in listed if not entry.selected and not entry.primary]
    busy = [entry for entry in shown if entry not in readable]
    told = [*_named("hidden in Google Calendar", hidden), *_named("of which only busy times are shared", busy)]
    return others, [*unseen, *told]


def _named(why: str, entries: Sequence[CalendarEntry]) -> list[str]:
    names = [clean(entry.name, 80) for entry in entries[:NAMED]]
    more = [f"{len(entries) - NAMED} more"] if len(entries) > NAMED else []
    return [f"calendars {why}: {', '.join([*names, *more])}"] if entries else []


def _identity(event: Event) -> tuple[str, str]:
    """The same meeting may lie on several calendars, each time under another id."""
    begins = event.original_start_time or event.start
    return event.i_cal_uid or event.id, begins.date_time or begins.date or ""
