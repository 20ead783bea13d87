"""What the tools that write events have in common: one account and one zone for a call, and the approved version."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeVar

from integrations.base import Args, Call, NotDone, Preview, Reconciled, Result, Tool, ToolContext, Unknown
from integrations.calendar.arguments import EventArgs
from integrations.calendar.calendars import names_of_calendar_of
from integrations.calendar.client import CalendarClient
from integrations.calendar.events.results import LOOK_IN_CALENDAR
from integrations.calendar.events.rivals import with_other_events
from integrations.calendar.events.target import Target, target_from, target_of
from integrations.calendar.wire import Event
from integrations.errors import Ambiguous, BasisChanged, Stale, ToolError
from integrations.google.client import GoogleClient
from integrations.google.scopes import EVENTS
from integrations.text import prose
from policies.types import EffectClass

OnEvent = TypeVar("OnEvent", bound=EventArgs)


class CalendarCall(NamedTuple):
    """One person's calendar during a call, and the zone that counts for it."""

    client: CalendarClient
    zone: str


class EventTool(Tool[Args]):
    """A tool that writes events, which others may see: its card, its write and its outcome are asked for with a session
    each.

    Its long description is the `.md` file beside its module, of the same name.
    """

    effect = EffectClass.EXTERNAL
    provider = "google"
    scopes = frozenset({EVENTS})
    timeout_seconds = 60.0
    can_reconcile = True
    thing = "event"

    def __init__(self, google: GoogleClient) -> None:
        self._google = google
        module = type(self).__module__
        self.description = prose(module, f"{module.rpartition('.')[2]}.md")

    async def preview(self, args: Args, ctx: ToolContext) -> Preview:
        """The card for the person's account as it is now."""
        client = CalendarClient(await self._google.account(ctx.requester, self.scopes))
        return await self._shown(args, CalendarCall(client, await client.zone_of(ctx.requester)))

    async def execute(self, args: Args, call: Call) -> Result:
        """The write, with the account and in the zone that were approved."""
        return await self._write(args, call, await self._approved(call))

    async def _shown(self, args: Args, session: CalendarCall) -> Preview:
        return await self._card(args, session)

    @abstractmethod
    async def _card(self, args: Args, session: CalendarCall) -> Preview:
        """What `preview` shows; raises as it does."""

    @abstractmethod
    async def _write(self, args: Args, call: Call, session: CalendarCall) -> Result:
        """What `execute` does; raises as it does."""

    def unknown(self, args: Args) -> Unknown:
        """The calendar, which shows the event as it is."""
        return LOOK_IN_CALENDAR

    async def _approved(self, call: Call) -> CalendarCall:
        client = CalendarClient(await self._google.account(call.requester, self.scopes, approved=call.account))
        # The zone of the card or of an earlier attempt, so that a later move of the person moves no event.
        kept = call.basis.get("zone") or call.noted.get("zone")
        return CalendarCall(client, str(kept) if kept else await client.zone_of(call.requester))

    async def _ask(self, call: Call, outcome: Callable[[CalendarCall], Awaitable[Reconciled]]) -> Reconciled:
        """The outcome of an attempt; unknown where Google does not tell it."""
        try:
            return await outcome(await self._approved(call))
        except (ToolError, BasisChanged):
            return LOOK_IN_CALENDAR


class ExistingEventTool(EventTool[OnEvent]):
    """A tool that writes an event that is there already, only in the version that was approved. Rules hear by which
    names its calendar goes.
    """

    async def _shown(self, args: OnEvent, session: CalendarCall) -> Preview:
        card = await self._card(args, session)
        return replace(card, places=await names_of_calendar_of(session.client, args.event_id))

    async def with_rivals(self, args: OnEvent, ctx: ToolContext, preview: Preview) -> Preview:
        """With the other events that may be meant by its title, and the days of all."""
        target = target_from(preview.basis, str(preview.basis.get("zone")))
        if preview.impact is None or target is None:
            return replace(preview, impact=None)
        client = CalendarClient(await self._google.account(ctx.requester, self.scopes))
        return replace(preview, impact=await with_other_events(preview.impact, client, target))

    async def reconcile(self, args: OnEvent, call: Call) -> Reconciled:
        """Nothing was sent while no version is noted, because the note comes before the request."""
        version = approved_version(call)
        if version is None and call.forgotten:
            return LOOK_IN_CALENDAR
        return await self._ask(call, partial(self._outcome_of, version, args, call)) if version else NotDone(final=True)

    async def _outcome_of(
        self, version: Mapping[str, object], args: OnEvent, call: Call, session: CalendarCall
    ) -> Reconciled:
        target = target_from(version, session.zone)
        return await self._outcome(args, call, target, session) if target else NotDone()

    @abstractmethod
    async def _outcome(self, args: OnEvent, call: Call, target: Target, session: CalendarCall) -> Reconciled:
        """Whether the target is as the call wants it; may raise `ToolError`, which leaves it unknown."""


def approved_version(call: Call) -> Mapping[str, object] | None:
    """The version that was approved, or that an earlier attempt noted: the same in every attempt."""
    found = call.basis if "etag" in call.basis else call.noted
    return found if "etag" in found else None


async def approved_target(session: CalendarCall, call: Call, event_id: str, scope: str | None) -> Target:
    """What the arguments name now. Raises `BasisChanged` when it is not the version that the card showed."""
    target, version = await target_of(session.client, event_id, scope, session.zone), approved_version(call)
    if version is not None and target.event.etag != version["etag"]:
        raise BasisChanged(what="the event")
    return target


async def note_version(call: Call, target: Target) -> None:
    """Note the version before it is written, where no card was approved."""
    if approved_version(call) is None:
        await call.note(target.basis())


async def patch(
    client: CalendarClient,
    event: Event,
    body: Mapping[str, object],
    *,
    notify: str,
    what: str,
    holds: Callable[[Event], bool],
) -> Event:
    """Patch this version of an event. Where it changed, `holds` tells a change of somebody else (`BasisChanged`) from
    an earlier attempt at this one whose answer was lost.
    """
    try:
        return await client.patch(event.id, body, etag=event.etag, notify=notify)
    except Stale:
        try:
            now = await client.event(event.id)
        except ToolError:
            raise Ambiguous(what) from None
        if holds(now):
            return now
        raise BasisChanged(what="the event") from None
