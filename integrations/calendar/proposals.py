"""A new event as it will be created."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from integrations.calendar.meet import conference_for
from integrations.calendar.occurrences import occurrences
from integrations.calendar.repeating import in_words
from integrations.calendar.rules import Rule
from integrations.calendar.spans import Span
from integrations.calendar.wire import Reminders

COUNTED = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Everything that is sent. `notify` is Google's `sendUpdates`, `reminders` are minutes before, None the usual."""

    title: str
    span: Span
    guests: Sequence[str]
    location: str
    description: str
    notify: str
    rule: Rule | None = None
    meet: bool = False
    reminders: Sequence[int] | None = None

    def times(self) -> Sequence[Span]:
        """When it takes place, as far as that can be counted."""
        return occurrences(self.rule, self.span, most=COUNTED) if self.rule else [self.span]

    def rhythm(self) -> str | None:
        """How it repeats, in words."""
        return in_words(self.rule, self.span) if self.rule else None

    def as_google(self, key: str) -> dict[str, object]:
        """The body of events.insert; `key` is the action's."""
        start, end = ({k: v for k, v in edge.items() if v is not None} for edge in self.span.as_google())
        body: dict[str, object] = {"summary": self.title, "start": start, "end": end}
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


def reminders_as_google(minutes: Sequence[int]) -> dict[str, object]:
    """The owner's own reminders; an empty list means none at all."""
    once = dict.fromkeys(minutes)
    return {"useDefault": False, "overrides": [{"method": "popup", "minutes": number} for number in once]}


def reminders_in_words(minutes: Sequence[int]) -> str:
    """ "10 minutes and 1 day before"."""
    if not minutes:
        return "none"
    return " and ".join(map(_ahead, sorted(set(minutes)))) + " before"


def reminders_now(reminders: Reminders) -> str:
    """The reminders that an event has, in the same words; by mail where they are."""
    if reminders.use_default:
        return "your calendar's usual ones"
    mails = sorted(entry.minutes for entry in reminders.overrides if entry.method == "email")
    others = sorted(entry.minutes for entry in reminders.overrides if entry.method != "email")
    both = [reminders_in_words(others)] if others or not mails else []
    return "; ".join([*both, *([f"{reminders_in_words(mails)} by mail"] if mails else [])])


def _ahead(minutes: int) -> str:
    for unit, length in (("week", 10_080), ("day", 1_440), ("hour", 60)):
        if minutes and minutes % length == 0:
            return f"{minutes // length} {unit}{'s' if minutes > length else ''}"
    return f"{minutes} minute{'' if minutes == 1 else 's'}"
