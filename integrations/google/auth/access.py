"""The parts of an account that a person may let the agent use: mail, calendar, contacts, and two read only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from integrations.google import scopes as s
from integrations.grants import Access
from integrations.text import listed

IDENTITY = frozenset({"openid", s.EMAIL})
"""Who the person is. This is asked for with every other scope."""

_MAIL = frozenset({s.MAIL_READ, s.MAIL_COMPOSE})
_CALENDAR_SEEN = frozenset({s.EVENTS_READ, s.CALENDARS, s.BUSY})
_CALENDAR = frozenset({s.EVENTS, s.CALENDARS, s.BUSY})

BOTH = Access(id="both", label="Mail and calendar", scopes=_MAIL | _CALENDAR)
CHOICES = (
    BOTH,
    Access(id="both_read", label="Mail and calendar, read only", scopes=frozenset({s.MAIL_READ}) | _CALENDAR_SEEN),
    Access(id="mail", label="Mail", scopes=_MAIL),
    Access(id="mail_read", label="Mail, read only", scopes=frozenset({s.MAIL_READ})),
    Access(id="calendar", label="Calendar", scopes=_CALENDAR),
    Access(id="calendar_read", label="Calendar, read only", scopes=_CALENDAR_SEEN),
    Access(id="contacts", label="Contacts", scopes=frozenset({s.CONTACTS, s.OTHER_CONTACTS})),
)
"""In the order in which they are offered."""

ASKED_FOR = IDENTITY.union({s.MAIL_MODIFY}, *(choice.scopes for choice in CHOICES))
"""All that people can be asked to allow; the consent screen must have it."""

_WORDS = {
    s.MAIL_READ: "reading mail",
    s.MAIL_COMPOSE: "writing drafts and sending mail",
    s.MAIL_MODIFY: "labelling and archiving mail",
    s.EVENTS_READ: "seeing events",
    s.EVENTS: "changing events",
    s.CALENDARS: "seeing which calendars there are",
    s.BUSY: "seeing when people are busy",
    s.CONTACTS: "looking up contacts",
    s.OTHER_CONTACTS: "looking up people you wrote to",
    s.DIRECTORY: "looking up people of your organisation",
}


_IN_SHORT: Mapping[str, Mapping[str, frozenset[str]]] = {
    "mail": {
        "read": frozenset({s.MAIL_READ, s.MAIL_MODIFY, s.MAIL_ALL}),
        "send": frozenset({s.MAIL_COMPOSE, s.MAIL_MODIFY, s.MAIL_ALL}),
        "archive and label": frozenset({s.MAIL_MODIFY, s.MAIL_ALL}),
    },
    "calendar": {"see": frozenset({s.EVENTS_READ, s.EVENTS}), "change": frozenset({s.EVENTS})},
    "contacts": {"": frozenset({s.CONTACTS, s.OTHER_CONTACTS})},
}


def offered(missing: frozenset[str]) -> Sequence[Access]:
    """The choices: all of them, or, when something is missing, those that bring it, the smallest first."""
    if not missing:
        return CHOICES
    enough = [choice for choice in CHOICES if not s.lacking(choice.scopes, missing)]
    if enough:
        return sorted(enough, key=lambda choice: len(choice.scopes))
    return [Access(id="asked", label=f"Allow {described(missing) or 'this'}", scopes=missing)]


def described(granted: frozenset[str]) -> str:
    """What an account allows, in words; empty where the agent can use nothing of it."""
    said = [words for scope, words in _WORDS.items() if scope in granted]
    return listed(said) if said else ""


def in_short(granted: frozenset[str]) -> str:
    """The same by part of the account: mail (read, send), calendar (see, change), contacts; empty for nothing."""
    said: list[str] = []
    for part, verbs in _IN_SHORT.items():
        allowed = [verb for verb, enough in verbs.items() if granted & enough]
        if allowed:
            named = ", ".join(verb for verb in allowed if verb)
            said.append(f"{part} ({named})" if named else part)
    return ", ".join(said)


def staying(before: frozenset[str], chosen: frozenset[str]) -> frozenset[str]:
    """The scopes of an earlier choice that stay: those of the parts that this choice is not about."""
    parts = {_part(scope) for scope in chosen}
    return frozenset(scope for scope in before - IDENTITY if _part(scope) not in parts)


def _part(scope: str) -> str:
    """The part of an account that a scope is about."""
    if scope == s.MAIL_ALL or scope.startswith(f"{s.AUTH}gmail."):
        return "mail"
    if scope in {s.CONTACTS, s.OTHER_CONTACTS, s.DIRECTORY}:
        return "contacts"
    return "calendar" if scope.startswith(f"{s.AUTH}calendar") else scope
