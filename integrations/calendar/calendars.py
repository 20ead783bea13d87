"""A person's calendars: which ones we look at, which one a name or an id means, and the events on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from integrations.calendar.client import MOST_EVENTS, PRIMARY, CalendarClient, Look, split_event_id
from integrations.calendar.time_range import overlap, span_of, window_there
from integrations.calendar.wire import CalendarEntry, Event, EventPage
from integrations.errors import ModelRetry, ToolError
from integrations.items import NOT_READ, all_read
from integrations.text import clean, counted

CALENDARS_SEARCHED = 20
BESIDE = 50
"""So many more are asked for where a calendar is in another zone: what it has beside the person's days is left out."""

NAMED = 10
NOT_LISTED = "your other calendars: Google did not list them"
NOT_GRANTED = "your other calendars: the list of them was not granted"
_EARLIEST = datetime.min.replace(tzinfo=UTC) + timedelta(days=2)
_LATEST = datetime.max.replace(tzinfo=UTC) - timedelta(days=2)
"""Beyond these a moment has no form in some zone, so an event there could not be ordered among the others."""

OWN = "Leave `calendar` out for the user's own calendar."


async def calendar_named(client: CalendarClient, wanted: str | None) -> CalendarEntry | None:
    """The calendar of a name or an id; None for the person's own. Raises `ModelRetry` where it is not exactly one."""
    name = _plain(wanted or "")
    if name in {"", PRIMARY, client.email.casefold()}:
        return None
    if not client.sees_calendars:
        message = "Which other calendars there are was not granted, so only the user's own one can be written."
        raise ModelRetry("calendars_not_seen", message, hint=f"Say so. {OWN}", private=False)
    return _one(await client.written(), name)


def _one(written: Sequence[CalendarEntry], name: str) -> CalendarEntry | None:
    by_id = [entry for entry in written if entry.id.casefold() == name]
    found = by_id or [entry for entry in written if _plain(entry.name) == name]
    if len(found) == 1:
        return None if found[0].primary else found[0]
    if found:
        listed = ", ".join(entry.id for entry in found[:NAMED])
        message = f"{len(found)} calendars have this name: {listed}."
        raise ModelRetry("calendar_unclear", message, hint="Ask which is meant, and give its id.")
    listed = ", ".join(f"“{clean(entry.name, 80)}”" for entry in written[:NAMED] if not entry.primary) or "none"
    message = f"The user may not write to a calendar of this name. They may write to: {listed}."
    raise ModelRetry("no_such_calendar", message, hint=f"Ask which is meant. {OWN}")


def as_named(entry: CalendarEntry, wanted: str | None) -> str:
    """Its name where `calendar_named` found it by that, which is then the name of no other; else its id."""
    return clean(entry.name, 300) if _plain(entry.name) == _plain(wanted or "") else entry.id


def calendar_row(entry: CalendarEntry) -> dict[str, object]:
    """A calendar beside the owner's own one, as the model gets it."""
    return {"name": clean(entry.name, 80), "may_write": entry.is_written}


def names_of(entry: CalendarEntry) -> Sequence[str]:
    """By what rules may name it; its owner's own one stands for nothing but its owner."""
    return () if entry.primary else (entry.id, " ".join(entry.name.split()))


async def names_of_calendar_of(client: CalendarClient, event_id: str) -> Sequence[str]:
    """By what rules may name the calendar on which an event stands; its id alone where its name was not granted."""
    calendar, _ = split_event_id(event_id)
    if calendar == PRIMARY:
        return ()
    listed = [entry for entry in await client.calendars() if entry.id == calendar]
    return names_of(listed[0]) if listed else (calendar,)


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


async def other_calendars(client: CalendarClient, *, written: bool) -> tuple[Sequence[CalendarEntry], Sequence[str]]:
    """The calendars to look at besides the person's own, and in words those that are left out."""
    _, others, unseen = await _own_and_others(client, written=written)
    return others, unseen


async def _own_and_others(
    client: CalendarClient, *, written: bool
) -> tuple[CalendarEntry | None, Sequence[CalendarEntry], Sequence[str]]:
    """The same after the person's own calendar as their list has it; None where Google told us none."""
    try:
        listed = await client.calendars()
    except ToolError:
        return None, [], [NOT_LISTED]
    others, unseen = to_look_at(listed, written=written)
    own = next((entry for entry in listed if entry.primary), None)
    return own, others, unseen if written or client.sees_calendars else [NOT_GRANTED]


def to_look_at(listed: Sequence[CalendarEntry], *, written: bool) -> tuple[Sequence[CalendarEntry], Sequence[str]]:
    """The same for a list of calendars. With `written`, only calendars that the person may write are mentioned."""
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


@dataclass(frozen=True, slots=True)
class ListedEvent:
    """An event with the name of its calendar; None for the person's own."""

    event: Event
    calendar: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventList:
    """Events in no order. `is_cut` says that a calendar has more, `unseen` names calendars that were left out.

    `zone` is that of the person's own calendar; `others` are the other calendars that we looked at.
    """

    events: Sequence[ListedEvent]
    is_cut: bool
    others: Sequence[CalendarEntry] = ()
    unseen: Sequence[str] = ()
    zone: str | None = None


async def list_events(
    client: CalendarClient,
    start: datetime,
    end: datetime,
    *,
    zone: str,
    query: str | None = None,
    limit: int,
    written: bool = False,
    fields: str = "",
) -> EventList:
    """The first `limit` events of each calendar that is shown; whole days are days in this zone. With `written`,
    only calendars that the person may write count, because a colleague's calendar is not their own time.
    With `fields`, Google tells no more of them. Raises `ToolError` when their own cannot be read.
    """
    home, others, unseen = await _own_and_others(client, written=written)
    looks = [
        Look(
            calendar=calendar,
            window=window_there(start, end, zone, entry.time_zone if entry else None),
            limit=limit if entry and entry.time_zone == zone else min(limit + BESIDE, MOST_EVENTS),
        )
        for calendar, entry in [(PRIMARY, home), *((each.id, each) for each in others)]
    ]
    pages = await client.events_of(looks, query=query, fields=fields)
    own = pages[0]
    if isinstance(own, ToolError):
        raise own
    found: dict[tuple[str, str], ListedEvent] = {}
    cut, looked_at, lost = False, list[CalendarEntry](), 0
    for entry, page in zip([None, *others], pages, strict=True):
        if isinstance(page, ToolError):
            unseen = [*unseen, clean(entry.name if entry else PRIMARY, 80)]
            continue
        looked_at += [entry] if entry else []
        alive, unread = _alive(page)
        lost += unread
        within = [event for event in alive if overlap(span_of(event.start, event.end, zone).bounds(), (start, end))]
        cut = cut or page.next_page_token is not None or len(within) > limit
        for event in within[:limit]:
            found.setdefault(_identity(event), ListedEvent(event, entry.name if entry else None))
    unseen = [*unseen, *_lost(lost)]
    return EventList(events=list(found.values()), is_cut=cut, others=looked_at, unseen=unseen, zone=own.time_zone)


def _alive(page: EventPage) -> tuple[Sequence[Event], int]:
    """The events that are not cancelled, and how many could not be read: their times make no sense."""
    read, lost = all_read(page.items, _timed)
    return [event for event in read if event.status != "cancelled"], lost


def _timed(event: Event) -> Event:
    if event.unreadable:
        raise ValueError("an event of an unexpected shape")
    begins, ends = span_of(event.start, event.end, "UTC").bounds()
    if begins < _EARLIEST or ends > _LATEST:
        raise ValueError("it cannot be told in every zone")
    return event


def _lost(count: int) -> list[str]:
    return [f"{counted(count, 'event')} that {NOT_READ}"] if count else []


def _identity(event: Event) -> tuple[str, str]:
    """The same meeting can be on several calendars, each time under another id."""
    begins = event.original_start_time or event.start
    return event.i_cal_uid or event.id, begins.date_time or begins.date or ""
