"""What conflicts with an event, looked up before its card is shown; for a series, three months ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from integrations.calendar.calendars import ListedEvent, list_events
from integrations.calendar.client import CALENDARS_PER_QUERY, PAGE, CalendarClient, split_event_id
from integrations.calendar.time_range import Interval, TimeRange, day_words, overlap, span_of
from integrations.calendar.wire import Event, FreeBusy
from integrations.errors import ToolError
from integrations.text import clean
from policies.characters import quoted

LOOKED_AT = 50
NAMED = 3
TITLE_LENGTH = 80
AHEAD = timedelta(days=90)
OCCURRENCES = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflicts:
    """What a card says about conflicts, and what could not be checked. `zone` is the calendar's own."""

    found: Sequence[str] = ()
    unchecked: Sequence[str] = ()
    zone: str | None = None

    def and_also(self, other: Conflicts) -> Conflicts:
        """Both together."""
        return Conflicts(
            found=[*self.found, *other.found],
            unchecked=[*self.unchecked, *other.unchecked],
            zone=self.zone or other.zone,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedEvent:
    """The event or series that is being changed, with its times until now: it does not conflict with itself.

    `guests` are the addresses, in lower case, of guests who were invited before and have not declined.
    """

    event_id: str
    times: Sequence[TimeRange]
    guests: frozenset[str] = frozenset()

    def is_own(self, event: Event) -> bool:
        """Whether it is the event itself or one of its occurrences, on any of the person's calendars."""
        ids = {split_event_id(event.id)[1], split_event_id(event.recurring_event_id or "")[1]}
        return split_event_id(self.event_id)[1] in ids

    def times_of(self, email: str) -> Sequence[Interval]:
        """When a guest is busy with it so far."""
        return [span.bounds() for span in self.times] if email.lower() in self.guests else []


async def look_for_conflicts(
    client: CalendarClient,
    times: Sequence[TimeRange],
    guests: Sequence[str],
    *,
    zone: str,
    moved: MovedEvent | None = None,
) -> Conflicts:
    """Conflicts of the owner and of guests whose calendars they may see. Never raises: what fails is unchecked.

    `times` are all times of the event; those of the next three months are looked at. The owner's conflicts are looked
    up once, by their events, also where the owner is among the guests.
    """
    near = _near(times)
    later = [f"Conflicts were checked until {_day(near[-1])} only."] if len(near) < len(times) else []
    conflicts = (await _own_conflicts(client, near, zone=zone, moved=moved)).and_also(Conflicts(unchecked=later))
    others = [email for email in guests if email.lower() != client.email.lower()]
    if not others:
        return conflicts
    return conflicts.and_also(await _guest_conflicts(client, near, others, moved=moved))


def _near(times: Sequence[TimeRange]) -> Sequence[TimeRange]:
    end = times[0].bounds()[0] + AHEAD
    return [span for span in times[:OCCURRENCES] if span is times[0] or span.bounds()[1] <= end]


async def _own_conflicts(
    client: CalendarClient, times: Sequence[TimeRange], *, zone: str, moved: MovedEvent | None
) -> Conflicts:
    limit = LOOKED_AT if len(times) == 1 else PAGE
    try:
        start, end = times[0].bounds()[0], times[-1].bounds()[1]
        seen = await list_events(client, start, end, zone=zone, limit=limit, written=True)
    except ToolError as error:
        return Conflicts(unchecked=[f"Your own calendar could not be checked: {error.message}"])
    busy = [one for one in seen.events if one.event.takes_time() and not (moved and moved.is_own(one.event))]
    events = sorted(
        (one for one in busy if any(overlap(_bounds(one, zone), span.bounds()) for span in times)),
        key=lambda one: _bounds(one, zone),
    )
    rest = ["Your own calendar is too full to be checked to its end."] if seen.is_cut else []
    unseen = [f"These calendars could not be looked at: {', '.join(seen.unseen)}."] if seen.unseen else []
    return Conflicts(found=_named(events, times, zone), unchecked=[*rest, *unseen], zone=seen.zone)


def _bounds(seen: ListedEvent, zone: str) -> Interval:
    return span_of(seen.event.start, seen.event.end, zone).bounds()


def _what(seen: ListedEvent) -> str:
    """Its title, and its calendar where that is not the person's own."""
    title = quoted(seen.event.summary.strip() or "(no title)")
    return f"{title} (on {clean(seen.calendar, TITLE_LENGTH)})" if seen.calendar else title


def _named(events: Sequence[ListedEvent], times: Sequence[TimeRange], zone: str) -> Sequence[str]:
    found = [
        f"You already have {_what(one)}: {span_of(one.event.start, one.event.end, zone).words(zone)}"
        for one in events[:NAMED]
    ]
    more = [f"…and {len(events) - NAMED} more events of yours at that time"] if len(events) > NAMED else []
    hit = sum(any(overlap(_bounds(one, zone), span.bounds()) for one in events) for span in times)
    total = [f"You already have something at {hit} of {len(times)} times"] if hit and len(times) > 1 else []
    return [*total, *found, *more]


async def _guest_conflicts(
    client: CalendarClient, times: Sequence[TimeRange], guests: Sequence[str], *, moved: MovedEvent | None
) -> Conflicts:
    if not client.sees_others:
        return Conflicts(unchecked=[f"It was not checked whether these guests are free: {', '.join(guests)}."])
    asked, rest = guests[:CALENDARS_PER_QUERY], guests[CALENDARS_PER_QUERY:]
    try:
        answer = await client.busy(asked, times[0].bounds()[0], times[-1].bounds()[1])
    except ToolError as error:
        return Conflicts(unchecked=[f"It was not checked whether the guests are free: {error.message}"])
    seen = {email: _GuestBusy.of(answer, email, moved) for email in asked}
    hidden = [email for email in asked if any(seen[email].hides(span) for span in times)]
    return Conflicts(
        found=_busy_words({email: [span for span in times if seen[email].meets(span)] for email in asked}, times),
        unchecked=[
            *_list("Their calendar cannot be seen:", [email for email in asked if not answer.shows(email)]),
            *_list("Besides this event itself, more may lie in its time until now for", hidden),
            *_list(f"Only {CALENDARS_PER_QUERY} calendars can be checked at once, so not those of", rest),
        ],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _GuestBusy:
    """What free/busy says about one guest. It does not tell events apart, and joins those that touch."""

    own: Sequence[Interval]
    own_busy: Sequence[Interval]
    other: Sequence[Interval]

    @classmethod
    def of(cls, answer: FreeBusy, email: str, moved: MovedEvent | None) -> _GuestBusy:
        """`own` is when the changed event is on the guest's calendar, `other` what is certainly another event."""
        own: Sequence[Interval] = moved.times_of(email) if moved else []
        pairs = [(whole, [part for part in own if overlap(part, whole)]) for whole in answer.busy_times(email)]
        return cls(
            own=own,
            own_busy=[(max(whole[0], part[0]), min(whole[1], part[1])) for whole, parts in pairs for part in parts],
            other=[left for whole, parts in pairs for left in _without(whole, parts)],
        )

    def meets(self, span: TimeRange) -> bool:
        """Whether another event certainly conflicts."""
        return any(overlap(stretch, span.bounds()) for stretch in self.other)

    def hides(self, span: TimeRange) -> bool:
        """Whether the event itself may hide a conflict. At a time that it has already, nothing becomes worse."""
        if self.meets(span) or span.bounds() in self.own:
            return False
        return any(overlap(stretch, span.bounds()) for stretch in self.own_busy)


def _busy_words(taken: dict[str, Sequence[TimeRange]], times: Sequence[TimeRange]) -> Sequence[str]:
    busy = [email for email in taken if taken[email]]
    if len(times) == 1:
        return [f"Busy at that time: {', '.join(busy)}"] if busy else []
    return [
        f"{email} is busy at {len(taken[email])} of {len(times)} times: {', '.join(map(_day, taken[email][:NAMED]))}"
        + (", …" if len(taken[email]) > NAMED else "")
        for email in busy
    ]


def _without(whole: Interval, parts: Sequence[Interval]) -> Sequence[Interval]:
    """What is left of an interval once the others are taken out."""
    left = [whole]
    for start, end in parts:
        halves = [half for first, last in left for half in ((first, min(last, start)), (max(first, end), last))]
        left = [half for half in halves if half[0] < half[1]]
    return left


def _list(what: str, emails: Sequence[str]) -> Sequence[str]:
    return [f"{what} {', '.join(emails)}."] if emails else []


def _day(span: TimeRange) -> str:
    return day_words(span.bounds()[0].date())
