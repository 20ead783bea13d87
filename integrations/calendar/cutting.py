"""A change of this and all following occurrences, in two writes that a crash between them does not leave half done.

The new series is made first, under an id that follows from the action and from the version that was approved; then the
old one is ended, only if it is still that version. So at no moment a meeting is missing, every attempt makes the same
new series, and an attempt that finds it goes on with ending the old one. When the old one can no longer be ended,
because somebody changed it, the new one is taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from integrations.base import Call, Done, NotDone, Reconciled, Unknown
from integrations.calendar.changes import Change
from integrations.calendar.client import Agenda, event_id_for, place_of
from integrations.calendar.create import created
from integrations.calendar.halves import ended_lines, is_ended
from integrations.calendar.rows import CALENDAR_LINK, event_result
from integrations.calendar.spans import Span
from integrations.calendar.splitting import continuation
from integrations.calendar.targets import Target
from integrations.calendar.wire import Event
from integrations.errors import Ambiguous, BasisChanged, ToolError
from integrations.google.errors import Missing, Stale

WHAT = "changing the following occurrences"


@dataclass(frozen=True, slots=True)
class Cut:
    """The cut of one series before the occurrence that was named."""

    agenda: Agenda
    target: Target
    zone: str

    async def carried_out(self, change: Change, call: Call, *, notify: str, cancelled: Sequence[Span] = ()) -> Event:
        """Both writes. Raises `BasisChanged` or a `ToolError` only when nothing of it stands, else `Ambiguous`."""
        new_id = self._new_id(call, self.target.event.etag)
        body = continuation(self.target, change, self.zone, call.key, cancelled=cancelled)
        calendar, _ = place_of(self.target.event.id)
        new = await created(self.agenda, new_id, body, call, notify=notify, calendar=calendar)
        try:
            await self.agenda.patch(
                self.target.event.id,
                {"recurrence": ended_lines(self.target, self.zone)},
                etag=self.target.event.etag,
                notify=notify,
            )
        except Stale:
            if not self._is_ended(await self._old()):
                await self._taken_back(new, notify=notify)
                raise BasisChanged(what="the series") from None
        except ToolError:
            await self._taken_back(new, notify=notify)
            raise
        return new

    async def settled(self, call: Call, etag: str) -> Reconciled:
        """Both halves as they should be: done. The old one as it was: another attempt begins, or goes on."""
        old = await self.agenda.event(self.target.event.id)
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
            return await self.agenda.event(self.target.event.id)
        except ToolError:
            raise Ambiguous(WHAT) from None

    async def _taken_back(self, new: Event, *, notify: str) -> None:
        try:
            await self.agenda.delete(new.id, etag=new.etag, notify=notify)
        except Missing:
            return
        except ToolError:
            raise Ambiguous(WHAT) from None

    async def _found(self, event_id: str) -> Event | None:
        try:
            event = await self.agenda.event(event_id)
        except Missing:
            return None
        return None if event.status == "cancelled" else event

    def _new_id(self, call: Call, etag: str) -> str:
        calendar, _ = place_of(self.target.event.id)
        plain = event_id_for(f"{call.key}:{etag}")
        return plain if calendar == "primary" else f"{plain}@{calendar}"
