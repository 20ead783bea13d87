"""The event after a write: patch semantics, guest lists, and the parts that are stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from playground.google.calendar.meetings import OWN, READ_ONLY
from playground.google.discovery import JsonObject
from playground.google.errors import invalid

MOST_GUESTS = 200
"""More guests need a group ("Calendar use limits" of Google Workspace Admin Help)."""

_GUEST_READ_ONLY = frozenset({"self", "organizer", "id"})


def merged(old: Mapping[str, object], change: Mapping[str, object]) -> JsonObject:
    """Objects are merged, arrays replaced, null deletes ("Working with partial resources" of the Calendar guides)."""
    result: JsonObject = dict(old)
    for name, value in change.items():
        if value is None:
            result.pop(name, None)
        elif isinstance(value, dict):
            inner = result.get(name)
            base = cast("JsonObject", inner) if isinstance(inner, dict) else {}
            result[name] = merged(base, cast("JsonObject", value))
        else:
            result[name] = value
    return result


def shared_part(body: JsonObject) -> JsonObject:
    """The fields that all copies of an event have in common."""
    return {name: value for name, value in body.items() if name not in READ_ONLY | OWN}


def own_part(body: JsonObject) -> JsonObject:
    """The fields of one copy."""
    return {name: value for name, value in body.items() if name in OWN}


def guest_list(attendees: list[JsonObject]) -> list[JsonObject]:
    """The guests as they are stored: one per address, `needsAction` without an answer; 400 for a bad address."""
    if len(attendees) > MOST_GUESTS:
        raise invalid("The maximum number of attendees has been exceeded.", reason="invalid", location="attendees")
    guests: dict[str, JsonObject] = {}
    for attendee in attendees:
        email: str = attendee.get("email") or ""
        name, at, domain = email.rpartition("@")
        if not (name and at and domain) or any(character.isspace() for character in email):
            raise invalid("Invalid attendee email.", reason="invalid")
        kept = {key: value for key, value in attendee.items() if key not in _GUEST_READ_ONLY and value is not None}
        guests.setdefault(email.lower(), {"responseStatus": "needsAction", **kept})
    return list(guests.values())


def with_answer(guests: list[JsonObject], email: str, answer: JsonObject) -> list[JsonObject]:
    """The guest list with one guest's own answer written in."""
    fields = {"responseStatus", "comment", "additionalGuests"}
    given = {name: value for name, value in answer.items() if name in fields}
    return [guest | given if guest["email"].lower() == email else guest for guest in guests]
