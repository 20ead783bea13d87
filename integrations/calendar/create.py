"""calendar_event_create: a new event, under an id of our own so that it is never there twice."""

from __future__ import annotations

from collections.abc import Mapping

from integrations.base import Call, Done, NotDone, Preview, Reconciled, Result, Tool, ToolContext, Unknown
from integrations.calendar.arguments import CreateArgs
from integrations.calendar.cards import new_event_card
from integrations.calendar.choosing import other_calendar
from integrations.calendar.client import PRIMARY, Agenda, event_id_for, place_of, placed
from integrations.calendar.conflicts import look_for_conflicts
from integrations.calendar.guests import parse_guests
from integrations.calendar.meet import with_meet
from integrations.calendar.proposals import Proposal
from integrations.calendar.repeating import rule_for
from integrations.calendar.rows import CALENDAR_LINK, clean, event_result
from integrations.calendar.spans import checked_zone
from integrations.calendar.times import span_between
from integrations.calendar.wire import Event
from integrations.calendar.zones import zone_for, zone_of
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
        repeats = ", repeating" if args.recurrence else ""
        where = f" on {clean(args.calendar, 40)}" if args.calendar else ""
        return f"Create “{clean(args.title, 60)}”, {clean(args.start, 25).replace('T', ' ')}{repeats}{where}"

    async def preview(self, args: CreateArgs, ctx: ToolContext) -> Preview:
        """The event with what is in its way; raises `ModelRetry` when it cannot be created."""
        _proposal(args, ctx.requester.zone)  # what is wrong in itself is said before Google is asked
        agenda = Agenda(await self._google.account(ctx.requester, self.scopes))
        zone = await zone_of(ctx.requester, agenda)
        calendar = await other_calendar(agenda, args.calendar)
        proposal = _proposal(args, zone)
        conflicts = await look_for_conflicts(agenda, proposal.times(), proposal.guests, zone=zone)
        chosen, now = args.zone is not None, agenda.clock.now()
        return new_event_card(proposal, conflicts, agenda=agenda, zone=zone, chosen=chosen, now=now, calendar=calendar)

    async def execute(self, args: CreateArgs, call: Call) -> Result:
        """Create it, or find what an earlier attempt created."""
        agenda = Agenda(await self._google.account(call.requester, self.scopes, approved=call.account))
        zone = await zone_for(call, agenda)
        proposal = _proposal(args, zone)
        body = proposal.as_google(call.key)
        calendar = await _calendar(args, call, agenda)
        event_id = placed(event_id_for(call.key), calendar)
        event = await created(agenda, event_id, body, call, notify=proposal.notify, calendar=calendar)
        return event_result(await with_meet(agenda, event), zone, done="Created", meet=args.meet)

    async def reconcile(self, args: CreateArgs, call: Call) -> Reconciled:
        """Whether the event with this action's id exists."""
        try:
            agenda = Agenda(await self._google.account(call.requester, self.scopes, approved=call.account))
            zone = await zone_for(call, agenda)
            event = await agenda.event(placed(event_id_for(call.key), await _calendar(args, call, agenda)))
        except Missing:
            return NotDone()
        except (ToolError, BasisChanged):
            return Unknown(where="Google Calendar", link=CALENDAR_LINK)
        return Done(event_result(event, zone, done="Created", meet=args.meet))


async def _calendar(args: CreateArgs, call: Call, agenda: Agenda) -> str:
    """The calendar that the card named, by its id: a name may be another calendar's by now."""
    if known := call.basis.get("calendar"):
        return str(known)
    other = await other_calendar(agenda, args.calendar)
    return other.id if other else PRIMARY


async def created(
    agenda: Agenda, event_id: str, body: Mapping[str, object], call: Call, *, notify: str, calendar: str = PRIMARY
) -> Event:
    """Insert, look when in doubt, insert once more: the id makes the second one harmless."""
    if call.attempt > 1 and (earlier := await _found(agenda, event_id)):
        return earlier

    async def inserted() -> Event:
        _, plain = place_of(event_id)
        try:
            return await agenda.insert(plain, body, notify=notify, deadline=call.until, calendar=calendar)
        except Duplicate:
            found = await _found(agenda, event_id)
            if found is None:
                raise Ambiguous("creating the event") from None
            return found

    try:
        return await inserted()
    except Ambiguous as doubt:
        try:
            return await _found(agenda, event_id) or await inserted()
        except ToolError:
            raise doubt from None  # the first attempt may have arrived all the same


async def _found(agenda: Agenda, event_id: str) -> Event | None:
    try:
        return await agenda.event(event_id)
    except Missing:
        return None


def _proposal(args: CreateArgs, zone: str) -> Proposal:
    if not args.title.strip():
        raise ModelRetry("empty_title", "The event needs a title.", private=False)
    span = span_between(args.start, args.end, checked_zone(args.zone, zone))
    return Proposal(
        title=args.title.strip(),
        span=span,
        guests=parse_guests(args.attendees),
        location=args.location or "",
        description=args.description or "",
        notify=args.notify,
        rule=rule_for(args.recurrence, span) if args.recurrence else None,
        meet=args.meet,
        reminders=args.reminders,
    )
