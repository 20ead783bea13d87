"""Today's meetings with what overlaps them, for the daily briefing. Implements `Agenda` of `integrations.ports`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from integrations.base import Requester
from integrations.calendar.calendars import ListedEvent, list_events
from integrations.calendar.client import CalendarClient
from integrations.calendar.time_range import DateRange, TimeRange, day_words, overlap, span_of
from integrations.calendar.wire import Event
from integrations.google.client import GoogleClient
from integrations.google.scopes import EVENTS_READ
from integrations.items import NOT_READ, all_read
from integrations.ports import Day, Meeting
from integrations.text import clean, counted

MOST = 50
TITLE_LENGTH = 120
PLACE_LENGTH = 80
_NO_MEETINGS = frozenset({"workingLocation", "birthday"})


class DayAgenda:
    """The day of a person: their events on the calendars that they show and may write."""

    def __init__(self, google: GoogleClient) -> None:
        self._google = google

    async def today(self, requester: Requester) -> Day:
        """Today's events in the person's zone that they have not declined, in order. Raises `ToolError`."""
        calendar = CalendarClient(await self._google.account(requester, frozenset({EVENTS_READ})))
        place = ZoneInfo(requester.zone)
        day = calendar.clock.now().astimezone(place).date()
        start, end = (datetime.combine(day + timedelta(days=n), time(), place).astimezone(UTC) for n in (0, 1))
        found = await list_events(calendar, start, end, zone=requester.zone, limit=MOST, written=True)
        seen = [one for one in found.events if _counts(one.event)]
        ordered = sorted(seen, key=lambda one: span_of(one.event.start, one.event.end, requester.zone).bounds()[0])
        cut = [f"only the first {MOST} events of each calendar were looked at"] if found.is_cut else []
        meetings, lost = all_read(ordered, lambda one: _meeting(one, ordered, requester.zone))
        cut += [f"{counted(lost, 'event')} {NOT_READ}"] if lost else []
        return Day(meetings=meetings, unseen="; ".join([*found.unseen, *cut]))


def _counts(event: Event) -> bool:
    off = event.status == "cancelled" or event.my_status() == "declined"
    return not off and event.event_type not in _NO_MEETINGS


def _meeting(seen: ListedEvent, day: Sequence[ListedEvent], zone: str) -> Meeting:
    event = seen.event
    me = event.me()
    others = [guest.email for guest in event.guests() if me is None or guest.email != me.email]
    return Meeting(
        id=event.id,
        title=_title(seen),
        when=_when(span_of(event.start, event.end, zone), zone),
        where=clean(event.location, PLACE_LENGTH),
        link=event.html_link,
        people=others,
        conflicts=[_title(other) for other in day if other is not seen and _conflict(event, other.event, zone)],
    )


def _title(seen: ListedEvent) -> str:
    """The title, with the calendar's name where it is not the person's own."""
    title = clean(seen.event.summary, TITLE_LENGTH) or "(no title)"
    return f"{title} ({clean(seen.calendar, PLACE_LENGTH)})" if seen.calendar else title


def _when(span: TimeRange, zone: str) -> str:
    """The times; the end names its day only where that differs."""
    if isinstance(span, DateRange):
        return "all day"
    start, end = (at.astimezone(ZoneInfo(zone)) for at in (span.start, span.end))
    until = f"{end:%H:%M}" if end.date() == start.date() else f"{day_words(end.date())}, {end:%H:%M}"
    return f"{start:%H:%M}–{until}"


def _conflict(one: Event, other: Event, zone: str) -> bool:
    """Whether both take time at the same moment. All-day events do not count here."""
    spans = [span_of(event.start, event.end, zone) for event in (one, other)]
    if any(isinstance(span, DateRange) for span in spans) or not (one.takes_time() and other.takes_time()):
        return False
    return overlap(spans[0].bounds(), spans[1].bounds())
