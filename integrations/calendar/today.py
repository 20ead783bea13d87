"""Today's meetings with what overlaps them, for the daily briefing. Implements `Agenda` of `integrations.ports`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from integrations.base import Requester
from integrations.calendar.client import Agenda
from integrations.calendar.rows import clean
from integrations.calendar.seen import Seen, look_at
from integrations.calendar.spans import Days, Span, day_words, span_of
from integrations.calendar.wire import Event
from integrations.google.client import GoogleClient
from integrations.google.scopes import EVENTS_READ
from integrations.ports import Day, Meeting

MOST = 50
TITLE_LENGTH = 120
PLACE_LENGTH = 80
_NO_MEETINGS = frozenset({"workingLocation", "birthday"})


class DayAgenda:
    """Looks at the calendars that a person shows and may write; what others let him see is not his day."""

    def __init__(self, google: GoogleClient) -> None:
        self._google = google

    async def today(self, requester: Requester) -> Day:
        """Today's events in his zone that he has not declined, in order. Raises `ToolError`."""
        calendar = Agenda(await self._google.account(requester, frozenset({EVENTS_READ})))
        place = ZoneInfo(requester.zone)
        day = calendar.clock.now().astimezone(place).date()
        start, end = (datetime.combine(day + timedelta(days=n), time(), place).astimezone(UTC) for n in (0, 1))
        found = await look_at(calendar, start, end, limit=MOST, written=True)
        seen = [one for one in found.events if _counts(one.event)]
        ordered = sorted(seen, key=lambda one: span_of(one.event.start, one.event.end, requester.zone).bounds()[0])
        cut = [f"only the first {MOST} events of each calendar were looked at"] if found.is_cut else []
        meetings = [_meeting(one, ordered, requester.zone) for one in ordered]
        return Day(meetings=meetings, unseen="; ".join([*found.unseen, *cut]))


def _counts(event: Event) -> bool:
    off = event.status == "cancelled" or event.my_status() == "declined"
    return not off and event.event_type not in _NO_MEETINGS


def _meeting(seen: Seen, day: Sequence[Seen], zone: str) -> Meeting:
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
        conflicts=[_title(other) for other in day if other is not seen and _overlap(event, other.event, zone)],
    )


def _title(seen: Seen) -> str:
    """With the calendar, where it is not his own one."""
    title = clean(seen.event.summary, TITLE_LENGTH) or "(no title)"
    return f"{title} ({clean(seen.calendar, PLACE_LENGTH)})" if seen.calendar else title


def _when(span: Span, zone: str) -> str:
    """By the clock; the day is named only where it is another one."""
    if isinstance(span, Days):
        return "all day"
    start, end = (at.astimezone(ZoneInfo(zone)) for at in (span.start, span.end))
    until = f"{end:%H:%M}" if end.date() == start.date() else f"{day_words(end.date())}, {end:%H:%M}"
    return f"{start:%H:%M}–{until}"


def _overlap(one: Event, other: Event, zone: str) -> bool:
    """Whether both take time at the same moment; whole days stand in nobody's way here."""
    spans = [span_of(event.start, event.end, zone) for event in (one, other)]
    if any(isinstance(span, Days) for span in spans) or not (one.takes_time() and other.takes_time()):
        return False
    (begins, ends), (starts, stops) = (span.bounds() for span in spans)
    return begins < stops and starts < ends
