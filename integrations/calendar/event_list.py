"""The events on all calendars that a person shows, or on those of them that they may write, each event once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from integrations.calendar.calendar_list import other_calendars
from integrations.calendar.client import PRIMARY, CalendarClient
from integrations.calendar.text import clean
from integrations.calendar.wire import CalendarEntry, Event
from integrations.errors import ToolError


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
    query: str | None = None,
    limit: int,
    written: bool = False,
) -> EventList:
    """The first `limit` events of each calendar that is shown. With `written`, only calendars that the person may write
    count, because a colleague's calendar is not their own time. Raises `ToolError` when their own cannot be read.
    """
    others, unseen = await other_calendars(client, written=written)
    if not others:
        page = await client.events(start, end, query=query, limit=limit)
        alive = [ListedEvent(event, None) for event in page.items if event.status != "cancelled"]
        return EventList(events=alive, is_cut=page.next_page_token is not None, unseen=unseen, zone=page.time_zone)
    ids = [PRIMARY, *(entry.id for entry in others)]
    pages = await client.events_of(ids, start, end, query=query, limit=limit)
    own = pages[0]
    if isinstance(own, ToolError):
        raise own
    events: dict[tuple[str, str], ListedEvent] = {}
    cut, looked_at = False, list[CalendarEntry]()
    for entry, page in zip([None, *others], pages, strict=True):
        if isinstance(page, ToolError):
            unseen = [*unseen, clean(entry.name if entry else PRIMARY, 80)]
            continue
        cut = cut or page.next_page_token is not None
        looked_at += [entry] if entry else []
        for event in page.items:
            if event.status != "cancelled":
                events.setdefault(_identity(event), ListedEvent(event, entry.name if entry else None))
    return EventList(events=list(events.values()), is_cut=cut, others=looked_at, unseen=unseen, zone=own.time_zone)


def _identity(event: Event) -> tuple[str, str]:
    """The same meeting can be on several calendars, each time under another id."""
    begins = event.original_start_time or event.start
    return event.i_cal_uid or event.id, begins.date_time or begins.date or ""
