"""The card of a changed event: what, when, who, where, who gets a mail, and what conflicts, before and after."""

from __future__ import annotations

from collections.abc import Mapping

from integrations.base import Field, Preview
from integrations.calendar.cards.lines import (
    TEXT_LENGTH,
    about,
    in_calendar_zone,
    marked,
    notify_words,
    outside_words,
    past_words,
    pointless,
    reminders_line,
    rhythm_now,
    scope_line,
    skipped_words,
    unseen_words,
)
from integrations.calendar.cards.new_event import NEW_MEET
from integrations.calendar.client import CalendarClient
from integrations.calendar.conflicts import Conflicts
from integrations.calendar.events.change import EventChange
from integrations.calendar.events.details import reminders_now
from integrations.calendar.events.exceptions import SeriesExceptions
from integrations.calendar.events.results import in_words
from integrations.calendar.events.target import Reach, Target, if_readable
from integrations.calendar.time_range import TimedRange, day_words, local_day
from integrations.calendar.wire import Event
from integrations.text import clean, visible

ANOTHER_MEET = "another link is made for these; the old one stays for those before"
NOT_WHOLE = "Occurrences far ahead were not checked: some may have been changed or cancelled on their own."


def changed_event_card(
    target: Target,
    change: EventChange,
    conflicts: Conflicts,
    exceptions: SeriesExceptions,
    *,
    client: CalendarClient,
    notify: str,
) -> Preview:
    """The card of a change; each changed line also shows its old value."""
    event = target.event
    others = [*(guest.email for guest in event.guests() if not guest.is_self), *exceptions.guests]
    return Preview(
        title="Change these events?" if target.reach in {Reach.FOLLOWING, Reach.SERIES} else "Change this event?",
        fields=[
            *_changed_lines(target, change),
            *_left_out(exceptions),
            *in_calendar_zone(change.named_span, conflicts.zone, target.zone),
            *_guest_lines(event, change, exceptions, client.email),
            *([Field(label="Notify", value=notify_words(notify))] if others or change.added else []),
        ],
        warnings=[
            *outside_words([*change.added, *others], client.email),
            *unseen_words(change.added, client.email, notify),
            *_exceptions_words(exceptions),
            *conflicts.found,
            *(past_words(change.named_span, client.clock.now()) if change.named_span else []),
            *(skipped_words(if_readable(lambda: change.times(target), [])) if change.span or change.rule else []),
        ],
        unchecked=[*conflicts.unchecked, *([] if exceptions.is_whole else [NOT_WHOLE])],
        basis={**target.basis(), "own_ways": exceptions.as_basis()},
        account=client.account_id,
        recipients=[*others, *change.added],  # they see it whether they get a mail or not
        about=about(target, lead="now "),  # else a list would say that it is moved to where it is
        present=_present(target, change),
        pointless=pointless(target),
    )


def _present(target: Target, change: EventChange) -> Mapping[str, str]:
    """The values that count for arguments that are left out, written as arguments."""
    event, when = target.event, change.named_span or target.span()
    start, end = when.as_arguments(target.zone)
    there = {"title": event.summary, "location": event.location, "description": event.description}
    scope = {"scope": target.reach.value} if target.named.recurring_event_id else {}
    zones = {"zone": target.zone} if isinstance(when, TimedRange) else {}
    rule = if_readable(lambda: change.rule_after(target), None) if target.reach is not Reach.THIS else None
    there |= {"recurrence": rule.as_text() if rule else ""}
    return {**{name: text for name, text in there.items() if text}, **scope, **zones, "start": start, "end": end}


def _changed_lines(target: Target, change: EventChange) -> list[Field]:
    event = target.event
    when = in_words(change.named_span, target.zone) if change.named_span else _as_the_series(target)
    lines = [
        _line("What", event.summary or "(no title)", change.title),
        _line("When", in_words(target.span(), target.zone), when),
        *_repeats(target, change),
        *scope_line(target),
    ]
    if event.location or change.location:
        lines.append(_line("Where", event.location, change.location))
    if target.gets_new_link():
        lines.append(_line("Meet", event.meet_link(), ANOTHER_MEET))
    elif change.meet:
        lines.append(Field(label="Meet", value=NEW_MEET))
    if change.description is not None:
        lines.append(_line("Description", event.description, change.description, long=True))
    return [*lines, *reminders_line(change.reminders, before=reminders_now(event.reminders))]


def _as_the_series(target: Target) -> str | None:
    """The new time of an occurrence that was moved on its own and follows its series again after a split."""
    now, planned = target.span(), target.planned()
    cut = target.reach is Reach.FOLLOWING and now.bounds() != planned.bounds()
    return in_words(planned, target.zone) if cut else None


def _repeats(target: Target, change: EventChange) -> list[Field]:
    if target.reach is Reach.THIS:
        return []
    before = rhythm_now(target)
    after = if_readable(lambda: change.rhythm(target), before)
    if before == after:
        return [Field(label="Repeats", value=before)] if before else []
    return [Field(label="Repeats", value=after, before=before)]


def _exceptions_words(exceptions: SeriesExceptions) -> list[str]:
    """What happens to occurrences that were changed on their own."""
    if not exceptions.changed:
        return []
    if exceptions.is_certain:
        return [f"Changed on their own until now, and as the series again afterwards: {exceptions.named()}"]
    return [f"Changed or cancelled on their own, and may fall back to the series: {exceptions.named()}"]


def _left_out(exceptions: SeriesExceptions) -> list[Field]:
    if not exceptions.cancelled:
        return []
    days = ", ".join(day_words(local_day(span)) for span in exceptions.cancelled)
    return [Field(label="Stay cancelled", value=days)]


def _line(label: str, before: str, after: str | None, *, long: bool = False) -> Field:
    if after is None:
        return Field(label=label, value=clean(before, TEXT_LENGTH))
    return Field(label=label, value=after, before=visible(before), long=long)


def _guest_lines(event: Event, change: EventChange, exceptions: SeriesExceptions, home: str) -> list[Field]:
    removed = {email.lower() for email in change.removed}
    staying = [guest.email for guest in event.guests() if guest.email.lower() not in removed and not guest.is_self]
    groups = [
        ("Guests added", change.added),
        ("Guests removed", change.removed),
        ("Guests", staying),
        ("Guests of single occurrences", exceptions.guests),
    ]
    return [Field(label=label, value=marked(emails, home), destination=True) for label, emails in groups if emails]
