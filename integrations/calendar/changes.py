"""A change of an event: what is sent, what it looks like before and after, and whether it has happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import ValidationError

from integrations.calendar.arguments import UpdateArgs
from integrations.calendar.guests import merged, parse_guests
from integrations.calendar.spans import Days, Moments, Span, checked_zone, span_of
from integrations.calendar.times import HINT, joined, parse_time
from integrations.calendar.wire import Event, EventTime
from integrations.errors import ModelRetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The new values; None where something stays as it is."""

    title: str | None
    span: Span | None
    location: str | None
    description: str | None
    added: Sequence[str]
    removed: Sequence[str]

    @classmethod
    def asked(cls, args: UpdateArgs, *, start: EventTime, end: EventTime, zone: str) -> Change:
        """What the arguments ask of an event that is at this time now. `zone` is the person's. Raises `ModelRetry`."""
        if args.title is not None and not args.title.strip():
            raise ModelRetry("empty_title", "The event needs a title.", private=False)
        return cls(
            title=args.title.strip() if args.title else None,
            span=_new_span(args, span_of(start, end, zone), checked_zone(args.zone, zone)),
            location=args.location,
            description=args.description,
            added=parse_guests(args.add_attendees),
            removed=parse_guests(args.remove_attendees),
        )

    def without_the_same(self, event: Event, zone: str) -> Change:
        """Only what really differs from the event; raises `ModelRetry` when nothing does."""
        there = {guest.email.lower() for guest in event.attendees}
        now = span_of(event.start, event.end, zone)
        change = Change(
            title=_differing(self.title, event.summary),
            span=None if self.span is None or _same(self.span, now) else self.span,
            location=_differing(self.location, event.location),
            description=_differing(self.description, event.description),
            added=[email for email in self.added if email.lower() not in there],
            removed=self.removed,
        )
        if change == Change(title=None, span=None, location=None, description=None, added=[], removed=[]):
            raise ModelRetry("nothing_to_change", "The event is already as you want it.")
        return change

    def as_patch(self, event: Event) -> dict[str, object]:
        """The body of events.patch; the guests whole, because a PATCH replaces the list."""
        texts = {"summary": self.title, "location": self.location, "description": self.description}
        body: dict[str, object] = {key: text for key, text in texts.items() if text is not None}
        if self.span is not None:
            body["start"], body["end"] = self.span.as_google()
        guests = merged(event, add=self.added, remove=self.removed)
        return body if guests is None else body | {"attendees": guests}

    def holds(self, event: Event, zone: str) -> bool:
        """Whether the event is as this change wants it."""
        there = {guest.email.lower() for guest in event.attendees}
        pairs = [(self.title, event.summary), (self.location, event.location), (self.description, event.description)]
        return (
            event.status != "cancelled"
            and all(_differing(wanted, now) is None for wanted, now in pairs)
            and (self.span is None or _same(self.span, span_of(event.start, event.end, zone)))
            and there.issuperset(email.lower() for email in self.added)
            and there.isdisjoint(email.lower() for email in self.removed)
        )


def basis_of(event: Event) -> Mapping[str, object]:
    """What a change is made from: the version, and the time from which a move is reckoned."""
    return {
        "etag": event.etag,
        "start": event.start.model_dump(by_alias=True, exclude_none=True),
        "end": event.end.model_dump(by_alias=True, exclude_none=True),
    }


def times_of(basis: Mapping[str, object]) -> tuple[EventTime, EventTime] | None:
    """The time that a basis holds; None when it holds none."""
    try:
        return EventTime.model_validate(basis.get("start")), EventTime.model_validate(basis.get("end"))
    except ValidationError:
        return None


def _new_span(args: UpdateArgs, now: Span, zone: str) -> Span | None:
    if args.start is None and args.end is None:
        return None
    first = parse_time(args.start, zone) if args.start is not None else now.start
    if args.end is not None:
        return joined(first, parse_time(args.end, zone), zone)
    if isinstance(now, Moments) and isinstance(first, datetime):
        return now.moved_to(first, zone)
    if isinstance(now, Days) and not isinstance(first, datetime):
        return now.moved_to(first, zone)
    message = "To turn an all-day event into a timed one, or back, give both `start` and `end`."
    raise ModelRetry("end_missing", message, hint=HINT)


def _same(one: Span, other: Span) -> bool:
    return type(one) is type(other) and (
        (one.start, one.end) == (other.start, other.end) if isinstance(one, Days) else one.bounds() == other.bounds()
    )


def _differing(wanted: str | None, now: str) -> str | None:
    return None if wanted is None or wanted.strip() == now.strip() else wanted
