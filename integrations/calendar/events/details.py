"""What an event has besides its time: guests, the owner's reminders and a Meet link, as Google takes them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from integrations.addresses import typed_recipient
from integrations.calendar.wire import Attendee, Event, EventReminders
from integrations.errors import ModelRetry, ToolFailed

MOST_GUESTS = 200  # Calendar's limit for one event


def parse_guests(texts: Iterable[str]) -> list[str]:
    """Plain addresses, each once, from anything that a mail recipient may be; raises `ModelRetry` for other texts."""
    found = list(names_of_guests(texts))
    if len(found) > MOST_GUESTS:
        raise ModelRetry("too_many_guests", f"At most {MOST_GUESTS} people can be invited.")
    return found


def names_of_guests(texts: Iterable[str]) -> Mapping[str, str]:
    """The same addresses, each with the name that was given first; "" without one."""
    found: dict[str, tuple[str, str]] = {}
    for text in texts:
        name, email = typed_recipient(text)
        earlier = found.setdefault(email.lower(), (email, name))
        found[email.lower()] = (earlier[0], earlier[1] or name)
    return dict(found.values())


def merged(event: Event, *, add: Sequence[str], remove: Sequence[str]) -> list[dict[str, object]] | None:
    """The whole list after a change, with everybody's answer; None when nothing changes.

    A PATCH replaces the list, so it is refused when Google did not show all of it. Raises `ModelRetry` for the removal
    of a person who is not invited.
    """
    if not add and not remove:
        return None
    whole = everybody(event, add=add, remove=remove)
    return whole if remove or len(whole) > len(event.attendees) else None


def everybody(event: Event, *, add: Sequence[str], remove: Sequence[str]) -> list[dict[str, object]]:
    """The same, also when nothing changes."""
    if event.attendees_omitted:
        raise ToolFailed("guests_hidden", "Google does not show all guests of this event, so they cannot be changed.")
    gone = {email.lower() for email in remove}
    there = {guest.email.lower() for guest in event.attendees}
    if gone - there:
        message = f"Not invited, so not removed: {', '.join(sorted(gone - there))}."
        raise ModelRetry("guest_not_found", message, hint="calendar_search shows the guests.")
    kept = [_whole(guest) for guest in event.attendees if guest.email.lower() not in gone]
    new: list[dict[str, object]] = [{"email": email} for email in add if email.lower() not in there]
    if len(kept) + len(new) > MOST_GUESTS:
        raise ModelRetry("too_many_guests", f"At most {MOST_GUESTS} people can be invited.")
    return [*kept, *new]


def _whole(guest: Attendee) -> dict[str, object]:
    return guest.model_dump(by_alias=True, exclude_unset=True)


def reminders_as_google(minutes: Sequence[int]) -> dict[str, object]:
    """The owner's own reminders; an empty list means none at all."""
    once = dict.fromkeys(minutes)
    return {"useDefault": False, "overrides": [{"method": "popup", "minutes": number} for number in once]}


def reminders_in_words(minutes: Sequence[int]) -> str:
    """ "10 minutes and 1 day before"."""
    if not minutes:
        return "none"
    return " and ".join(map(_ahead, sorted(set(minutes)))) + " before"


def reminders_now(reminders: EventReminders) -> str:
    """The reminders that an event has, in the same words."""
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


def conference_for(key: str) -> dict[str, object]:
    """The request for a Meet link: the same in every attempt of one action (Calendar API, "Create events")."""
    request_id = hashlib.sha256(f"meet:{key}".encode()).hexdigest()[:32]
    return {"createRequest": {"requestId": request_id, "conferenceSolutionKey": {"type": "hangoutsMeet"}}}
