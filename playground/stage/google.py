"""Google's state for a scene: sent mails and events."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from playground.people import Person
from playground.stage.emulator import Emulator
from playground.stage.fields import Fields, fields, items, rows, text
from playground.world.references import REFERENCE

WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
QUIET_PATHS = ("/token", "/batch", "/revoke")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A sent mail; `to` has all its recipients."""

    id: str
    to: str
    subject: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event of a person's calendar; `start` is in their zone."""

    id: str
    title: str
    start: datetime


class GoogleStage:
    """Reads the Google emulator's state."""

    def __init__(self, emulator: Emulator) -> None:
        self.emulator = emulator

    async def sent_by(self, person: Person) -> list[Mail]:
        return [_mail(row) for row in rows(await self._person(person), "sent")]

    async def events_of(self, person: Person) -> list[Event]:
        """The events with a time in a person's calendar."""
        found = (_event(row, ZoneInfo(person.zone)) for row in rows(await self._person(person), "events"))
        return [event for event in found if event]

    async def invite(self, person: Person, sender: str, title: str, weekday: str, clock: str, minutes: int) -> datetime:
        """Somebody outside invites to an event on the next such day, by the clocks of this person; its beginning."""
        now = datetime.fromisoformat(text(await self.emulator.state(), "now")).astimezone(ZoneInfo(person.zone))
        hour, minute = map(int, clock.split(":"))
        day = next(day for n in range(1, 8) if f"{(day := now + timedelta(days=n)):%A}" == weekday)
        start = day.replace(hour=hour, minute=minute, second=0, microsecond=0)
        sides = {"start": start, "end": start + timedelta(minutes=minutes)}
        span = {side: {"dateTime": at.isoformat(), "timeZone": person.zone} for side, at in sides.items()}
        await self.emulator.post("/__admin/invite", {"from": sender, "to": [person.email], "summary": title, **span})
        return start

    async def references(self) -> frozenset[str]:
        """The reference numbers, one in everything private."""
        return frozenset(REFERENCE.findall(json.dumps(await self.emulator.state())))

    async def _person(self, person: Person) -> Fields:
        return fields(fields((await self.emulator.state()).get("people")).get(person.handle))


def _mail(row: Fields) -> Mail:
    return Mail(
        id=text(row, "id"),
        to=", ".join(str(address) for key in ("to", "cc", "bcc") for address in items(row, key)),
        subject=text(row, "subject"),
        said=text(row, "text"),
    )


def _event(row: Fields, zone: ZoneInfo) -> Event | None:
    start = text(fields(row.get("start")), "dateTime")
    if not start or row.get("status") == "cancelled":
        return None
    return Event(id=text(row, "id"), title=text(row, "summary"), start=datetime.fromisoformat(start).astimezone(zone))
