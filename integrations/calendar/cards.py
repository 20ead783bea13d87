"""What a card shows of an event: what, when in every zone that matters, who, where, who is told, what is in the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from integrations.base import Field, Preview
from integrations.calendar.changes import Change
from integrations.calendar.client import Agenda
from integrations.calendar.conflicts import Conflicts
from integrations.calendar.deviations import Deviations
from integrations.calendar.guests import outsiders
from integrations.calendar.occurrences import is_skipped
from integrations.calendar.proposals import Proposal, reminders_in_words, reminders_now
from integrations.calendar.repeating import lines_in_words
from integrations.calendar.rows import clean, in_words, whole
from integrations.calendar.spans import Moments, Span, day_words, local_day
from integrations.calendar.splitting import gets_new_link
from integrations.calendar.targets import Reach, Target
from integrations.calendar.wire import CalendarEntry, Event
from integrations.errors import ToolFailed

TEXT_LENGTH = 300
NEW_MEET = "a new link is made"
ANOTHER_MEET = "another link is made for these; the old one stays for those before"
NOT_WHOLE = "Whether occurrences far ahead were changed or cancelled on their own"


def new_event_card(
    proposal: Proposal,
    conflicts: Conflicts,
    *,
    agenda: Agenda,
    zone: str,
    chosen: bool,
    now: datetime,
    calendar: CalendarEntry | None = None,
) -> Preview:
    """The card of a new event. `chosen` says whether its zone was named; `calendar` is another than his own one."""
    name = clean(calendar.name, TEXT_LENGTH) if calendar else ""
    people = len(proposal.guests)
    invited = f" and invite {people} {'person' if people == 1 else 'people'}"
    kind = "repeating event" if proposal.rule else "event"
    rhythm = proposal.rhythm()
    fields = [
        Field(label="What", value=proposal.title),
        Field(label="When", value=in_words(proposal.span, zone)),
        *in_calendar_zone(proposal.span, conflicts.zone, zone),
        *([Field(label="Calendar", value=f"{name} (not your own one)")] if calendar else []),
        *([Field(label="Repeats", value=rhythm)] if rhythm else []),
        *([Field(label="Where", value=proposal.location)] if proposal.location else []),
        *([Field(label="Meet", value=NEW_MEET)] if proposal.meet else []),
        *([Field(label="Guests", value=marked(proposal.guests, agenda.email))] if people else []),
        *([Field(label="Notify", value=told(proposal.notify))] if people else []),
        *_reminders(proposal.reminders),
        *([Field(label="Description", value=proposal.description, long=True)] if proposal.description else []),
    ]
    return Preview(
        title=f"Create this {kind}{invited if people else ''}?",
        fields=fields,
        warnings=[
            *outside_words(proposal.guests, agenda.email, proposal.notify),
            *([f"Everybody who sees the calendar “{name}” sees this event."] if calendar else []),
            *conflicts.found,
            *_other_zone(proposal.span, conflicts.zone, zone, chosen=chosen),
            *_skipped(proposal.times()),
            *_past(proposal.span, now),
        ],
        unchecked=conflicts.unchecked,
        basis={"zone": zone, **({"calendar": calendar.id} if calendar else {})},
        account=agenda.account_id,
        about=named(proposal.title, proposal.span, zone),
        present={"zone": zone},
    )


def changed_event_card(
    target: Target,
    change: Change,
    conflicts: Conflicts,
    own_ways: Deviations,
    *,
    agenda: Agenda,
    zone: str,
    notify: str,
    now: datetime,
) -> Preview:
    """The card of a change, each changed line with what was there before."""
    event = target.event
    others = [guest.email for guest in event.guests() if not guest.is_self]
    return Preview(
        title="Change these events?" if target.reach in {Reach.FOLLOWING, Reach.SERIES} else "Change this event?",
        fields=[
            *_changed_lines(target, change, zone),
            *_left_out(own_ways),
            *in_calendar_zone(change.named_span, conflicts.zone, zone),
            *_guest_lines(event, change, agenda.email),
            *([Field(label="Notify", value=told(notify))] if others or change.added else []),
        ],
        warnings=[
            *outside_words(change.added, agenda.email, notify),
            *_own_ways(own_ways),
            *conflicts.found,
            *(_past(change.named_span, now) if change.named_span else []),
            *(_skipped(_times(target, change, zone)) if change.span or change.rule else []),
        ],
        unchecked=[*conflicts.unchecked, *([] if own_ways.is_whole else [NOT_WHOLE])],
        basis={**target.basis(zone), "own_ways": own_ways.as_basis()},
        account=agenda.account_id,
        recipients=[*others, *change.added] if notify == "all" else change.added,
        about=about(target, zone),
        present=_present(target, change, zone),
        pointless=pointless(target),
    )


def named(title: str, span: Span, zone: str) -> str:
    """An event in a line: what it is called, and when it is."""
    return f"“{clean(title, TEXT_LENGTH) or '(no title)'}”, {in_words(span, zone)}"


def about(target: Target, zone: str) -> str:
    """The event that was named, as it is now."""
    return named(target.event.summary, target.span(zone), zone)


def pointless(target: Target) -> Sequence[str]:
    """How much of a series is meant is no question where the event is no occurrence of one."""
    return () if target.named.recurring_event_id else ("scope",)


def _present(target: Target, change: Change, zone: str) -> Mapping[str, str]:
    """What the arguments that are left out come to, as an argument says it."""
    event, when = target.event, change.named_span or target.span(zone)
    start, end = when.as_arguments(zone)
    there = {"title": event.summary, "location": event.location, "description": event.description}
    scope = {"scope": target.reach.value} if target.named.recurring_event_id else {}
    zones = {"zone": zone} if isinstance(when, Moments) else {}
    return {**{name: text for name, text in there.items() if text}, **scope, **zones, "start": start, "end": end}


def event_lines(target: Target, zone: str) -> list[Field]:
    """What, when, how it repeats and how much of it is meant, as it is now."""
    event = target.event
    rhythm = _rhythm(target, zone)
    return [
        Field(label="What", value=clean(event.summary, TEXT_LENGTH) or "(no title)"),
        Field(label="When", value=in_words(target.span(zone), zone)),
        *([Field(label="Repeats", value=rhythm)] if rhythm else []),
        *scope_line(target),
        *([Field(label="Where", value=clean(event.location, TEXT_LENGTH))] if event.location else []),
    ]


def scope_line(target: Target) -> list[Field]:
    """How much of a repeating event is meant."""
    return [Field(label="Applies to", value=target.reach.caption)] if target.reach.caption else []


def marked(emails: Sequence[str], home: str) -> str:
    """Addresses in a row, those of other organisations marked."""
    outside = set(outsiders(emails, home))
    return ", ".join(f"{email} (outside)" if email in outside else email for email in emails)


def told(notify: str) -> str:
    """Who gets a mail of it."""
    return "Guests are told by mail" if notify == "all" else "Nobody is told"


def outside_words(guests: Sequence[str], home: str, notify: str) -> list[str]:
    """What a careful colleague says of guests from elsewhere."""
    outside = outsiders(guests, home)
    if not outside:
        return []
    said = [f"Outside {home.rpartition('@')[2]}: {', '.join(outside)}"]
    return said if notify == "all" else [*said, "Guests outside may never see the event when nobody is told."]


def in_calendar_zone(span: Span | None, calendar_zone: str | None, zone: str) -> list[Field]:
    """Where the calendar keeps another time than the person does, both are shown."""
    if not isinstance(span, Moments) or not _differs(span, calendar_zone, zone) or calendar_zone == span.zone:
        return []
    return [Field(label="In your calendar's zone", value=span.words(calendar_zone))]


def _other_zone(span: Span, calendar_zone: str | None, zone: str, *, chosen: bool) -> list[str]:
    if chosen or not isinstance(span, Moments) or not _differs(span, calendar_zone, zone):
        return []
    return [f"The time was read in {zone}, your zone in Slack. Your calendar is set to {calendar_zone}."]


def _differs(span: Moments, calendar_zone: str | None, zone: str) -> bool:
    if calendar_zone is None or calendar_zone == zone:
        return False
    return span.words(calendar_zone).replace(calendar_zone, zone) != span.words(zone)


def _changed_lines(target: Target, change: Change, zone: str) -> list[Field]:
    event = target.event
    when = in_words(change.named_span, zone) if change.named_span else _as_the_series(target, zone)
    lines = [
        _line("What", event.summary or "(no title)", change.title),
        _line("When", in_words(target.span(zone), zone), when),
        *_repeats(target, change, zone),
        *scope_line(target),
    ]
    if event.location or change.location:
        lines.append(_line("Where", event.location, change.location))
    if gets_new_link(target):
        lines.append(_line("Meet", event.meet_link(), ANOTHER_MEET))
    elif change.meet:
        lines.append(Field(label="Meet", value=NEW_MEET))
    if change.description is not None:
        lines.append(_line("Description", event.description, change.description, long=True))
    return [*lines, *_reminders(change.reminders, before=reminders_now(event.reminders))]


def _as_the_series(target: Target, zone: str) -> str | None:
    """When the named occurrence is once its series is cut, where it was moved on its own until now."""
    now, planned = target.span(zone), target.planned(zone)
    cut = target.reach is Reach.FOLLOWING and now.bounds() != planned.bounds()
    return in_words(planned, zone) if cut else None


def _repeats(target: Target, change: Change, zone: str) -> list[Field]:
    if target.reach is Reach.THIS:
        return []
    before, after = _rhythm(target, zone), _after(target, change, zone)
    if before == after:
        return [Field(label="Repeats", value=before)] if before else []
    return [Field(label="Repeats", value=after, before=before)]


def _after(target: Target, change: Change, zone: str) -> str:
    """How it repeats afterwards; a rule that is beyond us is not touched."""
    try:
        return change.rhythm(target, zone)
    except ToolFailed:
        return _rhythm(target, zone)


def _rhythm(target: Target, zone: str) -> str:
    return lines_in_words(target.event.recurrence, target.series_span(zone))


def _own_ways(own_ways: Deviations) -> list[str]:
    """What happens to occurrences that went their own ways, by name."""
    if not own_ways.changed:
        return []
    if own_ways.is_certain:
        return [f"Changed on their own until now, and as the series again afterwards: {own_ways.named()}"]
    return [f"Changed or cancelled on their own, and may fall back to the series: {own_ways.named()}"]


def _left_out(own_ways: Deviations) -> list[Field]:
    if not own_ways.cancelled:
        return []
    days = ", ".join(day_words(local_day(span)) for span in own_ways.cancelled)
    return [Field(label="Stay cancelled", value=days)]


def _line(label: str, before: str, after: str | None, *, long: bool = False) -> Field:
    if after is None:
        return Field(label=label, value=clean(before, TEXT_LENGTH))
    return Field(label=label, value=after, before=whole(before), long=long)


def _guest_lines(event: Event, change: Change, home: str) -> list[Field]:
    removed = {email.lower() for email in change.removed}
    staying = [guest.email for guest in event.guests() if guest.email.lower() not in removed and not guest.is_self]
    groups = [("Guests added", change.added), ("Guests removed", change.removed), ("Guests", staying)]
    return [Field(label=label, value=marked(emails, home)) for label, emails in groups if emails]


def _reminders(minutes: Sequence[int] | None, *, before: str | None = None) -> list[Field]:
    if minutes is None:
        return []
    return [Field(label="Your reminders", value=reminders_in_words(minutes), before=before)]


def _times(target: Target, change: Change, zone: str) -> Sequence[Span]:
    """All new times; none that could be counted by a rule that is beyond us."""
    try:
        return change.times(target, zone)
    except ToolFailed:
        return []


def _skipped(times: Sequence[Span]) -> list[str]:
    """Times of a series that are none on some days. That of a single event is asked back before."""
    days = [day_words(local_day(span)) for span in times if is_skipped(span)]
    if not days:
        return []
    more = f" and {len(days) - 1} more" if len(days) > 1 else ""
    return [f"Clocks go forward over this time on {days[0]}{more}: it is later by the clock then."]


def _past(span: Span, now: datetime) -> list[str]:
    return ["This is in the past."] if span.bounds()[1] <= now else []
