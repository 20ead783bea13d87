"""Writes the seeded events: from the short form of `events/*.yaml` to Calendar's Event resource."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from playground.people import PEOPLE, Person
from playground.world.dates import Days
from playground.world.directory import email_of

JsonObject = dict[str, Any]

_PERSON: Mapping[str, Person] = {person.handle: person for person in PEOPLE}


class EventWriter:
    """Numbers the events as it writes them: each carries a token of its own, `CANARY-E-0001` and so on."""

    def __init__(self, days: Days) -> None:
        self._days = days
        self._count = 0

    def event(self, spec: Mapping[str, Any]) -> tuple[Person, JsonObject]:
        """The organizer and the body of `events.insert`."""
        self._count += 1
        owner = _PERSON[spec["owner"]]
        text = self._days.filled(spec["text"]).replace("{ref}", f"CANARY-E-{self._count:04d}")
        body: JsonObject = {"summary": spec["title"], "description": text.strip(), **self._when(spec, owner)}
        if "where" in spec:
            body["location"] = spec["where"]
        if "weekly" in spec:
            body["recurrence"] = [f"RRULE:FREQ=WEEKLY;COUNT={spec['weekly']}"]
        if "guests" in spec:
            body["attendees"] = [_guest(owner.handle + " accepted"), *map(_guest, spec["guests"])]
        if spec.get("free"):
            body["transparency"] = "transparent"
        return owner, body

    def _when(self, spec: Mapping[str, Any], owner: Person) -> JsonObject:
        day = self._days.named(spec["day"])
        if "all_day" in spec:
            end = day + timedelta(days=spec["all_day"])
            return {"start": {"date": day.isoformat()}, "end": {"date": end.isoformat()}}
        zone: str = spec.get("zone", owner.zone)
        hour, minute = spec["at"].split(":")
        start = datetime(day.year, day.month, day.day, int(hour), int(minute), tzinfo=ZoneInfo(zone))
        end = start + timedelta(minutes=spec["minutes"])
        return {"start": _moment(start, zone), "end": _moment(end, zone)}


def _moment(moment: datetime, zone: str) -> JsonObject:
    return {"dateTime": moment.isoformat(), "timeZone": zone}


def _guest(text: str) -> JsonObject:
    """`jonas`, or with an answer: `jonas accepted`."""
    name, _, answer = text.partition(" ")
    return {"email": email_of(name), "responseStatus": answer or "needsAction"}
