"""The card of a new event."""

from __future__ import annotations

from integrations.base import Field, Preview
from integrations.calendar.cards.lines import (
    TEXT_LENGTH,
    differs,
    in_calendar_zone,
    marked,
    named,
    notify_words,
    outside_words,
    past_words,
    reminders_line,
    skipped_words,
    unseen_words,
)
from integrations.calendar.client import CalendarClient
from integrations.calendar.conflicts import Conflicts
from integrations.calendar.events.new_event import NewEvent
from integrations.calendar.events.results import in_words
from integrations.calendar.time_range import TimedRange, TimeRange
from integrations.calendar.wire import CalendarEntry
from integrations.text import clean
from policies.characters import quoted

NEW_MEET = "a new link is made"


def new_event_card(
    new_event: NewEvent,
    conflicts: Conflicts,
    *,
    client: CalendarClient,
    zone: str,
    chosen: bool,
    calendar: CalendarEntry | None = None,
) -> Preview:
    """The card of a new event. `chosen` says whether its zone was named; `calendar` is any but the person's own."""
    name = clean(calendar.name, TEXT_LENGTH) if calendar else ""
    people = len(new_event.guests)
    invited = f" and invite {people} {'person' if people == 1 else 'people'}"
    kind = "repeating event" if new_event.rule else "event"
    rhythm = new_event.rhythm()
    fields = [
        Field(label="What", value=new_event.title),
        Field(label="When", value=in_words(new_event.span, zone)),
        *in_calendar_zone(new_event.span, conflicts.zone, zone),
        *([Field(label="Calendar", value=f"{name} (not your own one)", destination=True)] if calendar else []),
        *([Field(label="Repeats", value=rhythm)] if rhythm else []),
        *([Field(label="Where", value=new_event.location)] if new_event.location else []),
        *([Field(label="Meet", value=NEW_MEET)] if new_event.meet else []),
        *([Field(label="Guests", value=marked(new_event.guests, client.email), destination=True)] if people else []),
        *([Field(label="Notify", value=notify_words(new_event.notify))] if people else []),
        *reminders_line(new_event.reminders),
        *([Field(label="Description", value=new_event.description, long=True)] if new_event.description else []),
    ]
    return Preview(
        title=f"Create this {kind}{invited if people else ''}?",
        fields=fields,
        warnings=[
            *outside_words(new_event.guests, client.email),
            *unseen_words(new_event.guests, client.email, new_event.notify),
            *([f"Everybody who sees the calendar {quoted(name)} sees this event."] if calendar else []),
            *conflicts.found,
            *_other_zone(new_event.span, conflicts.zone, zone, chosen=chosen),
            *skipped_words(new_event.times()),
            *past_words(new_event.span, client.clock.now()),
        ],
        unchecked=conflicts.unchecked,
        basis={"zone": zone, **({"calendar": calendar.id} if calendar else {})},
        account=client.account_id,
        about=named(new_event.title, new_event.span, zone),
        present={"zone": zone},
    )


def _other_zone(span: TimeRange, calendar_zone: str | None, zone: str, *, chosen: bool) -> list[str]:
    if chosen or not isinstance(span, TimedRange) or not differs(span, calendar_zone, zone):
        return []
    return [f"The time was read in {zone}, your zone in Slack. Your calendar is set to {calendar_zone}."]
