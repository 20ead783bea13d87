"""Writes the seeded events: from the short form of `events/*.yaml` to Calendar's Event resource."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from playground.people import PEOPLE
from playground.world.dates import Days
from playground.world.directory import email_of
from playground.world.hosts import DELIVERIES, HOLIDAYS, TEAM, Host, Party
from playground.world.references import reference

JsonObject = dict[str, Any]

_OWNERS: Mapping[str, Party] = {
    **{person.handle: person for person in PEOPLE},
    **{"team": TEAM, "deliveries": DELIVERIES, "holidays": HOLIDAYS},
}


class EventWriter:
    """Numbers the events as it writes them: each carries a reference of its own, `FRN-E-0001` and so on."""

    def __init__(self, days: Days) -> None:
        self._days = days
        self._count = 0

    def event(self, spec: Mapping[str, Any]) -> tuple[Party, JsonObject]:
        """The calendar and the body of `events.insert`."""
        self._count += 1
        owner = _OWNERS[spec["owner"]]
        text = self._days.filled(spec["text"]).replace("{ref}", reference("E", self._count))
        body: JsonObject = {"summary": spec["title"], "description": text.strip(), **self._when(spec, owner)}
        if "where" in spec:
            body["location"] = spec["where"]
        if "weekly" in spec:
            body["recurrence"] = [f"RRULE:FREQ=WEEKLY;COUNT={spec['weekly']}"]
        if "guests" in spec:
            itself = [] if isinstance(owner, Host) else [_guest(owner.handle + " accepted")]
            body["attendees"] = [*itself, *map(_guest, spec["guests"])]
        if spec.get("free"):
            body["transparency"] = "transparent"
        return owner, body

    def _when(self, spec: Mapping[str, Any], owner: Party) -> JsonObject:
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
