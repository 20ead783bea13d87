"""A change of this and all following occurrences, in two writes that survive a crash between them.

Google has no such call (recurring events guide, "Modifying all following instances"). The new series is made first,
under an id that follows from the action and the approved version. Then the old series is ended, only if it is still
that version. So no meeting is ever missing, every attempt makes the same new series, and an attempt that finds it goes
on with ending the old one. When the old series was changed by somebody meanwhile, the new one is deleted again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from integrations.base import Call, Done, NotDone, Reconciled, Unknown
from integrations.calendar.client import CalendarClient, made_event_id, split_event_id
from integrations.calendar.events.change import EventChange
from integrations.calendar.events.details import conference_for, everybody
from integrations.calendar.events.exceptions import left_out
from integrations.calendar.events.own_words import BY_OTHERS, is_written_alone
from integrations.calendar.events.results import CALENDAR_LINK, event_result
from integrations.calendar.events.target import Target
from integrations.calendar.recurrence.series import as_exdates
from integrations.calendar.time_range import TimeRange, new_times
from integrations.calendar.wire import Event
from integrations.errors import Ambiguous, BasisChanged, Missing, Stale, ToolError

COPIED = (
    *("summary", "description", "location", "colorId", "transparency", "visibility", "reminders", "extendedProperties"),
    *("guestsCanInviteOthers", "guestsCanModify", "guestsCanSeeOtherGuests", "anyoneCanAddSelf", "source", "status"),
    *("attachments", "eventType", "focusTimeProperties", "outOfOfficeProperties", "workingLocationProperties"),
)
FROM_GMAIL = "fromGmail"  # Events, `eventType`: only Gmail makes these, so the copy is a plain event
WHAT = "changing the following occurrences"
OWN_FIELDS = frozenset({"self", "organizer", "id"})


def continuation(
    target: Target, change: EventChange, key: str, *, home: str, cancelled: Sequence[TimeRange] = ()
) -> dict[str, object]:
    """The body of events.insert for the new series: everything as it was, with the change, and whose words it has.

    `cancelled` are cancelled times of the old series; the new one leaves them out. `home` is the owner's address.
    """
    whole: Mapping[str, object] = target.event.model_dump(by_alias=True, exclude_unset=True, exclude_none=True)
    body = {name: whole[name] for name in COPIED if name in whole}
    if not is_written_alone(target.event, home):
        kept = target.event.extended_properties.model_dump(by_alias=True, exclude_unset=True)
        body["extendedProperties"] = kept | {"private": {**target.event.extended_properties.private, BY_OTHERS: "1"}}
    if body.get("eventType") == FROM_GMAIL:
        del body["eventType"]
    if target.event.has_foreign_conference():
        body["conferenceData"] = _copied_conference(cast("Mapping[str, object]", whole["conferenceData"]))
    elif target.gets_new_link():
        body["conferenceData"] = conference_for(key)
    if guests := everybody(target.event, add=change.added, remove=change.removed):
        body["attendees"] = [
            {name: value for name, value in guest.items() if name not in OWN_FIELDS} for guest in guests
        ]
    first = change.span or target.planned()
    body |= new_times(first)
    rule = change.rule or target.rest_rule()
    body["recurrence"] = [rule.as_text(), *as_exdates(left_out(cancelled, target.planned(), first))]
    patch = change.as_patch(target.event, key)
    return body | {
        name: value for name, value in patch.items() if name not in {"start", "end", "recurrence", "attendees"}
    }


def _copied_conference(conference: Mapping[str, object]) -> dict[str, object]:
    """A third party's conference for another event: the solution and its entry points, without the request."""
    return {name: value for name, value in conference.items() if name != "createRequest"}


@dataclass(frozen=True, slots=True)
class FollowingChange:
    """The split of one series before the named occurrence."""

    client: CalendarClient
    target: Target

    async def apply(
        self, change: EventChange, call: Call, *, notify: str, cancelled: Sequence[TimeRange] = ()
    ) -> Event:
        """Make both writes. Raises `BasisChanged` or a `ToolError` only when neither stands, else `Ambiguous`."""
        new_id = self._new_id(call, self.target.event.etag)
        body = continuation(self.target, change, call.key, home=self.client.email, cancelled=cancelled)
        calendar, _ = split_event_id(self.target.event.id)
        new = await self.client.insert_once(new_id, body, call, notify=notify, calendar=calendar)
        try:
            await self.client.patch(
                self.target.event.id,
                {"recurrence": self.target.ended_lines()},
                etag=self.target.event.etag,
                notify=notify,
            )
        except Stale:
            if not self.target.is_ended(await self._old()):
                await self._delete_again(new, notify=notify)
                raise BasisChanged(what="the series") from None
        except ToolError:
            await self._delete_again(new, notify=notify)
            raise
        return new

    async def reconcile(self, call: Call, etag: str) -> Reconciled:
        """Done when both parts are as they should be; not done when the old series is as it was."""
        old = await self.client.event(self.target.event.id)
        new = await self.client.find_event(self._new_id(call, etag))
        if new is not None and new.status != "cancelled" and self.target.is_ended(old):
            return Done(event_result(new, self.target.zone, done="Changed", meet=new.conference_data is not None))
        if old.etag == etag:
            return NotDone()
        where = "Google Calendar: whether the old series ends and the new one begins"
        return Unknown(where=where, link=old.html_link or CALENDAR_LINK)

    async def _old(self) -> Event:
        try:
            return await self.client.event(self.target.event.id)
        except ToolError:
            raise Ambiguous(WHAT) from None

    async def _delete_again(self, new: Event, *, notify: str) -> None:
        try:
            await self.client.delete(new.id, etag=new.etag, notify=notify)
        except Missing:
            return
        except ToolError:
            raise Ambiguous(WHAT) from None

    def _new_id(self, call: Call, etag: str) -> str:
        calendar, _ = split_event_id(self.target.event.id)
        return made_event_id(f"{call.key}:{etag}", calendar)
