"""One event, shared by its calendars, and how each of them shows it."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from playground.google.calendar.conference import Conference
from playground.google.calendar.times import Span, shown_when, span_of
from playground.google.discovery import JsonObject
from playground.people import Person
from playground.world.hosts import Host, Party

READ_ONLY = frozenset(
    {
        "kind",
        "etag",
        "id",
        "created",
        "updated",
        "creator",
        "organizer",
        "htmlLink",
        "iCalUID",
        "sequence",
        "recurringEventId",
        "originalStartTime",
        "hangoutLink",
        "locked",
        "privateCopy",
        "attendeesOmitted",
        "conferenceData",
    }
)
"""Fields of the resource that a client cannot write, or that are stored elsewhere."""

OWN = frozenset({"reminders", "colorId", "transparency", "visibility"})
"""Fields of each person's own copy of an event."""


@dataclass(slots=True, kw_only=True)
class Meeting:
    """An event with one organizer. `shared` is the resource all its copies have in common."""

    id: str
    organizer: Party
    shared: JsonObject
    created: datetime
    updated: datetime
    version: int
    sequence: int = 0
    creator: Person | None = None
    conference: Conference | None = None
    series: str | None = None
    original_start: JsonObject | None = None
    own: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    gone_from: set[str] = field(default_factory=set[str])
    overridden: set[str] = field(default_factory=set[str])
    """Changes of this instance alone, which make it an exception of its series."""

    @property
    def etag(self) -> str:
        return f'"{int(self.updated.timestamp())}{self.version:06d}"'

    @property
    def cancelled(self) -> bool:
        return self.shared.get("status") == "cancelled"

    @property
    def uid(self) -> str:
        return f"{self.series or self.id}@google.com"

    @property
    def guests(self) -> list[JsonObject]:
        return self.shared.get("attendees", [])

    def is_gone(self, person: Party) -> bool:
        """Whether its organizer cancelled it, or this person removed it from their calendar."""
        return self.cancelled or person.email in self.gone_from

    def span(self, zone: ZoneInfo) -> Span:
        return span_of(self.shared, zone)

    def began_at(self, text: str, zone: ZoneInfo) -> bool:
        """Whether the text names this instance's original start: a day, or a moment in any offset."""
        when = self.original_start or {}
        if "date" in when or "T" not in text:
            return when.get("date") == text
        moment = datetime.fromisoformat(text)
        return datetime.fromisoformat(when["dateTime"]) == (moment if moment.tzinfo else moment.replace(tzinfo=zone))

    def guest(self, email: str) -> JsonObject | None:
        return next((guest for guest in self.guests if guest["email"].lower() == email.lower()), None)

    def answer_of(self, person: Party) -> str:
        """The person's response; an organizer without an entry has accepted."""
        guest = self.guest(person.email)
        return guest["responseStatus"] if guest else "accepted"

    def keeps_busy(self, person: Party) -> bool:
        """Whether the person is busy then: it is no working place, and not free, declined or gone."""
        if self.shared.get("eventType") == "workingLocation":
            return False
        transparent = self.own.get(person.email, {}).get("transparency") == "transparent"
        return not (self.is_gone(person) or transparent or self.answer_of(person) == "declined")

    def seen_by(self, person: Party, zone: ZoneInfo, most_attendees: int | None = None) -> JsonObject:
        """The Event resource on this person's calendar, its times in `zone`."""
        shown: JsonObject = {
            "kind": "calendar#event",
            "etag": self.etag,
            "id": self.id,
            "htmlLink": self.link(person),
            "created": _stamp(self.created),
            "updated": _stamp(self.updated),
            "creator": _party(self.creator or self.organizer, person),
            "organizer": _party(self.organizer, person),
            "iCalUID": self.uid,
            "sequence": self.sequence,
            "eventType": "default",
            "reminders": {"useDefault": True},
            **self.shared,
            **self.own.get(person.email, {}),
            **(self.conference.shown() if self.conference else {}),
        }
        shown["status"] = "cancelled" if self.is_gone(person) else shown.get("status", "confirmed")
        for side in ("start", "end"):
            shown[side] = shown_when(self.shared[side], zone, self.organizer.zone)
        if self.series and self.original_start:
            shown["recurringEventId"] = self.series
            shown["originalStartTime"] = shown_when(self.original_start, zone, self.organizer.zone)
        return shown | self._guests_for(person, most_attendees)

    def link(self, person: Party) -> str:
        code = base64.urlsafe_b64encode(f"{self.id} {person.email}".encode()).decode().rstrip("=")
        return f"https://www.google.com/calendar/event?eid={code}"

    def _guests_for(self, person: Party, most: int | None) -> JsonObject:
        if not self.guests:
            return {}
        guests = [_guest(guest, self.organizer, person) for guest in self.guests]
        if most is not None and len(guests) > most:
            return {"attendees": [guest for guest in guests if guest.get("self")], "attendeesOmitted": True}
        return {"attendees": guests}


def _party(who: Party, viewer: Party) -> JsonObject:
    named = {"displayName": who.name} if isinstance(who, Host) else {}
    return {"email": who.email} | named | ({"self": True} if who == viewer else {})


def _guest(guest: JsonObject, organizer: Party, viewer: Party) -> JsonObject:
    shown = dict(guest)
    if guest["email"].lower() == organizer.email:
        shown["organizer"] = True
    if guest["email"].lower() == viewer.email:
        shown["self"] = True
    return shown


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
