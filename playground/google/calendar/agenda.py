"""Everybody's primary calendar, and what happens to events on them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from zoneinfo import ZoneInfo

from playground.changes import Changes
from playground.clock import Clock
from playground.google.calendar.meetings import Meeting
from playground.google.calendar.merge import guest_list, own_part, shared_part, with_answer
from playground.google.calendar.notices import Notice, told
from playground.google.calendar.series import expanded
from playground.google.calendar.times import check_when
from playground.google.discovery import JsonObject
from playground.google.errors import ApiError, invalid, not_found
from playground.people import PEOPLE, Person

_ID_ALPHABET = frozenset("abcdefghijklmnopqrstuv0123456789")
_PEOPLE: Mapping[str, Person] = {person.email: person for person in PEOPLE}


class Agenda:
    """All calendars. A meeting is one object that lies on its organizer's calendar and on those of its guests."""

    def __init__(self, clock: Clock, changes: Changes) -> None:
        self._clock = clock
        self.changes = changes
        self._minted = 0
        self._versions = 0
        self.notices: list[Notice] = []
        self.calendars: Mapping[str, dict[str, Meeting]] = {person.email: {} for person in PEOPLE}

    def of(self, person: Person) -> dict[str, Meeting]:
        return self.calendars[person.email]

    def get(self, person: Person, event_id: str) -> Meeting:
        """Also what is cancelled; 404 for what never was."""
        if event_id not in self.of(person):
            raise not_found("calendar")
        return self.of(person)[event_id]

    def insert(self, person: Person, body: JsonObject, *, send_updates: str = "none") -> Meeting:
        """A new event of that person, copied to the guests' calendars."""
        event_id = self._id_for(person, body.get("id"))
        shared = shared_part({name: value for name, value in body.items() if value is not None})
        check_when(shared)
        if "attendees" in shared:
            shared["attendees"] = guest_list(shared["attendees"])
        now = self._clock.now()
        meeting = Meeting(
            id=event_id, organizer=person, shared=shared, created=now, updated=now, version=self._next_version()
        )
        meeting.own[person.email] = own_part(body)
        self._place(meeting)
        self._tell("invitation", meeting, addresses(meeting), send_updates)
        self._publish(meeting, "created")
        return meeting

    def write(self, meeting: Meeting, shared: JsonObject, *, send_updates: str = "none") -> None:
        """The organizer's new version of what is shared; the copies follow, and the guests are told."""
        check_when(shared)
        if "attendees" in shared:
            shared["attendees"] = guest_list(shared["attendees"])
        before = addresses(meeting)
        moved = any(shared.get(name) != meeting.shared.get(name) for name in ("start", "end", "recurrence"))
        meeting.shared = shared
        meeting.sequence += moved
        self.touch(meeting)
        self._unplace(meeting, before - addresses(meeting))
        self._place(meeting)
        self._tell("invitation", meeting, addresses(meeting) - before, send_updates)
        self._tell("update", meeting, addresses(meeting) & before, send_updates)
        self._tell("cancellation", meeting, before - addresses(meeting), send_updates)
        self._publish(meeting, "updated")

    def answer(self, meeting: Meeting, guests: list[JsonObject], person: Person, *, send_updates: str = "none") -> None:
        """A guest's own answer, or guests that he brought along."""
        before = addresses(meeting)
        meeting.shared = meeting.shared | {"attendees": guest_list(guests)}
        self.touch(meeting)
        self._place(meeting)
        self._tell("invitation", meeting, addresses(meeting) - before, send_updates)
        self._tell("response", meeting, {meeting.organizer.email}, send_updates, sender=person)
        self._publish(meeting, "updated")

    def remove(self, person: Person, meeting: Meeting, *, send_updates: str = "none") -> None:
        """By its organizer it is cancelled for all; a guest declines and takes it from his own calendar."""
        if meeting.is_gone(person):
            raise ApiError(410, "deleted", "Resource has been deleted")
        if meeting.organizer == person:
            for part in [meeting, *self._instances(person, meeting)]:
                part.shared = part.shared | {"status": "cancelled"}
                self.touch(part)
            self._tell("cancellation", meeting, addresses(meeting), send_updates)
        else:
            meeting.gone_from.add(person.email)
            declined = with_answer(meeting.guests, person.email, {"responseStatus": "declined"})
            meeting.shared = meeting.shared | ({"attendees": declined} if declined else {})
            self.touch(meeting)
        self._publish(meeting, "cancelled")

    def touch(self, meeting: Meeting) -> None:
        """A change: a new etag and a new time of update."""
        meeting.updated = self._clock.now()
        meeting.version = self._next_version()

    def shown(self, person: Person) -> list[JsonObject]:
        """The person's single events by start, for the page."""
        zone = ZoneInfo(person.zone)
        events = [event for event in self.of(person).values() if "recurrence" not in event.shared]
        events.sort(key=lambda event: event.span(zone).start)
        return [event.seen_by(person, zone) | {"zone": person.zone} for event in events if not event.is_gone(person)]

    def _id_for(self, person: Person, wanted: str | None) -> str:
        if wanted is None:
            self._minted += 1
            digest = hashlib.sha256(f"{person.email}/{self._minted}".encode()).digest()
            return "".join("abcdefghijklmnopqrstuv0123456789"[byte % 32] for byte in digest[:26])
        if not 5 <= len(wanted) <= 1024 or not _ID_ALPHABET.issuperset(wanted):
            raise invalid("Invalid resource id value.", reason="invalid")
        if wanted in self.of(person):
            raise ApiError(409, "duplicate", "The requested identifier already exists.")
        return wanted

    def _place(self, meeting: Meeting) -> None:
        """Puts the meeting, and the instances of a series, on the calendars of everybody it concerns."""
        self._put(meeting)
        if meeting.shared.get("recurrence"):
            old = {instance.id: instance for instance in self._instances(meeting.organizer, meeting)}
            for instance in expanded(meeting):
                if instance.id in old:
                    instance.gone_from = old[instance.id].gone_from
                self._put(instance)

    def _put(self, meeting: Meeting) -> None:
        for email in {meeting.organizer.email, *addresses(meeting)} & self.calendars.keys():
            self.calendars[email][meeting.id] = meeting
            meeting.gone_from.discard(email)

    def _unplace(self, meeting: Meeting, emails: Iterable[str]) -> None:
        for email in emails:
            if email in self.calendars and email != meeting.organizer.email:
                meeting.gone_from.add(email)

    def _instances(self, person: Person, meeting: Meeting) -> list[Meeting]:
        return [event for event in self.of(person).values() if event.series == meeting.id]

    def _tell(
        self, kind: str, meeting: Meeting, to: set[str], send_updates: str, *, sender: Person | None = None
    ) -> None:
        who = sender or meeting.organizer
        recipients = told(to - {who.email}, send_updates)
        if recipients:
            notice = Notice(
                at=self._clock.now(),
                kind=kind,
                event_id=meeting.id,
                summary=meeting.shared.get("summary", ""),
                sender=who.email,
                to=recipients,
            )
            self.notices.append(notice)
            self.changes.publish("notice_sent", notice=notice.shown())

    def _publish(self, meeting: Meeting, change: str) -> None:
        people = [_PEOPLE[email].handle for email, events in self.calendars.items() if meeting.id in events]
        summary = meeting.shared.get("summary", "")
        self.changes.publish("event_changed", change=change, id=meeting.id, people=people, summary=summary)

    def _next_version(self) -> int:
        self._versions += 1
        return self._versions


def addresses(meeting: Meeting) -> set[str]:
    """The guests' addresses, the organizer's not among them."""
    return {guest["email"].lower() for guest in meeting.guests} - {meeting.organizer.email}
