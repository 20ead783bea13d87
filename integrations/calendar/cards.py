"""What a card shows of an event: what, when in every zone that matters, who, where, who is told, what is in the way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from integrations.base import Field, Preview
from integrations.calendar.changes import Change, basis_of
from integrations.calendar.client import Agenda
from integrations.calendar.conflicts import Conflicts
from integrations.calendar.guests import outsiders
from integrations.calendar.proposals import Proposal
from integrations.calendar.rows import clean, in_words
from integrations.calendar.spans import Moments, Span, span_of
from integrations.calendar.wire import Event

TEXT_LENGTH = 300


def new_event_card(proposal: Proposal, conflicts: Conflicts, *, agenda: Agenda, zone: str, now: datetime) -> Preview:
    """The card of a new event."""
    people = len(proposal.guests)
    invited = f" and invite {people} {'person' if people == 1 else 'people'}"
    fields = [
        Field(label="What", value=proposal.title),
        Field(label="When", value=in_words(proposal.span, zone)),
        *_in_calendar_zone(proposal.span, conflicts.zone, zone),
        *([Field(label="Where", value=proposal.location)] if proposal.location else []),
        *([Field(label="Guests", value=", ".join(proposal.guests))] if people else []),
        *([Field(label="Notify", value=_told(proposal.notify))] if people else []),
        *([Field(label="Description", value=proposal.description, long=True)] if proposal.description else []),
    ]
    return Preview(
        title=f"Create this event{invited if people else ''}?",
        fields=fields,
        warnings=[
            *_outside(proposal.guests, agenda.email, proposal.notify),
            *conflicts.found,
            *_past(proposal.span, now),
        ],
        unchecked=conflicts.unchecked,
        account=agenda.account_id,
    )


def changed_event_card(
    event: Event, change: Change, conflicts: Conflicts, *, agenda: Agenda, zone: str, notify: str, now: datetime
) -> Preview:
    """The card of a change, each changed line with what was there before."""
    others = [guest.email for guest in event.guests() if not guest.is_self]
    single = ["Only this occurrence of the repeating event is changed."] if event.recurring_event_id else []
    return Preview(
        title="Change this event?",
        fields=[
            *_changed_lines(event, change, zone),
            *_in_calendar_zone(change.span, conflicts.zone, zone),
            *_guest_lines(event, change),
            *([Field(label="Notify", value=_told(notify))] if others or change.added else []),
        ],
        warnings=[
            *_outside(change.added, agenda.email, notify),
            *single,
            *conflicts.found,
            *(_past(change.span, now) if change.span else []),
        ],
        unchecked=conflicts.unchecked,
        basis=basis_of(event),
        account=agenda.account_id,
        recipients=[*others, *change.added] if notify == "all" else change.added,
    )


def _changed_lines(event: Event, change: Change, zone: str) -> list[Field]:
    before = span_of(event.start, event.end, zone)
    lines = [
        _line("What", event.summary or "(no title)", change.title),
        _line("When", in_words(before, zone), in_words(change.span, zone) if change.span else None),
    ]
    if event.location or change.location:
        lines.append(_line("Where", event.location or "(nowhere)", _or_nothing(change.location)))
    if change.description is not None:
        lines.append(_line("Description", event.description or "(none)", _or_nothing(change.description), long=True))
    return lines


def _line(label: str, before: str, after: str | None, *, long: bool = False) -> Field:
    if after is None:
        return Field(label=label, value=clean(before, TEXT_LENGTH))
    return Field(label=label, value=after, before=clean(before, TEXT_LENGTH), long=long)


def _or_nothing(text: str | None) -> str | None:
    return "(nothing)" if text == "" else text


def _guest_lines(event: Event, change: Change) -> list[Field]:
    removed = {email.lower() for email in change.removed}
    staying = [guest.email for guest in event.guests() if guest.email.lower() not in removed and not guest.is_self]
    groups = [("Guests added", change.added), ("Guests removed", change.removed), ("Guests", staying)]
    return [Field(label=label, value=", ".join(emails)) for label, emails in groups if emails]


def _in_calendar_zone(span: Span | None, calendar_zone: str | None, zone: str) -> list[Field]:
    """Where the calendar keeps another time than the person does, both are shown."""
    if not isinstance(span, Moments) or calendar_zone in {None, zone, span.zone}:
        return []
    words = span.words(calendar_zone)
    same = words.replace(str(calendar_zone), zone) == span.words(zone)
    return [] if same else [Field(label="In your calendar's zone", value=words)]


def _told(notify: str) -> str:
    return "Guests are told by mail" if notify == "all" else "Nobody is told"


def _outside(guests: Sequence[str], home: str, notify: str) -> list[str]:
    outside = outsiders(guests, home)
    if not outside:
        return []
    said = [f"Outside {home.rpartition('@')[2]}: {', '.join(outside)}"]
    return said if notify == "all" else [*said, "Guests outside may never see the event when nobody is told."]


def _past(span: Span, now: datetime) -> list[str]:
    return ["This is in the past."] if span.bounds()[1] <= now else []
