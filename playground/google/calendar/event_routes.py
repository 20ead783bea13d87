"""`events` of the Calendar API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from playground.google.calendar.listing import listing
from playground.google.calendar.meetings import Meeting
from playground.google.calendar.merge import merged, own_part, shared_part, with_answer
from playground.google.calendar.times import zone_named
from playground.google.discovery import JsonObject
from playground.google.errors import ApiError, not_found

if TYPE_CHECKING:
    from playground.google.calendar.agenda import Agenda
    from playground.google.call import Call
    from playground.google.front import Handler
    from playground.google.world import World


class EventRoutes:
    """Reading and changing the events of one's own calendar."""

    def __init__(self, world: Callable[[], World]) -> None:
        self._world = world

    def handlers(self) -> Mapping[str, Handler]:
        return {
            "calendar.events.list": self.list,
            "calendar.events.instances": self.instances,
            "calendar.events.get": self.get,
            "calendar.events.insert": self.insert,
            "calendar.events.patch": self.patch,
            "calendar.events.update": self.update,
            "calendar.events.delete": self.delete,
        }

    def list(self, call: Call) -> JsonObject:
        check_calendar(call)
        return listing(call, list(self._agenda.of(call.person).values()), zone_of(call))

    def instances(self, call: Call) -> JsonObject:
        series = self._meeting(call).id
        events = [event for event in self._agenda.of(call.person).values() if event.series == series]
        return listing(call, events, zone_of(call))

    def get(self, call: Call) -> JsonObject:
        return self._seen(call, self._meeting(call))

    def insert(self, call: Call) -> JsonObject:
        check_calendar(call)
        return self._seen(call, self._agenda.insert(call.person, call.body, send_updates=send_updates(call)))

    def patch(self, call: Call) -> JsonObject:
        meeting = self._writable(call)
        shared = merged(meeting.shared, shared_part(call.body))
        own = merged(meeting.own.get(call.person.email, {}), own_part(call.body))
        return self._write(call, meeting, shared, own)

    def update(self, call: Call) -> JsonObject:
        """PUT: what is not given is gone, guests included."""
        meeting = self._writable(call)
        given = {name: value for name, value in call.body.items() if value is not None}
        return self._write(call, meeting, shared_part(given), own_part(given))

    def delete(self, call: Call) -> None:
        meeting = self._meeting(call)
        check_etag(call, meeting)
        self._agenda.remove(call.person, meeting, send_updates=send_updates(call))

    def _write(self, call: Call, meeting: Meeting, shared: JsonObject, own: JsonObject) -> JsonObject:
        if meeting.organizer == call.person or meeting.shared.get("guestsCanModify"):
            if not call.body.get("attendeesOmitted"):
                self._agenda.write(meeting, shared, send_updates=send_updates(call))
                meeting.own[call.person.email] = own
                return self._seen(call, meeting)
        elif _changes(meeting.shared, shared) - {"attendees"}:
            message = "Shared properties can only be changed by the organizer of the event."
            raise ApiError(403, "forbiddenForNonOrganizer", message, domain="calendar")
        guests = _as_guest(call, meeting, shared.get("attendees", []))
        meeting.own[call.person.email] = own
        if guests == meeting.guests:
            self._agenda.touch(meeting)
        else:
            self._agenda.answer(meeting, guests, call.person, send_updates=send_updates(call))
        return self._seen(call, meeting)

    def _writable(self, call: Call) -> Meeting:
        meeting = self._meeting(call)
        check_etag(call, meeting)
        if meeting.is_gone(call.person) and call.body.get("status") != "confirmed":
            raise ApiError(410, "deleted", "Resource has been deleted")
        return meeting

    def _meeting(self, call: Call) -> Meeting:
        check_calendar(call)
        return self._agenda.get(call.person, call.needed("eventId"))

    def _seen(self, call: Call, meeting: Meeting) -> JsonObject:
        return meeting.seen_by(call.person, zone_of(call), call.params.get("maxAttendees"))

    @property
    def _agenda(self) -> Agenda:
        return self._world().agenda


def check_calendar(call: Call) -> None:
    """Only one's own calendar can be opened: as `primary` or by one's own address."""
    if call.needed("calendarId").lower() not in {"primary", call.person.email}:
        raise not_found("calendar")


def check_etag(call: Call, meeting: Meeting) -> None:
    """412 when somebody changed the event since the caller read it."""
    if call.if_match not in {None, "*", meeting.etag}:
        raise ApiError(412, "conditionNotMet", "Precondition Failed", location="If-Match")


def zone_of(call: Call) -> ZoneInfo:
    """The zone to show times in: the asked one, or the calendar's."""
    return zone_named(call.text("timeZone") or call.person.zone, of="time zone")


def send_updates(call: Call) -> str:
    return call.text("sendUpdates") or ("all" if call.flag("sendNotifications") else "none")


def _changes(old: JsonObject, new: JsonObject) -> set[str]:
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


def _as_guest(call: Call, meeting: Meeting, asked: list[JsonObject]) -> list[JsonObject]:
    """What a guest may do to the guest list: answer for himself, and bring others when the event allows it."""
    me = call.person.email
    nothing: JsonObject = {}
    mine = next((guest for guest in asked if guest.get("email", "").lower() == me), nothing)
    guests = with_answer(meeting.guests, me, mine)
    known = {guest["email"].lower() for guest in guests}
    brought = [guest for guest in asked if guest.get("email", "").lower() not in known]
    if brought and meeting.shared.get("guestsCanInviteOthers") is False:
        message = "Shared properties can only be changed by the organizer of the event."
        raise ApiError(403, "forbiddenForNonOrganizer", message, domain="calendar")
    return [*guests, *brought]
