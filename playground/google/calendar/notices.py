"""The notices of a change: the invitations, updates and cancellations that Calendar would mail."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from playground.google.discovery import JsonObject
from playground.people import PEOPLE

_GOOGLE_USERS = frozenset(person.email for person in PEOPLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One mailing about an event: `invitation`, `update`, `cancellation` or `response`."""

    at: datetime
    kind: str
    event_id: str
    summary: str
    sender: str
    to: tuple[str, ...]

    def shown(self) -> JsonObject:
        return {
            "at": self.at.isoformat(),
            "kind": self.kind,
            "event_id": self.event_id,
            "summary": self.summary,
            "from": self.sender,
            "to": list(self.to),
        }


def told(addresses: Iterable[str], send_updates: str) -> tuple[str, ...]:
    """The people who get a mail: all, only guests without Google Calendar (`externalOnly`), or nobody."""
    if send_updates == "none":
        return ()
    everyone = sorted({address.lower() for address in addresses})
    return tuple(address for address in everyone if send_updates == "all" or address not in _GOOGLE_USERS)
