"""`events` of the Calendar API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from playground.google.calendar.conference import asked_for
from playground.google.calendar.listing import listing
from playground.google.calendar.meetings import Meeting
from playground.google.calendar.merge import merged, own_part, shared_part, with_answer
from playground.google.calendar.times import zone_named
from playground.google.discovery import JsonObject
from playground.google.errors import ApiError, not_found
from playground.world.hosts import Party, role_of

if TYPE_CHECKING:
    from playground.google.calendar.agenda import Agenda
    from playground.google.call import Call, Handler


class EventRoutes:
    """Reads and changes the events of the person's calendars, own and shared."""

    def __init__(self, agenda: Callable[[], Agenda]) -> None:
        self._current = agenda

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
        party = self._readable(call)
        return listing(call, party, self._agenda.settled(party), zone_of(call, party))

    def instances(self, call: Call) -> JsonObject:
        party = self._readable(call)
        series = self._meeting(call).id
        wanted = call.text("originalStart")
        events = [
            event
            for event in self._agenda.settled(party)
            if event.series == series and (wanted is None or event.began_at(wanted, ZoneInfo(party.zone)))
        ]
        return listing(call, party, events, zone_of(call, party))

    def get(self, call: Call) -> JsonObject:
        return self._seen(call, self._meeting(call))

    def insert(self, call: Call) -> JsonObject:
        meeting = self._agenda.insert(
            self._writable_calendar(call),
            body_of(call),
            send_updates=send_updates(call),
            creator=call.person,
            conference_version=call.number("conferenceDataVersion", 0),
        )
        return self._seen(call, meeting)

    def patch(self, call: Call) -> JsonObject:
        meeting = self._writable(call)
        shared = merged(meeting.shared, shared_part(body_of(call)))
        own = merged(meeting.own.get(self._readable(call).email, {}), own_part(call.body))
        return self._write(call, meeting, shared, own)

    def update(self, call: Call) -> JsonObject:
        """PUT: fields that are not given are removed, guests included."""
        meeting = self._writable(call)
        given = {name: value for name, value in body_of(call).items() if value is not None}
        return self._write(call, meeting, shared_part(given), own_part(given))

    def delete(self, call: Call) -> None:
        party = self._writable_calendar(call)
        meeting = self._meeting(call)
        check_etag(call, meeting)
        self._agenda.remove(party, meeting, send_updates=send_updates(call))

    def _write(self, call: Call, meeting: Meeting, shared: JsonObject, own: JsonObject) -> JsonObject:
        party = self._writable_calendar(call)
        if meeting.organizer == party or meeting.shared.get("guestsCanModify"):
            if not call.body.get("attendeesOmitted"):
                self._confer(call, meeting)
                self._agenda.write(meeting, shared, send_updates=send_updates(call))
                meeting.own[party.email] = own
                return self._seen(call, meeting)
        elif _changes(meeting.shared, shared) - {"attendees"}:
            message = "Shared properties can only be changed by the organizer of the event."
            raise ApiError(403, "forbiddenForNonOrganizer", message, domain="calendar")
        guests = _as_guest(call, meeting, shared.get("attendees", []))
        meeting.own[party.email] = own
        self._agenda.put_back(meeting, {party.email})
        if guests == meeting.guests:
            self._agenda.touch(meeting)
        else:
            self._agenda.answer(meeting, guests, call.person, send_updates=send_updates(call))
        return self._seen(call, meeting)

    def _writable(self, call: Call) -> Meeting:
        meeting = self._meeting(call)
        check_etag(call, meeting)
        if meeting.is_gone(self._readable(call)) and call.body.get("status") != "confirmed":
            raise ApiError(410, "deleted", "Resource has been deleted")
        return meeting

    def _meeting(self, call: Call) -> Meeting:
        return self._agenda.get(self._readable(call), call.needed("eventId"))

    def _seen(self, call: Call, meeting: Meeting) -> JsonObject:
        party = self._readable(call)
        return meeting.seen_by(party, zone_of(call, party), call.params.get("maxAttendees"))

    def _confer(self, call: Call, meeting: Meeting) -> None:
        version = call.number("conferenceDataVersion", 0)
        outcome = self._agenda.meet_outcome
        meeting.conference = asked_for(call.body, meeting.conference, version=version, outcome=outcome)

    def _readable(self, call: Call) -> Party:
        """The calendar, if its events can be seen."""
        party = calendar_of(call, self._agenda)
        if role_of(call.person, party) == "freeBusyReader":
            raise not_found("calendar")
        return party

    def _writable_calendar(self, call: Call) -> Party:
        party = self._readable(call)
        if role_of(call.person, party) not in {"owner", "writer"}:
            message = "You need to have writer access to this calendar."
            raise ApiError(403, "requiredAccessLevel", message, domain="calendar")
        return party

    @property
    def _agenda(self) -> Agenda:
        return self._current()


def calendar_of(call: Call, agenda: Agenda) -> Party:
    """The person's own calendar, as `primary` or by address, or a shared one; 404 for any other."""
    name = call.needed("calendarId").lower()
    party = call.person if name == "primary" else agenda.parties.get(name)
    if party is None or role_of(call.person, party) is None:
        raise not_found("calendar")
    return party


def body_of(call: Call) -> JsonObject:
    """The body to write. Files count only from clients that say that they support them (Events, `attachments`)."""
    if call.flag("supportsAttachments"):
        return call.body
    return {name: value for name, value in call.body.items() if name != "attachments"}


def check_etag(call: Call, meeting: Meeting) -> None:
    """Raises 412 when the event changed since the caller read it."""
    if call.if_match not in {None, "*", meeting.etag}:
        raise ApiError(412, "conditionNotMet", "Precondition Failed", location="If-Match")


def zone_of(call: Call, party: Party) -> ZoneInfo:
    """The zone to show times in: the requested one, or the calendar's."""
    return zone_named(call.text("timeZone") or party.zone, of="time zone")


def send_updates(call: Call) -> str:
    return call.text("sendUpdates") or ("all" if call.flag("sendNotifications") else "none")


def _changes(old: JsonObject, new: JsonObject) -> set[str]:
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


def _as_guest(call: Call, meeting: Meeting, asked: list[JsonObject]) -> list[JsonObject]:
    """What a guest may do to the guest list: answer for themselves, and bring others when the event allows it."""
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
