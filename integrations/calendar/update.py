"""calendar_event_update: a change of the event that was looked at, and of no other version."""

from __future__ import annotations

from integrations.base import Call, Done, NotDone, Preview, Reconciled, Result, Tool, ToolContext, Unknown
from integrations.calendar.arguments import UpdateArgs
from integrations.calendar.cards import changed_event_card
from integrations.calendar.changes import Change, basis_of, times_of
from integrations.calendar.client import Agenda
from integrations.calendar.conflicts import Conflicts, look_for_conflicts
from integrations.calendar.rows import CALENDAR_LINK, event_result
from integrations.calendar.spans import span_of
from integrations.calendar.wire import Event
from integrations.errors import Ambiguous, BasisChanged, ModelRetry, ToolError, ToolFailed
from integrations.google.client import GoogleClient
from integrations.google.errors import Missing, Stale
from integrations.google.scopes import EVENTS
from integrations.prose import prose
from policies.types import EffectClass


class CalendarEventUpdate(Tool[UpdateArgs]):
    """GET, merge, PATCH with If-Match: what was approved is what changes, or nothing does."""

    name = "calendar_event_update"
    effect = EffectClass.EXTERNAL
    provider = "google"
    scopes = frozenset({EVENTS})
    timeout_seconds = 60.0
    can_reconcile = True
    args = UpdateArgs

    def __init__(self, google: GoogleClient) -> None:
        self._google = google
        self.description = prose(__name__, "update.md")

    def caption(self, args: UpdateArgs) -> str:
        """Says what kind of change it is."""
        return "Move a calendar event" if args.start or args.end else "Change a calendar event"

    async def preview(self, args: UpdateArgs, ctx: ToolContext) -> Preview:
        """Before and after, with what is in the way of the new time; raises when it is certain to fail."""
        agenda = Agenda(await self._google.account(ctx.requester, self.scopes))
        event = await agenda.event(args.event_id)
        change = _possible(args, event, agenda, ctx.requester.zone)
        conflicts = await _conflicts(agenda, event, change, ctx.requester.zone)
        return changed_event_card(
            event, change, conflicts, agenda=agenda, zone=ctx.requester.zone, notify=args.notify, now=agenda.clock.now()
        )

    async def execute(self, args: UpdateArgs, call: Call) -> Result:
        """Change it. Raises `BasisChanged` when it is not the version that the card showed."""
        agenda = Agenda(await self._google.account(call.requester, self.scopes, approved=call.account))
        event = await agenda.event(args.event_id)
        approved = call.basis.get("etag")
        if approved is not None and event.etag != approved:
            raise BasisChanged(what="the event")
        change = _possible(args, event, agenda, call.requester.zone)
        if approved is None:
            await call.note(basis_of(event))
        changed = await _patched(agenda, event, change, notify=args.notify, zone=call.requester.zone)
        return event_result(changed, call.requester.zone, done="Changed")

    async def reconcile(self, args: UpdateArgs, call: Call) -> Reconciled:
        """Whether the event is as it was asked, still the old version, or something that only a person can tell."""
        basis = call.basis if "etag" in call.basis else call.noted
        times = times_of(basis)
        if times is None:
            return NotDone()  # the note comes before the request
        try:
            agenda = Agenda(await self._google.account(call.requester, self.scopes, approved=call.account))
            event = await agenda.event(args.event_id)
            change = Change.asked(args, start=times[0], end=times[1], zone=call.requester.zone)
        except (ToolError, BasisChanged):
            return Unknown(where="Google Calendar", link=CALENDAR_LINK)
        if event.etag == basis.get("etag"):
            return NotDone()
        if change.holds(event, call.requester.zone):
            return Done(event_result(event, call.requester.zone, done="Changed"))
        return Unknown(where="Google Calendar", link=event.html_link or CALENDAR_LINK)


def _possible(args: UpdateArgs, event: Event, agenda: Agenda, zone: str) -> Change:
    """The change, if the event can be changed at all."""
    if event.status == "cancelled":
        raise Missing("event_not_found", "This event was cancelled.", hint="calendar_search")
    if event.recurrence:
        message = "This id is a whole series. Take the id of one occurrence from calendar_search."
        raise ModelRetry("is_a_series", message)
    mine = event.organizer.is_self or event.organizer.email.lower() in {"", agenda.email.lower()}
    if not mine and not event.guests_can_modify:
        message = f"Only the organizer ({event.organizer.email}) can change this event."
        raise ToolFailed("not_organizer", message, hint="Offer to write to the organizer.")
    change = Change.asked(args, start=event.start, end=event.end, zone=zone).without_the_same(event, zone)
    change.as_patch(event)
    return change


async def _conflicts(agenda: Agenda, event: Event, change: Change, zone: str) -> Conflicts:
    """Looked for only where the time or the guests change; the event itself is in nobody's way."""
    if change.span is None and not change.added:
        return Conflicts()
    now = span_of(event.start, event.end, zone)
    removed = {email.lower() for email in change.removed}
    others = [guest.email for guest in event.guests() if not guest.is_self and guest.email.lower() not in removed]
    asked = [*others, *change.added] if change.span is not None else change.added
    return await look_for_conflicts(agenda, change.span or now, asked, zone=zone, moved=(event.id, now))


async def _patched(agenda: Agenda, event: Event, change: Change, *, notify: str, zone: str) -> Event:
    try:
        return await agenda.patch(event.id, change.as_patch(event), etag=event.etag, notify=notify)
    except Stale:
        # Either somebody was faster, or an attempt whose answer was lost is what changed it.
        try:
            now = await agenda.event(event.id)
        except ToolError:
            raise Ambiguous("changing the event") from None
        if change.holds(now, zone):
            return now
        raise BasisChanged(what="the event") from None
