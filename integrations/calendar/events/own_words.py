"""Which texts and links of an event its owner chose, as far as what Google says of it proves that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from integrations.base import ObjectRef
from integrations.calendar.client import PRIMARY, split_event_id
from integrations.calendar.events.results import TITLE_LENGTH, text_of
from integrations.calendar.wire import Event
from integrations.text import clean
from policies.characters import unescaped
from policies.event_ids import is_id_of_ours

BY_OTHERS = "countersign_by_others"
"""The private property of the rest of a series that others wrote: Google names the one who split it as its creator."""

_MEET = re.compile(r"https://meet\.google\.com/[a-z]{3}-[a-z]{4}-[a-z]{3}")
_AT_ONCE = timedelta(seconds=5)
"""So long after an event was made Google may still write into it: it is not changed until then."""


def is_own(event: Event, home: str) -> bool:
    """Whether its owner organizes it. On a shared calendar `self` is the calendar, which many may write."""
    organizer = event.organizer
    return organizer.email.lower() == home.lower() or (organizer.is_self and is_on_primary(event))


def is_written_alone(event: Event, home: str) -> bool:
    """Whether nobody but its owner can have chosen its title and its people: guests may not change it, and nobody
    created it in their name. That guests may bring others is not asked.
    """
    creator = event.creator
    is_created = creator.is_self or creator.email.lower() in {"", home.lower(), event.organizer.email.lower()}
    is_split_off = BY_OTHERS in event.extended_properties.private
    return is_own(event, home) and is_created and not (event.guests_can_modify or is_split_off)


def event_object(event: Event, home: str) -> ObjectRef:
    """What policy keeps of an event that the model saw, in the calendar of this address."""
    people = [guest.email for guest in event.guests()] or [event.organizer.email]
    title = clean(event.summary, TITLE_LENGTH) or "(no title)"
    taking_part = tuple(person for person in people if person)[:20]
    return ObjectRef(kind="event", id=event.id, title=title, people=taking_part, is_own=is_written_alone(event, home))


def is_on_primary(event: Event) -> bool:
    """Whether it stands in its owner's own calendar."""
    return split_event_id(event.id)[0] == PRIMARY


def set_up_by(event: Event, home: str) -> Sequence[str]:
    """What its owner, or Google for them, put there for others: the link of a Meet conference, and its texts if it is
    as they made it.
    """
    if not is_written_alone(event, home):
        return ()
    texts = (event.location, event.description) if _is_as_made(event, home) else ()
    forms = (form for text in texts if text for form in (text_of(text), unescaped(text)))
    return (*_of_google(event), *forms)


def _of_google(event: Event) -> Sequence[str]:
    """The link that Google made for a conference of its own."""
    conference = event.conference_data
    solution = conference.conference_solution if conference else None
    is_google = solution is not None and solution.key.type == "hangoutsMeet"
    return [link] if is_google and _MEET.fullmatch(link := event.meet_link()) else []


def _is_as_made(event: Event, home: str) -> bool:
    """Whether its owner made it in their calendar, for themselves, and neither they nor anybody else, nor the agent,
    changed it since. What was imported has an id from elsewhere, and what was booked has a guest.
    """
    plain = event.recurring_event_id or event.id
    is_native = event.i_cal_uid == f"{plain}@google.com" and event.event_type == "default" and not is_id_of_ours(plain)
    by_owner = event.creator.is_self or event.creator.email.lower() == home.lower()
    is_alone = not event.attendees_omitted and all(each.email.lower() == home.lower() for each in event.guests())
    return is_native and by_owner and is_alone and is_on_primary(event) and _is_unchanged(event)


def _is_unchanged(event: Event) -> bool:
    try:
        made, changed = (datetime.fromisoformat(at) for at in (event.created, event.updated))
        return changed - made <= _AT_ONCE
    except (ValueError, TypeError):
        return False
