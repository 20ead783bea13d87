"""calendar_event_update: a change of the event that was looked at, and of no other version."""

from __future__ import annotations

from integrations.base import Call, Done, NotDone, Preview, Reconciled, Result, Tool, ToolContext, Unknown
from integrations.calendar.arguments import UpdateArgs
from integrations.calendar.cards import changed_event_card
from integrations.calendar.changes import Change, same
from integrations.calendar.client import Agenda
from integrations.calendar.conflicts import Conflicts, Moved, look_for_conflicts
from integrations.calendar.cutting import Cut
from integrations.calendar.deviations import Deviations, deviations_ahead, deviations_of, left_out
from integrations.calendar.halves import ended, rest
from integrations.calendar.meet import with_meet
from integrations.calendar.rows import CALENDAR_LINK, event_result
from integrations.calendar.splitting import gets_new_link
from integrations.calendar.targets import Reach, Target, target_from, target_of
from integrations.calendar.wire import Event
from integrations.calendar.zones import zone_for, zone_of
from integrations.errors import Ambiguous, BasisChanged, ToolError, ToolFailed
from integrations.google.client import GoogleClient
from integrations.google.errors import Stale
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
        what = "Move a calendar event" if args.start or args.end else "Change a calendar event"
        return f"{what} ({Reach(args.scope).caption})" if args.scope in {"following", "series"} else what

    async def preview(self, args: UpdateArgs, ctx: ToolContext) -> Preview:
        """Before and after, with what is in the way of the new time; raises when it is certain to fail."""
        agenda = Agenda(await self._google.account(ctx.requester, self.scopes))
        zone = await zone_of(ctx.requester, agenda)
        target = await target_of(agenda, args.event_id, args.scope)
        change = _possible(args, target, agenda, zone)
        moves_all = target.reach is Reach.SERIES and (change.span is not None or change.rule is not None)
        own_ways = await (deviations_ahead if moves_all else deviations_of)(agenda, target, zone)
        return changed_event_card(
            target,
            change,
            await _conflicts(agenda, target, change, zone, own_ways),
            own_ways,
            agenda=agenda,
            zone=zone,
            notify=args.notify,
            now=agenda.clock.now(),
        )

    async def execute(self, args: UpdateArgs, call: Call) -> Result:
        """Change it. Raises `BasisChanged` when it is not the version that the card showed."""
        agenda = Agenda(await self._google.account(call.requester, self.scopes, approved=call.account))
        zone = await zone_for(call, agenda)
        basis = _basis(call)
        target = await target_of(agenda, args.event_id, args.scope)
        if basis is not None and target.event.etag != basis.get("etag"):
            raise BasisChanged(what="the event")
        change = _possible(args, target, agenda, zone)
        own_ways = await deviations_of(agenda, target, zone)
        if basis is not None and own_ways.as_basis() != basis.get("own_ways", own_ways.as_basis()):
            raise BasisChanged(what="the series")
        if basis is None:
            await call.note(target.basis(zone))
        if target.reach is Reach.FOLLOWING:
            cut = Cut(agenda, target, zone)
            changed = await cut.carried_out(change, call, notify=args.notify, cancelled=own_ways.cancelled)
        else:
            changed = await _patched(agenda, target, change, call, zone, notify=args.notify)
        note = f"As the series again: {own_ways.named()}" if own_ways.changed else ""
        meet = args.meet or gets_new_link(target)
        return event_result(await with_meet(agenda, changed), zone, done="Changed", meet=meet, note=note)

    async def reconcile(self, args: UpdateArgs, call: Call) -> Reconciled:
        """Whether the event is as it was asked, still the old version, or something that only a person can tell."""
        basis = _basis(call)
        target = target_from(basis) if basis else None
        if basis is None or target is None:
            return NotDone()  # the note comes before the request
        try:
            agenda = Agenda(await self._google.account(call.requester, self.scopes, approved=call.account))
            zone = await zone_for(call, agenda)
            change = Change.asked(args, target, zone=zone)
            if target.reach is Reach.FOLLOWING:
                return await Cut(agenda, target, zone).settled(call, str(basis.get("etag")))
            event = await agenda.event(target.event.id)
        except (ToolError, BasisChanged):
            return Unknown(where="Google Calendar", link=CALENDAR_LINK)
        if change.holds(event, zone):  # asked first: new reminders may leave the version as it was
            return Done(event_result(event, zone, done="Changed", meet=args.meet))
        if event.etag == basis.get("etag"):
            return NotDone()
        return Unknown(where="Google Calendar", link=event.html_link or CALENDAR_LINK)


def _basis(call: Call) -> dict[str, object] | None:
    """The version that was approved, else the one that an earlier attempt noted: the same in every attempt."""
    found = call.basis if "etag" in call.basis else call.noted
    return dict(found) if "etag" in found else None


def _possible(args: UpdateArgs, target: Target, agenda: Agenda, zone: str) -> Change:
    """The change, if the event can be changed at all."""
    refuse_others(target.event, agenda)
    change = Change.asked(args, target, zone=zone).without_the_same(target, zone)
    change.as_patch(target.event, "")
    if target.reach is Reach.FOLLOWING:
        ended(target, zone)
        rest(target, zone)
    return change


def refuse_others(event: Event, agenda: Agenda) -> None:
    """Raises `ToolFailed` for an event that only its organizer can change, before anybody is asked."""
    mine = event.organizer.is_self or event.organizer.email.lower() in {"", agenda.email.lower()}
    if not mine and not event.guests_can_modify:
        message = f"Only the organizer ({event.organizer.email}) can change this event."
        hint = "Answer it with calendar_event_answer (decline, with a comment), or offer to write to the organizer."
        raise ToolFailed("not_organizer", message, hint=hint)


async def _conflicts(agenda: Agenda, target: Target, change: Change, zone: str, own_ways: Deviations) -> Conflicts:
    """Looked for only where time or guests change; the event itself, or its series, is in nobody's way."""
    if change.span is None and change.rule is None and not change.added:
        return Conflicts()
    removed = {email.lower() for email in change.removed}
    guests = target.event.guests()
    others = [guest.email for guest in guests if not guest.is_self and guest.email.lower() not in removed]
    asked = [*others, *change.added] if change.span or change.rule else change.added
    try:
        before, after = target.times(zone), change.times(target, zone)
    except ToolFailed:  # a rule beyond us, whose time stays
        before = after = [target.span(zone)]
    off = left_out(own_ways.cancelled, target.planned(zone), after[0])
    after = [span for span in after if not any(same(span, other) for other in off)]
    there = frozenset(guest.email.lower() for guest in guests if guest.response_status != "declined")
    moved = Moved(event_id=target.event.id, times=before, guests=there)
    return await look_for_conflicts(agenda, after, asked, zone=zone, moved=moved)


async def _patched(agenda: Agenda, target: Target, change: Change, call: Call, zone: str, *, notify: str) -> Event:
    event = target.event
    try:
        return await agenda.patch(event.id, change.as_patch(event, call.key), etag=event.etag, notify=notify)
    except Stale:
        # Either somebody was faster, or an attempt whose answer was lost is what changed it.
        try:
            now = await agenda.event(event.id)
        except ToolError:
            raise Ambiguous("changing the event") from None
        if change.holds(now, zone):
            return now
        raise BasisChanged(what="the event") from None
