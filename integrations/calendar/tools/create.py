"""calendar_event_create: a new event, under an id of our own so that it never exists twice."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from integrations.base import Call, Done, NotDone, Preview, Reconciled, Result, ToolContext
from integrations.calendar.arguments import CreateArgs
from integrations.calendar.calendars import as_named, calendar_named, names_of
from integrations.calendar.cards.new_event import new_event_card
from integrations.calendar.client import PRIMARY, CalendarClient, made_event_id
from integrations.calendar.conflicts import look_for_conflicts
from integrations.calendar.events.impact import impact_of_new_event
from integrations.calendar.events.new_event import NewEvent
from integrations.calendar.events.results import event_result
from integrations.calendar.time_range import roughly
from integrations.calendar.tools.event_tool import CalendarCall, EventTool
from policies.characters import quoted
from policies.guards.verbs import MAKE


class CalendarEventCreate(EventTool[CreateArgs]):
    """Creates an event once: Google refuses to insert the same id again."""

    name = "calendar_event_create"
    verbs = MAKE
    makes = "event"
    args = CreateArgs

    def caption(self, args: CreateArgs) -> str:
        """Names title and start."""
        repeats = ", repeating" if args.recurrence else ""
        where = f" on {quoted(args.calendar, 40)}" if args.calendar else ""
        return f"Create {quoted(args.title)}, {roughly(args.start)}{repeats}{where}"

    async def preview(self, args: CreateArgs, ctx: ToolContext) -> Preview:
        """The event with what is in its way; raises `ModelRetry` when it cannot be created."""
        NewEvent.from_arguments(args, ctx.requester.zone)  # wrong arguments are refused before Google is asked
        return await super().preview(args, ctx)

    async def reconcile(self, args: CreateArgs, call: Call) -> Reconciled:
        """Whether the event with this action's id exists."""
        return await self._ask(call, partial(self._outcome, args, call))

    async def _card(self, args: CreateArgs, session: CalendarCall) -> Preview:
        client, zone = session
        calendar = await calendar_named(client, args.calendar)
        new_event = NewEvent.from_arguments(args, zone)
        conflicts = await look_for_conflicts(client, new_event.times(), new_event.guests, zone=zone)
        chosen = args.zone is not None
        card = new_event_card(new_event, conflicts, client=client, zone=zone, chosen=chosen, calendar=calendar)
        shared = as_named(calendar, args.calendar) if calendar else None
        impact = impact_of_new_event(new_event, args.attendees, home=client.email, calendar=shared)
        return replace(card, impact=impact, places=names_of(calendar) if calendar else ())

    async def _write(self, args: CreateArgs, call: Call, session: CalendarCall) -> Result:
        client, zone = session
        body = NewEvent.from_arguments(args, zone).as_google(call.key)
        calendar = await _calendar(args, call, client)
        event_id = made_event_id(call.key, calendar)
        event = await client.insert_once(event_id, body, call, notify=args.notify, calendar=calendar)
        return event_result(await client.with_meet(event), zone, done="Created", meet=args.meet)

    async def _outcome(self, args: CreateArgs, call: Call, session: CalendarCall) -> Reconciled:
        client, zone = session
        event_id = made_event_id(call.key, await _calendar(args, call, client))
        event = await client.find_event(event_id)
        return Done(event_result(event, zone, done="Created", meet=args.meet)) if event else NotDone()


async def _calendar(args: CreateArgs, call: Call, client: CalendarClient) -> str:
    """The id of the calendar that the card named: by now the name may be that of another one."""
    if known := call.basis.get("calendar"):
        return str(known)
    other = await calendar_named(client, args.calendar)
    return other.id if other else PRIMARY
