"""Which messages a query finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from playground.google.gmail.letters import Letter, filename_of
from playground.google.gmail.mailbox import SPAM, TRASH, Mailbox, Stored
from playground.google.gmail.query import Every, Query, Some, Term, Without, read_query, terms
from playground.google.matching import contains

PACIFIC = ZoneInfo("America/Los_Angeles")
"""Dates in a query are midnight in this zone ("Search for messages" of the Gmail guides)."""

_UNITS = {"h": 1 / 24, "d": 1.0, "m": 30.0, "y": 365.0}
_SIZES = {"": 1, "k": 1024, "m": 1024 * 1024}
_PLACES = {"inbox": "INBOX", "sent": "SENT", "draft": "DRAFT", "drafts": "DRAFT", "trash": TRASH, "spam": SPAM}
_STATES = {"unread": "UNREAD", "starred": "STARRED", "important": "IMPORTANT"}
_PEOPLE = frozenset({"from", "to", "cc", "bcc", "deliveredto"})
_EVERYWHERE = frozenset({"anywhere", "trash", "spam"})


class Search:
    """A parsed query over one mailbox at one moment."""

    def __init__(self, text: str, mailbox: Mailbox, now: datetime) -> None:
        self._query = read_query(text)
        self._mailbox = mailbox
        self._now = now

    def found(self, *, labels: frozenset[str] = frozenset(), spam_and_trash: bool = False) -> list[Stored]:
        """The messages found, newest first; spam and trash only if requested."""
        hidden = frozenset[str]() if spam_and_trash or self._asks_for_hidden(labels) else frozenset({SPAM, TRASH})
        return [
            stored
            for stored in self._mailbox.newest_first()
            if labels <= stored.labels and not hidden & stored.labels and self._holds(self._query, stored)
        ]

    def _asks_for_hidden(self, labels: frozenset[str]) -> bool:
        return bool(labels & {SPAM, TRASH}) or any(
            term.field in {"in", "label"} and term.value.lower() in _EVERYWHERE for term in terms(self._query)
        )

    def _holds(self, query: Query, stored: Stored) -> bool:
        match query:
            case Every(parts):
                return all(self._holds(part, stored) for part in parts)
            case Some(parts):
                return any(self._holds(part, stored) for part in parts)
            case Without(part):
                return not self._holds(part, stored)
            case Term(field, value):
                return self._term(field, value, stored)

    def _term(self, field: str, value: str, stored: Stored) -> bool:
        if field in _PEOPLE and value.lower() == "me":
            value = self._mailbox.person.email
        if field in _IN_TEXT:
            return contains(_IN_TEXT[field](stored.letter), value)
        if field in {"after", "newer", "before", "older", "newer_than", "older_than"}:
            return self._in_time(field, value, stored)
        if field in {"in", "is", "label", "category"}:
            return self._labelled(field, value.lower(), stored)
        return _property(field, value, stored.letter)

    def _labelled(self, field: str, value: str, stored: Stored) -> bool:
        match field, value:
            case "in", "anywhere":
                return True
            case "is", "read":
                return "UNREAD" not in stored.labels
            case "is", _:
                return _STATES.get(value, value.upper()) in stored.labels
            case "category", _:
                return f"CATEGORY_{value.upper()}" in stored.labels
            case _:
                names = {_label_name(name): label for label, name in self._mailbox.own_labels.items()}
                fallback = _PLACES.get(value, _STATES.get(value, value.upper()))
                return names.get(_label_name(value), fallback) in stored.labels

    def _in_time(self, field: str, value: str, stored: Stored) -> bool:
        arrived = datetime.fromtimestamp(stored.arrived_ms / 1000, UTC)
        limit = self._limit(field, value)
        if limit is None:
            return False
        return arrived >= limit if field in {"after", "newer", "newer_than"} else arrived < limit

    def _limit(self, field: str, value: str) -> datetime | None:
        if field.endswith("_than"):
            found = re.fullmatch(r"(\d+)([hdmy])", value.lower())
            return self._now - timedelta(days=int(found[1]) * _UNITS[found[2]]) if found else None
        if re.fullmatch(r"\d{8,}", value):
            return datetime.fromtimestamp(int(value), UTC)
        american = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{4})", value)
        value = f"{american[3]}/{american[1]}/{american[2]}" if american else value
        found = re.fullmatch(r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})", value)
        try:
            return datetime(int(found[1]), int(found[2]), int(found[3]), tzinfo=PACIFIC) if found else None
        except ValueError:
            return None


def _property(field: str, value: str, letter: Letter) -> bool:
    match field:
        case "has":
            return value.lower() == "attachment" and bool(letter.attachments)
        case "filename":
            names = [filename_of(part).lower() for part in letter.attachments]
            return any(contains(name, value) or name.endswith(f".{value.lower()}") for name in names)
        case "rfc822msgid":
            return letter.message_id.strip("<>") == value.strip("<>")
        case "larger" | "size":
            return len(letter.raw) >= (_bytes(value) or len(letter.raw) + 1)
        case "smaller":
            return len(letter.raw) < _bytes(value)
        case _:
            return False


def _bytes(value: str) -> int:
    found = re.fullmatch(r"(\d+)([km]?)b?", value.lower())
    return int(found[1]) * _SIZES[found[2]] if found else 0


def _label_name(name: str) -> str:
    return re.sub(r"[\s/]+", "-", name.lower())


def _fields(*names: str) -> Callable[[Letter], str]:
    return lambda letter: " ".join(map(str, letter.addresses(*names)))


def _everything(letter: Letter) -> str:
    names = " ".join(filename_of(part) for part in letter.attachments)
    people = " ".join(map(str, letter.addresses("From", "To", "Cc", "Bcc")))
    return "\n".join((letter.subject, people, letter.text, names))


_IN_TEXT: Mapping[str, Callable[[Letter], str]] = {
    "": _everything,
    "from": _fields("From"),
    "to": _fields("To", "Cc", "Bcc"),
    "cc": _fields("Cc"),
    "bcc": _fields("Bcc"),
    "deliveredto": _fields("To", "Cc", "Bcc"),
    "list": lambda letter: letter.header("List-ID"),
    "subject": lambda letter: letter.subject,
}
