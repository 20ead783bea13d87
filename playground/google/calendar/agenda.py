"""All calendars, primary and shared, and the changes of their events."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from zoneinfo import ZoneInfo

from playground.changes import Changes
from playground.clock import Clock
from playground.google.calendar.conference import asked_for
from playground.google.calendar.meetings import Meeting
from playground.google.calendar.merge import guest_list, own_part, shared_part, with_answer
from playground.google.calendar.notices import Notice, told
from playground.google.calendar.series import expanded, kept
from playground.google.calendar.times import check_when
from playground.google.discovery import JsonObject
from playground.google.errors import ApiError, invalid, not_found
from playground.people import PEOPLE, Person
from playground.world.hosts import HOSTS, Host, Party

_ID_ALPHABET = frozenset("abcdefghijklmnopqrstuv0123456789")
_TIMES = ("start", "end", "recurrence")


class Agenda:
    """All calendars. A meeting is one object, on its organizer's calendar and on those of its guests."""

    def __init__(self, clock: Clock, changes: Changes) -> None:
        self._clock = clock
        self.changes = changes
        self._minted = 0
        self._versions = 0
        self.notices: list[Notice] = []
        self.parties: Mapping[str, Party] = {party.email: party for party in (*PEOPLE, *HOSTS)}
        self.calendars: Mapping[str, dict[str, Meeting]] = {email: {} for email in self.parties}
        self.hidden: set[str] = set()
        """Handles of people who do not even share when they are busy."""
        self.meet_outcome = "success"

    def of(self, party: Party) -> dict[str, Meeting]:
        return self.calendars[party.email]

    def settled(self, party: Party) -> list[Meeting]:
        """Everything on a calendar; pending conferences are settled by now."""
        for meeting in self.of(party).values():
            if meeting.conference:
                meeting.conference.settle()
        return list(self.of(party).values())

    def get(self, party: Party, event_id: str) -> Meeting:
        """The event, also a cancelled one; 404 for an unknown one. A pending conference is settled by now."""
        if event_id not in self.of(party):
            raise not_found("calendar")
        meeting = self.of(party)[event_id]
        if meeting.conference:
            meeting.conference.settle()
        return meeting

    def insert(
        self,
        party: Party,
        body: JsonObject,
        *,
        send_updates: str = "none",
        creator: Person | None = None,
        conference_version: int = 0,
    ) -> Meeting:
        """A new event on that calendar, copied to the guests' calendars."""
        event_id = self._id_for(party, body.get("id"))
        shared = shared_part({name: value for name, value in body.items() if value is not None})
        check_when(shared)
        if "attendees" in shared:
            shared["attendees"] = guest_list(shared["attendees"])
        now = self._clock.now()
        meeting = Meeting(
            id=event_id,
            organizer=party,
            shared=shared,
            created=now,
            updated=now,
            version=self._next_version(),
            creator=creator,
            conference=asked_for(body, None, version=conference_version, outcome=self.meet_outcome),
        )
        meeting.own[party.email] = own_part(body)
        self._place(meeting)
        self._tell("invitation", meeting, addresses(meeting), send_updates)
        self._publish(meeting, "created")
        return meeting

    def write(self, meeting: Meeting, shared: JsonObject, *, send_updates: str = "none") -> None:
        """Stores the organizer's new version of the shared part; the copies follow, and the guests are told."""
        check_when(shared)
        if "attendees" in shared:
            shared["attendees"] = guest_list(shared["attendees"])
        before = addresses(meeting)
        changed = {
            name for name in shared.keys() | meeting.shared.keys() if shared.get(name) != meeting.shared.get(name)
        }
        meeting.shared = shared
        meeting.sequence += bool(changed & {*_TIMES})
        if meeting.series:
            meeting.overridden |= changed
        self.touch(meeting)
        self._unplace(meeting, before - addresses(meeting))
        self.put_back(meeting, addresses(meeting) - before)
        self._place(meeting, moved=bool(changed & {"start", "end"}))
        self._tell("invitation", meeting, addresses(meeting) - before, send_updates)
        self._tell("update", meeting, addresses(meeting) & before, send_updates)
        self._tell("cancellation", meeting, before - addresses(meeting), send_updates)
        self._publish(meeting, "updated")

    def answer(self, meeting: Meeting, guests: list[JsonObject], person: Party, *, send_updates: str = "none") -> None:
        """A guest's own answer, or guests that they brought along."""
        before = addresses(meeting)
        meeting.shared = meeting.shared | {"attendees": guest_list(guests)}
        if meeting.series:
            meeting.overridden.add("attendees")
        self.touch(meeting)
        self._place(meeting)
        self._tell("invitation", meeting, addresses(meeting) - before, send_updates)
        self._tell("response", meeting, {meeting.organizer.email}, send_updates, sender=person)
        self._publish(meeting, "updated")

    def remove(self, party: Party, meeting: Meeting, *, send_updates: str = "none") -> None:
        """Removed by its organizer it is cancelled for all; a guest declines and removes it from their own calendar."""
        if meeting.is_gone(party):
            raise ApiError(410, "deleted", "Resource has been deleted")
        parts = [meeting, *self._instances(party, meeting)]
        if meeting.organizer == party:
            for part in parts:
                self._cancel(part)
            self._tell("cancellation", meeting, addresses(meeting), send_updates)
        else:
            for part in parts:
                part.gone_from.add(party.email)
                declined = with_answer(part.guests, party.email, {"responseStatus": "declined"})
                part.shared = part.shared | ({"attendees": declined} if declined else {})
                self.touch(part)
            self._tell("response", meeting, {meeting.organizer.email}, send_updates, sender=party)
        self._publish(meeting, "cancelled")

    def touch(self, meeting: Meeting) -> None:
        """A change: a new etag and a new time of update."""
        meeting.updated = self._clock.now()
        meeting.version = self._next_version()

    def shown(self, party: Party) -> list[JsonObject]:
        """The calendar's single events in order, for the page."""
        zone = ZoneInfo(party.zone)
        events = [event for event in self.of(party).values() if "recurrence" not in event.shared]
        events.sort(key=lambda event: event.span(zone).start)
        return [event.seen_by(party, zone) | {"zone": party.zone} for event in events if not event.is_gone(party)]

    def _id_for(self, party: Party, wanted: str | None) -> str:
        if wanted is None:
            self._minted += 1
            digest = hashlib.sha256(f"{party.email}/{self._minted}".encode()).digest()
            return "".join("abcdefghijklmnopqrstuv0123456789"[byte % 32] for byte in digest[:26])
        if not 5 <= len(wanted) <= 1024 or not _ID_ALPHABET.issuperset(wanted):
            raise invalid("Invalid resource id value.", reason="invalid")
        if wanted in self.calendars.get(party.email, {}):
            raise ApiError(409, "duplicate", "The requested identifier already exists.")
        return wanted

    def _place(self, meeting: Meeting, *, moved: bool = False) -> None:
        """Puts the meeting, and the instances of a series, on the calendars of its organizer and guests."""
        self._put(meeting)
        old = {instance.id: instance for instance in self._instances(meeting.organizer, meeting)}
        for instance in expanded(meeting) if meeting.shared.get("recurrence") else ():
            before = old.pop(instance.id, None)
            self._put(kept(instance, before, moved=moved) if before else instance)
        for beyond in old.values():
            self._cancel(beyond)
            beyond.overridden.clear()

    def _cancel(self, meeting: Meeting) -> None:
        meeting.shared = meeting.shared | {"status": "cancelled"}
        if meeting.series:
            meeting.overridden.add("status")
        self.touch(meeting)

    def _put(self, meeting: Meeting) -> None:
        for email in {meeting.organizer.email, *addresses(meeting)} & self.calendars.keys():
            self.calendars[email][meeting.id] = meeting

    def _unplace(self, meeting: Meeting, emails: Iterable[str]) -> None:
        for email in emails:
            if email in self.calendars and email != meeting.organizer.email:
                meeting.gone_from.add(email)
                for instance in self.calendars[email].values():
                    if instance.series == meeting.id:
                        instance.gone_from.add(email)

    def put_back(self, meeting: Meeting, emails: Iterable[str]) -> None:
        """Puts it back on the calendars of people who are invited again, or who removed it."""
        for email in emails:
            for part in (meeting, *self._instances(meeting.organizer, meeting)):
                part.gone_from.discard(email)

    def _instances(self, party: Party, meeting: Meeting) -> list[Meeting]:
        events = self.calendars.get(party.email, {}).values()
        return [event for event in events if event.series == meeting.id]

    def _tell(
        self, kind: str, meeting: Meeting, to: set[str], send_updates: str, *, sender: Party | None = None
    ) -> None:
        who = sender or meeting.creator or meeting.organizer
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
        people: set[str] = set()
        for email, events in self.calendars.items():
            if meeting.id in events:
                party = self.parties[email]
                people.update(party.roles if isinstance(party, Host) else {party.handle})
        summary = meeting.shared.get("summary", "")
        self.changes.publish("event_changed", change=change, id=meeting.id, people=sorted(people), summary=summary)

    def _next_version(self) -> int:
        self._versions += 1
        return self._versions


def addresses(meeting: Meeting) -> set[str]:
    """The guests' addresses, without the organizer's."""
    return {guest["email"].lower() for guest in meeting.guests} - {meeting.organizer.email}
