"""calendar_event_update: a change of an event in the version that was approved, and of no other."""

from __future__ import annotations

from dataclasses import replace

from integrations.base import Call, Done, NotDone, Preview, Reconciled, Result, Unknown
from integrations.calendar.arguments import UpdateArgs
from integrations.calendar.cards.changed_event import changed_event_card
from integrations.calendar.conflicts import Conflicts, MovedEvent, look_for_conflicts
from integrations.calendar.events.change import EventChange, same
from integrations.calendar.events.exceptions import (
    SeriesExceptions,
    exceptions_ahead,
    exceptions_following,
    exceptions_of_all,
    left_out,
)
from integrations.calendar.events.impact import impact_of_change
from integrations.calendar.events.results import CALENDAR_LINK, event_result
from integrations.calendar.events.series_split import FollowingChange
from integrations.calendar.events.target import Reach, Target, target_of
from integrations.calendar.tools.event_tool import (
    CalendarCall,
    ExistingEventTool,
    approved_target,
    approved_version,
    note_version,
    patch,
)
from integrations.errors import BasisChanged, ToolFailed
from policies.guards.verbs import CHANGE


class CalendarEventUpdate(ExistingEventTool[UpdateArgs]):
    """GET, merge, PATCH with If-Match: either the approved version changes, or nothing does."""

    name = "calendar_event_update"
    verbs = CHANGE
    args = UpdateArgs

    def caption(self, args: UpdateArgs) -> str:
        """Says what kind of change it is."""
        what = "Move a calendar event" if args.start or args.end else "Change a calendar event"
        return f"{what} ({Reach(args.scope).caption})" if args.scope in {"following", "series"} else what

    async def _card(self, args: UpdateArgs, session: CalendarCall) -> Preview:
        client, zone = session
        target = await target_of(client, args.event_id, args.scope, zone)
        change = _possible(args, target, client.email)
        moves_all = target.reach is Reach.SERIES and (change.span is not None or change.rule is not None)
        exceptions = await (exceptions_ahead if moves_all else exceptions_of_all)(client, target)
        conflicts = await _conflicts(session, target, change, exceptions)
        card = changed_event_card(target, change, conflicts, exceptions, client=client, notify=args.notify)
        impact = impact_of_change(target, change, args.add_attendees, home=client.email, exceptions=exceptions)
        return replace(card, impact=impact)

    async def _write(self, args: UpdateArgs, call: Call, session: CalendarCall) -> Result:
        client, zone = session
        target = await approved_target(session, call, args.event_id, args.scope)
        change = _possible(args, target, client.email)
        exceptions = await exceptions_following(client, target)
        _refuse_new_exceptions(exceptions, call)
        await note_version(call, target)
        if target.reach is Reach.FOLLOWING:
            following = FollowingChange(client, target)
            changed = await following.apply(change, call, notify=args.notify, cancelled=exceptions.cancelled)
        else:
            changed = await patch(
                client,
                target.event,
                change.as_patch(target.event, call.key),
                notify=args.notify,
                what="changing the event",
                holds=lambda now: change.holds(now, zone),
            )
        note = f"As the series again: {exceptions.named()}" if exceptions.changed else ""
        meet = args.meet or target.gets_new_link()
        return event_result(await client.with_meet(changed), zone, done="Changed", meet=meet, note=note)

    async def _outcome(self, args: UpdateArgs, call: Call, target: Target, session: CalendarCall) -> Reconciled:
        client, zone = session
        change, etag = EventChange.from_arguments(args, target), (approved_version(call) or {}).get("etag")
        if target.reach is Reach.FOLLOWING:
            return await FollowingChange(client, target).reconcile(call, str(etag))
        event = await client.event(target.event.id)
        if change.holds(event, zone):  # checked first: new reminders may leave the version as it was
            return Done(event_result(event, zone, done="Changed", meet=args.meet))
        if event.etag == etag:
            return NotDone()
        return Unknown(where="Google Calendar", link=event.html_link or CALENDAR_LINK)


def _refuse_new_exceptions(exceptions: SeriesExceptions, call: Call) -> None:
    """Raises `BasisChanged` where single occurrences were changed after the approval."""
    version = approved_version(call) or {}
    if exceptions.as_basis() != version.get("own_ways", exceptions.as_basis()):
        raise BasisChanged(what="the series")


def _possible(args: UpdateArgs, target: Target, email: str) -> EventChange:
    """The change, if the event can be changed at all."""
    _refuse_others(target, email)
    change = EventChange.from_arguments(args, target).without_the_same(target)
    change.as_patch(target.event, "")
    if target.reach is Reach.FOLLOWING:
        target.ended_rule()
        target.rest_rule()
    return change


def _refuse_others(target: Target, email: str) -> None:
    """Raises `ToolFailed` for an event that only its organizer can change."""
    if not target.event.is_organized_by(email) and not target.event.guests_can_modify:
        message = f"Only the organizer ({target.event.organizer.email}) can change this event."
        hint = "Answer it with calendar_event_answer (decline, with a comment), or offer to write to the organizer."
        raise ToolFailed("not_organizer", message, hint=hint)


async def _conflicts(
    session: CalendarCall, target: Target, change: EventChange, exceptions: SeriesExceptions
) -> Conflicts:
    """Looked for only where time or guests change. The event or series does not conflict with itself."""
    if change.span is None and change.rule is None and not change.added:
        return Conflicts()
    removed = {email.lower() for email in change.removed}
    guests = target.event.guests()
    others = [guest.email for guest in guests if not guest.is_self and guest.email.lower() not in removed]
    asked = [*others, *change.added] if change.span or change.rule else change.added
    try:
        before, after = target.times(), change.times(target)
    except ToolFailed:  # a rule that we cannot read; its times stay
        before = after = [target.span()]
    off = left_out(exceptions.cancelled, target.planned(), after[0])
    after = [span for span in after if not any(same(span, other) for other in off)]
    there = frozenset(guest.email.lower() for guest in guests if guest.response_status != "declined")
    moved = MovedEvent(event_id=target.event.id, times=before, guests=there)
    return await look_for_conflicts(session.client, after, asked, zone=target.zone, moved=moved)
