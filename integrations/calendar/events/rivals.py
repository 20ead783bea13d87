"""What else may be called as an event is: the person's other events of its time, before it is changed unasked.

A person who says “the team sync” means one of them, and a title alone does not tell which. For an event that is to
come, times that have passed are left out: nobody changes these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from integrations.calendar.calendars import list_events
from integrations.calendar.client import MOST_EVENTS, PRIMARY, CalendarClient, split_event_id
from integrations.calendar.events.own_words import is_written_alone
from integrations.calendar.events.results import TITLE_LENGTH
from integrations.calendar.events.target import Target
from integrations.calendar.time_range import Interval, local_day, span_of
from integrations.calendar.wire import Event
from integrations.errors import ToolFailed
from integrations.text import clean
from policies.provenance import Impact, Touched

LATER = timedelta(days=14)
EARLIER = timedelta(days=90)
"""So far from an event one of its name may be meant: most of all the next one."""

FIELDS = (
    "items(id,status,summary,start,end,originalStartTime,recurringEventId,iCalUID,organizer,creator,guestsCanModify"
    ",extendedProperties/private)"
    ",nextPageToken,timeZone"
)


async def with_other_events(impact: Impact, client: CalendarClient, target: Target) -> Impact:
    """The impact with the other events that may be meant by its title, and the days of all; raises as `rivals_of`."""
    day = day_of(target.named, target.zone)
    return replace(
        impact,
        objects=[replace(touched, day=day) for touched in impact.objects],
        beside=await rivals_of(client, target),
        today=client.clock.now().astimezone(ZoneInfo(target.zone)).date(),
    )


async def rivals_of(client: CalendarClient, target: Target) -> Sequence[Touched]:
    """The other events around it, with their titles and days, on the calendars that are shown and that the person may
    write. Raises `ToolError` where not all of them could be looked at, or its own calendar is none of these.
    """
    window = _window(target, client.clock.now())
    seen = await list_events(client, *window, zone=target.zone, limit=MOST_EVENTS, written=True, fields=FIELDS)
    calendar, _ = split_event_id(target.named.id)
    if seen.is_cut or seen.unseen or calendar not in {PRIMARY, *(entry.id for entry in seen.others)}:
        raise ToolFailed("rivals_unknown", "Not all of your events around that time could be looked at.")
    events = (one.event for one in seen.events)
    return [_touched(event, client.email, target.zone) for event in events if not _is_of(target, event)]


def day_of(event: Event, zone: str) -> date:
    """The day on which it begins, in this zone."""
    span = span_of(event.start, event.end, zone)
    return local_day(span) if event.start.date else span.bounds()[0].astimezone(ZoneInfo(zone)).date()


def _window(target: Target, now: datetime) -> Interval:
    """The time in which events of its name may be meant: for a whole series that of the next occurrences."""
    begins, ends = target.span().bounds()
    if target.named.recurrence:
        return now, now + EARLIER
    if ends <= now:
        return begins - LATER, ends + LATER
    return max(now, begins - EARLIER), ends + LATER


def _is_of(target: Target, event: Event) -> bool:
    """Whether it is the event itself or an occurrence of its series, also as another calendar shows it."""
    mine = {target.named.id, target.event.id, target.named.recurring_event_id or target.named.id}
    ids = {split_event_id(each)[1] for each in mine}
    return not ids.isdisjoint({split_event_id(event.id)[1], split_event_id(event.recurring_event_id or event.id)[1]})


def _touched(event: Event, home: str, zone: str) -> Touched:
    return Touched(
        kind="event",
        id=event.id,
        title=clean(event.summary, TITLE_LENGTH),
        is_own=is_written_alone(event, home),
        day=day_of(event, zone),
    )
