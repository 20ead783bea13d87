"""A new event as it will be created."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from integrations.calendar.arguments import CreateArgs
from integrations.calendar.events.details import conference_for, parse_guests, reminders_as_google
from integrations.calendar.recurrence.rule import RecurrenceRule
from integrations.calendar.recurrence.series import occurrences, rule_for
from integrations.calendar.recurrence.words import in_words
from integrations.calendar.time_range import TimeRange, checked_zone, new_times, span_between
from integrations.errors import ModelRetry

COUNTED = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """What is sent. `notify` is Google's `sendUpdates`; `reminders` are minutes before, None for the usual ones."""

    title: str
    span: TimeRange
    guests: Sequence[str]
    location: str
    description: str
    notify: str
    rule: RecurrenceRule | None = None
    meet: bool = False
    reminders: Sequence[int] | None = None

    @classmethod
    def from_arguments(cls, args: CreateArgs, zone: str) -> NewEvent:
        """What the arguments ask for. `zone` is the person's. Raises `ModelRetry`."""
        if not args.title.strip():
            raise ModelRetry("empty_title", "The event needs a title.", private=False)
        span = span_between(args.start, args.end, checked_zone(args.zone, zone))
        return cls(
            title=args.title.strip(),
            span=span,
            guests=parse_guests(args.attendees),
            location=args.location or "",
            description=args.description or "",
            notify=args.notify,
            rule=rule_for(args.recurrence, span) if args.recurrence else None,
            meet=args.meet,
            reminders=args.reminders,
        )

    def times(self) -> Sequence[TimeRange]:
        """When it takes place, as far as it can be counted."""
        return occurrences(self.rule, self.span, most=COUNTED) if self.rule else [self.span]

    def rhythm(self) -> str | None:
        """How it repeats, in words."""
        return in_words(self.rule, self.span) if self.rule else None

    def as_google(self, key: str) -> dict[str, object]:
        """The body of events.insert; `key` is the action's."""
        body: dict[str, object] = {"summary": self.title, **new_times(self.span)}
        texts = {"location": self.location, "description": self.description}
        body |= {name: text for name, text in texts.items() if text}
        if self.guests:
            body["attendees"] = [{"email": email} for email in self.guests]
        if self.rule:
            body["recurrence"] = [self.rule.as_text()]
        if self.meet:
            body["conferenceData"] = conference_for(key)
        if self.reminders is not None:
            body["reminders"] = reminders_as_google(self.reminders)
        return body
