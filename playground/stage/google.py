"""Google as it is after the agent acted: who has sent what, and when which event is."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from playground.people import Person
from playground.stage.emulator import Emulator
from playground.stage.fields import Fields, fields, items, rows, text

WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
CANARY = re.compile(r"\bcanary-[0-9a-z]+\b")
QUIET_PATHS = ("/token", "/batch", "/revoke")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A sent mail."""

    id: str
    to: str
    subject: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event of somebody's calendar; `start` in that person's zone."""

    id: str
    title: str
    start: datetime


class GoogleStage:
    """Reads the Google emulator's state."""

    def __init__(self, emulator: Emulator) -> None:
        self.emulator = emulator

    async def sent_by(self, person: Person) -> list[Mail]:
        """What somebody's mailbox holds as sent."""
        state = await self.emulator.state()
        return [
            _mail(message)
            for message in rows(state, "messages")
            if _is_owned(message, person) and "SENT" in _labels(message)
        ]

    async def events_of(self, person: Person) -> list[Event]:
        """The events with a time in somebody's calendar."""
        state = await self.emulator.state()
        found = (_event(event, ZoneInfo(person.zone)) for event in rows(state, "events") if _is_owned(event, person))
        return [event for event in found if event]

    async def canaries(self) -> frozenset[str]:
        """The tokens that mark everything private out there."""
        return frozenset(CANARY.findall(json.dumps(await self.emulator.state())))


def _is_owned(row: Fields, person: Person) -> bool:
    return text(row, "owner") in {person.handle, person.email, person.user_id}


def _labels(message: Fields) -> set[str]:
    return {str(label) for key in ("labelIds", "labels") for label in items(message, key)}


def _mail(message: Fields) -> Mail:
    recipients = items(message, "to")
    return Mail(
        id=text(message, "id"),
        to=", ".join(map(str, recipients)) if recipients else text(message, "to"),
        subject=text(message, "subject"),
        said=text(message, "body") or text(message, "text") or text(message, "snippet"),
    )


def _event(event: Fields, zone: ZoneInfo) -> Event | None:
    start = text(fields(event.get("start")), "dateTime") or text(event, "start")
    if "T" not in start:
        return None
    moment = datetime.fromisoformat(start)
    return Event(
        id=text(event, "id"),
        title=text(event, "summary") or text(event, "title"),
        start=moment.astimezone(zone) if moment.tzinfo else moment.replace(tzinfo=zone),
    )
