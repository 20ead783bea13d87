"""calendar_event_create: a new event, under an id of our own so that it is never there twice."""

from __future__ import annotations

from integrations.base import (
    Call,
    Done,
    NotDone,
    Preview,
    Reconciled,
    Result,
    Tool,
    ToolContext,
    Unknown,
)
from integrations.calendar.arguments import CreateArgs
from integrations.calendar.cards import new_event_card
from integrations.calendar.client import Agenda, event_id_for
from integrations.calendar.conflicts import look_for_conflicts
from integrations.calendar.guests import parse_guests
from integrations.calendar.proposals import Proposal
from integrations.calendar.rows import CALENDAR_LINK, clean, event_result
from integrations.calendar.spans import checked_zone
from integrations.calendar.times import span_between
from integrations.calendar.wire import Event
from integrations.errors import Ambiguous, BasisChanged, ModelRetry, ToolError
from integrations.google.client import GoogleClient
from integrations.google.errors import Duplicate, Missing
from integrations.google.scopes import EVENTS
from integrations.prose import prose
from policies.types import EffectClass


class CalendarEventCreate(Tool[CreateArgs]):
    """Creates an event once: inserting the same id again is refused by Google."""

    name = "calendar_event_create"
    effect = EffectClass.EXTERNAL
    provider = "google"
    scopes = frozenset({EVENTS})
    timeout_seconds = 60.0
    can_reconcile = True
    args = CreateArgs

    def __init__(self, google: GoogleClient) -> None:
        self._google = google
        self.description = prose(__name__, "create.md")

    def caption(self, args: CreateArgs) -> str:
        """Names title and start."""
        return f"Create “{clean(args.title, 60)}”, {clean(args.start, 25).replace('T', ' ')}"

    async def preview(self, args: CreateArgs, ctx: ToolContext) -> Preview:
        """The event with what is in its way; raises `ModelRetry` when it cannot be created."""
        proposal = _proposal(args, ctx.requester.zone)
        agenda = Agenda(await self._google.account(ctx.requester, self.scopes))
        conflicts = await look_for_conflicts(agenda, proposal.span, proposal.guests, zone=ctx.requester.zone)
        return new_event_card(proposal, conflicts, agenda=agenda, zone=ctx.requester.zone, now=agenda.clock.now())

    async def execute(self, args: CreateArgs, call: Call) -> Result:
        """Create it, or find what an earlier attempt created."""
        proposal = _proposal(args, call.requester.zone)
        agenda = Agenda(await self._google.account(call.requester, self.scopes, approved=call.account))
        event = await _created(agenda, proposal, call)
        return event_result(event, call.requester.zone, done="Created")

    async def reconcile(self, args: CreateArgs, call: Call) -> Reconciled:
        """Whether the event with this action's id exists."""
        try:
            agenda = Agenda(await self._google.account(call.requester, self.scopes, approved=call.account))
            event = await agenda.event(event_id_for(call.key))
        except Missing:
            return NotDone()
        except (ToolError, BasisChanged):
            return Unknown(where="Google Calendar", link=CALENDAR_LINK)
        return Done(event_result(event, call.requester.zone, done="Created"))


async def _created(agenda: Agenda, proposal: Proposal, call: Call) -> Event:
    """Insert, look when in doubt, insert once more: the id makes the second one harmless."""
    event_id = event_id_for(call.key)
    if call.attempt > 1 and (earlier := await _found(agenda, event_id)):
        return earlier
    try:
        return await _inserted(agenda, event_id, proposal, call)
    except Ambiguous as doubt:
        try:
            return await _found(agenda, event_id) or await _inserted(agenda, event_id, proposal, call)
        except ToolError:
            raise doubt from None  # the first attempt may have arrived all the same


async def _inserted(agenda: Agenda, event_id: str, proposal: Proposal, call: Call) -> Event:
    try:
        return await agenda.insert(event_id, proposal.as_google(), notify=proposal.notify, deadline=call.deadline)
    except Duplicate:
        found = await _found(agenda, event_id)
        if found is None:
            raise Ambiguous("creating the event") from None
        return found


async def _found(agenda: Agenda, event_id: str) -> Event | None:
    try:
        return await agenda.event(event_id)
    except Missing:
        return None


def _proposal(args: CreateArgs, default_zone: str) -> Proposal:
    zone = checked_zone(args.zone, default_zone)
    if not args.title.strip():
        raise ModelRetry("empty_title", "The event needs a title.", private=False)
    return Proposal(
        title=args.title.strip(),
        span=span_between(args.start, args.end, zone),
        guests=parse_guests(args.attendees),
        location=args.location or "",
        description=args.description or "",
        notify=args.notify,
    )
