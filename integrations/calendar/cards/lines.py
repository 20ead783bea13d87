"""The lines that the cards of events share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from integrations.base import Field
from integrations.calendar.events.details import reminders_in_words
from integrations.calendar.events.results import in_words
from integrations.calendar.events.target import Target
from integrations.calendar.recurrence.series import is_skipped
from integrations.calendar.recurrence.words import lines_in_words
from integrations.calendar.time_range import TimedRange, TimeRange, day_words, local_day
from integrations.organisations import outside_of, outsiders
from integrations.text import clean, itemized
from policies.characters import quoted

TEXT_LENGTH = 300


def named(title: str, span: TimeRange, zone: str, *, lead: str = "") -> str:
    """An event in one line: its title, and behind the `lead` its time."""
    return f"{quoted(title.strip() or '(no title)')}, {lead}{in_words(span, zone)}"


def about(target: Target, *, lead: str = "") -> str:
    """The named event as it is now, in one line."""
    return named(target.event.summary, target.span(), target.zone, lead=lead)


def pointless(target: Target) -> Sequence[str]:
    """`scope` means nothing for an event that is not part of a series."""
    return () if target.named.recurring_event_id else ("scope",)


def present(target: Target) -> Mapping[str, str]:
    """The value of `scope` where it is left out and the event is part of a series."""
    return {} if pointless(target) else {"scope": target.reach.value}


def event_lines(target: Target) -> list[Field]:
    """Title, time, recurrence, scope and place as they are now."""
    event = target.event
    rhythm = rhythm_now(target)
    return [
        Field(label="What", value=clean(event.summary, TEXT_LENGTH) or "(no title)"),
        Field(label="When", value=in_words(target.span(), target.zone)),
        *([Field(label="Repeats", value=rhythm)] if rhythm else []),
        *scope_line(target),
        *([Field(label="Where", value=clean(event.location, TEXT_LENGTH))] if event.location else []),
    ]


def scope_line(target: Target) -> list[Field]:
    """How much of a repeating event the action is about."""
    return [Field(label="Applies to", value=target.reach.caption)] if target.reach.caption else []


def marked(emails: Sequence[str], home: str) -> str:
    """Each address on a line; those of other organisations are marked."""
    outside = set(outsiders(emails, home))
    return "\n".join(f"{email} (outside)" if email in outside else email for email in emails)


def organizer_line(target: Target, home: str) -> list[Field]:
    """Whose event it is, and who an answer to it goes to, marked as guests are."""
    organizer = target.event.organizer.email
    return [Field(label="Organizer", value=marked([organizer], home), destination=True)] if organizer else []


def readers_of_answers(target: Target) -> list[str]:
    """Those who see what somebody answers, whether they get a mail or not: the organizer, and the other guests that
    the event shows.
    """
    others = [target.event.organizer.email, *(guest.email for guest in target.event.guests() if not guest.is_self)]
    return list({email.lower(): email for email in others if email}.values())


def notify_words(notify: str) -> str:
    """Who gets a mail about it."""
    return "Guests are told by mail" if notify == "all" else "Nobody is told"


def outside_words(guests: Sequence[str], home: str) -> list[str]:
    """A warning about guests from other organisations: about all whom a card is about, whatever it does."""
    outside = outsiders(guests, home)
    return [itemized(outside_of(home), outside)] if outside else []


def unseen_words(invited: Sequence[str], home: str, notify: str) -> list[str]:
    """A warning where some of those who are invited may never hear of it."""
    unseen = notify != "all" and outsiders(invited, home)
    return ["Guests outside may never see the event when nobody is told."] if unseen else []


def in_calendar_zone(span: TimeRange | None, calendar_zone: str | None, zone: str) -> list[Field]:
    """The time in the calendar's zone, where the person's zone shows another one."""
    if not isinstance(span, TimedRange) or not differs(span, calendar_zone, zone) or calendar_zone == span.zone:
        return []
    return [Field(label="In your calendar's zone", value=span.words(calendar_zone))]


def differs(span: TimedRange, calendar_zone: str | None, zone: str) -> bool:
    """Whether the clock of the calendar's zone shows another time."""
    if calendar_zone is None or calendar_zone == zone:
        return False
    return span.words(calendar_zone).replace(calendar_zone, zone) != span.words(zone)


def reminders_line(minutes: Sequence[int] | None, *, before: str | None = None) -> list[Field]:
    """The owner's reminders, where they are given."""
    if minutes is None:
        return []
    return [Field(label="Your reminders", value=reminders_in_words(minutes), before=before)]


def skipped_words(times: Sequence[TimeRange]) -> list[str]:
    """A warning about days on which clocks skip the time. For a single event the tool asks for another time instead."""
    days = [day_words(local_day(span)) for span in times if is_skipped(span)]
    if not days:
        return []
    more = f" and {len(days) - 1} more" if len(days) > 1 else ""
    return [f"Clocks go forward over this time on {days[0]}{more}: it is later by the clock then."]


def past_words(span: TimeRange, now: datetime) -> list[str]:
    """A warning where the time is in the past."""
    return ["This is in the past."] if span.bounds()[1] <= now else []


def rhythm_now(target: Target) -> str:
    """How an event repeats now, in words; "" when it does not."""
    return lines_in_words(target.event.recurrence, target.series_span())
