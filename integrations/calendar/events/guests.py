"""Who is invited: addresses checked, and changes merged into the list that is there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from integrations.calendar.wire import Attendee, Event
from integrations.errors import ModelRetry, ToolFailed
from integrations.recipients import typed_recipient

MOST = 200  # Calendar's limit for one event


def parse_guests(texts: Iterable[str]) -> list[str]:
    """Plain addresses, each once, from anything that a mail recipient may be; raises `ModelRetry` for other texts."""
    found: dict[str, str] = {}
    for text in texts:
        _, email = typed_recipient(text)
        found.setdefault(email.lower(), email)
    if len(found) > MOST:
        raise ModelRetry("too_many_guests", f"At most {MOST} people can be invited.")
    return list(found.values())


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
    if len(kept) + len(new) > MOST:
        raise ModelRetry("too_many_guests", f"At most {MOST} people can be invited.")
    return [*kept, *new]


def outsiders(emails: Iterable[str], home: str) -> list[str]:
    """The addresses in another domain than the owner's."""
    domain = home.rpartition("@")[2].lower()
    return [email for email in emails if email.rpartition("@")[2].lower() != domain]


def _whole(guest: Attendee) -> dict[str, object]:
    return guest.model_dump(by_alias=True, exclude_unset=True)
