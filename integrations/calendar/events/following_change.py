"""A change of this and all following occurrences, in two writes that survive a crash between them.

The new series is made first, under an id that follows from the action and the approved version. Then the old series is
ended, only if it is still that version. So no meeting is ever missing, every attempt makes the same new series, and an
attempt that finds it goes on with ending the old one. When the old series was changed by somebody meanwhile, the new
one is deleted again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from integrations.base import Call, Done, NotDone, Reconciled, Unknown
from integrations.calendar.client import CalendarClient, event_id_for, split_event_id
from integrations.calendar.events.change import Change
from integrations.calendar.events.continuation import continuation
from integrations.calendar.events.insertion import insert_once
from integrations.calendar.events.results import CALENDAR_LINK, event_result
from integrations.calendar.events.series_split import ended_lines, is_ended
from integrations.calendar.events.target import Target
from integrations.calendar.time_range import TimeRange
from integrations.calendar.wire import Event
from integrations.errors import Ambiguous, BasisChanged, ToolError
from integrations.google.errors import Missing, Stale

WHAT = "changing the following occurrences"


@dataclass(frozen=True, slots=True)
class FollowingChange:
    """The split of one series before the named occurrence."""

    client: CalendarClient
    target: Target
    zone: str

    async def apply(self, change: Change, call: Call, *, notify: str, cancelled: Sequence[TimeRange] = ()) -> Event:
        """Make both writes. Raises `BasisChanged` or a `ToolError` only when neither stands, else `Ambiguous`."""
        new_id = self._new_id(call, self.target.event.etag)
        body = continuation(self.target, change, self.zone, call.key, cancelled=cancelled)
        calendar, _ = split_event_id(self.target.event.id)
        new = await insert_once(self.client, new_id, body, call, notify=notify, calendar=calendar)
        try:
            await self.client.patch(
                self.target.event.id,
                {"recurrence": ended_lines(self.target, self.zone)},
                etag=self.target.event.etag,
                notify=notify,
            )
        except Stale:
            if not self._is_ended(await self._old()):
                await self._delete_again(new, notify=notify)
                raise BasisChanged(what="the series") from None
        except ToolError:
            await self._delete_again(new, notify=notify)
            raise
        return new

    async def reconcile(self, call: Call, etag: str) -> Reconciled:
        """Done when both parts are as they should be; not done when the old series is as it was."""
        old = await self.client.event(self.target.event.id)
        new = await self._found(self._new_id(call, etag))
        if new is not None and self._is_ended(old):
            return Done(event_result(new, self.zone, done="Changed", meet=new.conference_data is not None))
        if old.etag == etag:
            return NotDone()
        where = "Google Calendar: whether the old series ends and the new one begins"
        return Unknown(where=where, link=old.html_link or CALENDAR_LINK)

    def _is_ended(self, old: Event) -> bool:
        return is_ended(self.target, old, self.zone)

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

    async def _found(self, event_id: str) -> Event | None:
        try:
            event = await self.client.event(event_id)
        except Missing:
            return None
        return None if event.status == "cancelled" else event

    def _new_id(self, call: Call, etag: str) -> str:
        calendar, _ = split_event_id(self.target.event.id)
        plain = event_id_for(f"{call.key}:{etag}")
        return plain if calendar == "primary" else f"{plain}@{calendar}"
