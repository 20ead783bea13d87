"""What a write would do to others, as policy judges it: who it newly reaches, what they read, and which event it is.

Guests of an event are reached whether they get a mail or not, because the event stands in their calendars. Only the
owner's own calendar counts as private; who they share it with cannot be seen with what they granted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from integrations.calendar.events.change import EventChange
from integrations.calendar.events.details import names_of_guests
from integrations.calendar.events.exceptions import NO_EXCEPTIONS, SeriesExceptions
from integrations.calendar.events.new_event import NewEvent
from integrations.calendar.events.own_words import is_on_primary, is_own, is_written_alone, set_up_by
from integrations.calendar.events.results import TITLE_LENGTH, text_of
from integrations.calendar.events.target import Reach, Target
from integrations.calendar.wire import Event
from integrations.text import clean
from policies.characters import unescaped
from policies.provenance import Impact, Touched


def impact_of_new_event(
    new_event: NewEvent, guests: Sequence[str], *, home: str, calendar: str | None = None
) -> Impact:
    """It reaches its guests, and all who see the calendar if that is not the owner's own one; else nobody sees it.

    `guests` are as the arguments have them, some with names; `home` is the owner's address; `calendar` is the name of
    the other calendar, or its id.
    """
    reached = [*_others(new_event.guests, home), *([calendar] if calendar else [])]
    texts = (new_event.title, new_event.location, new_event.description) if reached else ()
    return replace(_impact(texts, reached, guests), calendar=calendar or "", is_alone=not reached)


def impact_of_change(
    target: Target,
    change: EventChange,
    guests: Sequence[str],
    *,
    home: str,
    exceptions: SeriesExceptions = NO_EXCEPTIONS,
) -> Impact:
    """It reaches the guests who are added; `guests` are these as the arguments have them. Of a series the guests of
    single occurrences read it, too (`exceptions`), or may, where Google does not tell all of them.

    Those who are there already are no destinations: a person who names the event means its people (R3), and they are
    told about it and nothing else. Still they read what changes, and if the event is somebody else's, who may have
    invited itself, its text reaches them. Guests who are added read all of the event, so what was written into it while
    nobody else could see it is judged now, but for what its owner put there.
    """
    event, added = target.event, _others(change.added, home)
    now = (event.summary, event.location, event.description)
    after = (change.title, change.location, change.description)
    texts = [old if new is None else new for old, new in zip(now, after, strict=True) if added or new is not None]
    apart = bool(exceptions.guests) or not exceptions.knows_guests
    is_read = bool(added) or apart or _is_seen(event, change, home)
    reached = list(dict.fromkeys([*added, *(_organizer(event, home) if texts else ())]))
    there = _others([guest.email for guest in event.guests()], home)
    now = _touched(target, home)
    touched = replace(
        now,
        is_alone=not (is_read or there),
        is_many=now.is_many or change.rule is not None,
        has_new_rhythm=change.repeats_otherwise(target),
    )
    impact = _impact(texts if is_read else (), reached, guests, objects=[touched])
    impact = replace(impact, removed=_removed(event, change, home))
    return replace(impact, set_up=set_up_by(event, home)) if added else impact


def impact_on(target: Target, *, home: str, comment: str | None = None) -> Impact:
    """It cancels or answers an event, which alone decides who is told; a comment reaches whose event it is."""
    texts = (comment,) if comment else ()
    reached = tuple(_organizer(target.event, home)) if comment else ()
    return Impact(destinations=reached, texts=texts, objects=(_touched(target, home),))


def _impact(
    texts: Sequence[str], reached: Sequence[str], guests: Sequence[str], *, objects: Sequence[Touched] = ()
) -> Impact:
    """`texts` are title, place and description. Google shows a description as HTML, which can hide addresses."""
    names = names_of_guests(guests)
    return Impact(
        destinations=tuple(reached),
        called={address: names[address] for address in reached if names.get(address)},
        texts=tuple(shown for text in texts if (shown := text_of(text))),
        links=tuple(unescaped(text) for text in texts if "<" in text or "&" in text),
        objects=tuple(objects),
    )


def _touched(target: Target, home: str) -> Touched:
    """What is written, under the id that a search showed."""
    return Touched(
        kind="event",
        id=target.named.id,
        title=clean(target.event.summary, TITLE_LENGTH),
        people=tuple(guest.email for guest in target.event.guests()),
        is_own=is_written_alone(target.event, home),
        author="".join(_organizer(target.event, home)),
        is_many=target.reach in {Reach.FOLLOWING, Reach.SERIES},
        part_of=target.named.recurring_event_id or "",
    )


def _removed(event: Event, change: EventChange, home: str) -> dict[str, str]:
    """The guests and rooms that are there no more, by the names that they have there."""
    gone = {email.lower() for email in _others(change.removed, home)}
    return {guest.email: guest.display_name for guest in event.attendees if guest.email.lower() in gone}


def _organizer(event: Event, home: str) -> Sequence[str]:
    """Whose event it is, if it is somebody else's."""
    return [] if is_own(event, home) or not event.organizer.email else [event.organizer.email]


def _is_seen(event: Event, change: EventChange, home: str) -> bool:
    """Whether somebody else sees the event after the change, as far as Google tells."""
    removed = {email.lower() for email in change.removed}
    staying = [guest.email for guest in event.guests() if guest.email.lower() not in removed]
    alone = is_own(event, home) and is_on_primary(event) and not event.attendees_omitted
    return not alone or bool(_others(staying, home))


def _others(emails: Sequence[str], home: str) -> list[str]:
    return [email for email in emails if email.lower() != home.lower()]
