"""What else may be called as an event is: the person's other events of its time, before it is changed unasked.

A person who says “the team sync” means one of them, and a title alone does not tell which. For an event that is to
come, times that have passed are left out: nobody changes these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
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
    """The impact with the other events that may be meant by its title, the days and hours of all, and whether it is the
    next one of its series. Raises `ToolError` where not all of them could be looked at, or its own calendar is none of
    these.
    """
    now = client.clock.now()
    window = _window(target, now)
    events = await _events_in(window, client, target)
    day, begins = day_of(target.named, target.zone), _begins(target.named, target.zone)
    is_next = window[0] == now and not any(_is_before(target, event) for event in events)
    return replace(
        impact,
        objects=[replace(one, day=day, begins=begins, is_next=is_next) for one in impact.objects],
        beside=[_touched(event, client.email, target.zone) for event in events if not _is_of(target, event)],
        today=now.astimezone(ZoneInfo(target.zone)).date(),
        zone=target.zone,
    )


async def _events_in(window: Interval, client: CalendarClient, target: Target) -> Sequence[Event]:
    """All events of this time, on the calendars that are shown and that the person may write."""
    seen = await list_events(client, *window, zone=target.zone, limit=MOST_EVENTS, written=True, fields=FIELDS)
    calendar, _ = split_event_id(target.named.id)
    if seen.is_cut or seen.unseen or calendar not in {PRIMARY, *(entry.id for entry in seen.others)}:
        raise ToolFailed("rivals_unknown", "Not all of your events around that time could be looked at.")
    return [one.event for one in seen.events]


def _begins(event: Event, zone: str) -> time | None:
    """The time of the day at which it begins, in this zone; none where it takes all of the day."""
    if event.start.date:
        return None
    return span_of(event.start, event.end, zone).bounds()[0].astimezone(ZoneInfo(zone)).time()


def _is_before(target: Target, event: Event) -> bool:
    """Whether it is an occurrence of the same series that begins earlier."""
    begins = span_of(event.start, event.end, target.zone).bounds()[0]
    return _is_of(target, event) and begins < span_of(target.named.start, target.named.end, target.zone).bounds()[0]


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
