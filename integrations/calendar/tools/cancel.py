"""calendar_event_cancel: cancels an event, or a series from an occurrence on."""

from __future__ import annotations

from integrations.base import Call, Done, Field, NotDone, Preview, Reconciled, Result
from integrations.calendar.arguments import CancelArgs
from integrations.calendar.cards.lines import (
    about,
    event_lines,
    marked,
    notify_words,
    outside_words,
    pointless,
    present,
)
from integrations.calendar.events.exceptions import exceptions_of_all
from integrations.calendar.events.impact import impact_on
from integrations.calendar.events.results import in_words
from integrations.calendar.events.target import Reach, Target, target_from, target_of
from integrations.calendar.tools.event_tool import (
    CalendarCall,
    ExistingEventTool,
    approved_target,
    approved_version,
    note_version,
)
from integrations.calendar.wire import Event
from integrations.errors import Ambiguous, BasisChanged, Missing, Stale, ToolError, ToolFailed
from policies.characters import quoted, shows_something
from policies.guards.verbs import DESTROY
from policies.types import EffectClass, Label

ALREADY = "It was cancelled already."


class CalendarEventCancel(ExistingEventTool[CancelArgs]):
    """DELETE with If-Match, or an end of the series. An event that is gone already counts as success (HTTP 410)."""

    name = "calendar_event_cancel"
    effect = EffectClass.DESTRUCTIVE
    verbs = DESTROY
    args = CancelArgs

    def caption(self, args: CancelArgs) -> str:
        """Says how much is cancelled."""
        more = f" ({Reach(args.scope).caption})" if args.scope in {"following", "series"} else ""
        return f"Cancel a calendar event{more}"

    async def _card(self, args: CancelArgs, session: CalendarCall) -> Preview:
        client, zone = session
        target = await target_of(client, args.event_id, args.scope, zone)
        _refuse_others(target, client.email)
        exceptions = await exceptions_of_all(client, target)
        others = [*_others(target.event), *exceptions.guests]
        return Preview(
            title="Cancel these events?" if target.reach in {Reach.FOLLOWING, Reach.SERIES} else "Cancel this event?",
            fields=[
                *event_lines(target),
                *([Field(label="Guests", value=marked(others, client.email), destination=True)] if others else []),
                *([Field(label="Notify", value=notify_words(args.notify))] if others else []),
            ],
            warnings=[
                *outside_words(others, client.email),
                *([f"Cancelled too, though changed on their own: {exceptions.named()}"] if exceptions.changed else []),
                *_silence_words(others, args.notify),
            ],
            basis=target.basis(),
            account=client.account_id,
            recipients=others,  # they see it whether they get a mail or not
            approve_label="Cancel it",
            about=about(target),
            impact=impact_on(target, home=client.email),
            present=present(target),
            pointless=pointless(target),
        )

    async def _write(self, args: CancelArgs, call: Call, session: CalendarCall) -> Result:
        client, zone = session
        try:
            target = await approved_target(session, call, args.event_id, args.scope)
        except Missing:
            known = target_from(approved_version(call) or {}, zone)
            if known is None:
                raise
            return _result(known, note=ALREADY)
        _refuse_others(target, client.email)
        await note_version(call, target)
        return await _cancelled(session, target, notify=args.notify)

    async def _outcome(self, args: CancelArgs, call: Call, target: Target, session: CalendarCall) -> Reconciled:
        return Done(_result(target)) if await _is_cancelled(session, target) else NotDone()


async def _cancelled(session: CalendarCall, target: Target, *, notify: str) -> Result:
    client, event = session.client, target.event
    try:
        if target.reach is Reach.FOLLOWING:
            body = {"recurrence": target.ended_lines()}
            await client.patch(event.id, body, etag=event.etag, notify=notify)
        else:
            await client.delete(event.id, etag=event.etag, notify=notify)
    except Missing:
        return _result(target, note=ALREADY)
    except Stale:
        try:
            over = await _is_cancelled(session, target)
        except ToolError:
            raise Ambiguous("cancelling the event") from None
        if not over:
            raise BasisChanged(what="the event") from None
    return _result(target)


async def _is_cancelled(session: CalendarCall, target: Target) -> bool:
    """Whether the event is gone, or its series ends before it."""
    event = await session.client.find_event(target.event.id)
    if event is None or event.status == "cancelled":
        return True
    return target.reach is Reach.FOLLOWING and target.is_ended(event)


def _refuse_others(target: Target, email: str) -> None:
    """Raises `ToolFailed` for another organizer's event, and for a series that cannot be split there."""
    if not target.event.is_organized_by(email):
        message = f"Only the organizer ({target.event.organizer.email}) can cancel this event."
        raise ToolFailed("not_organizer", message, hint="Decline it instead: calendar_event_answer.")
    if target.reach is Reach.FOLLOWING:
        target.ended_rule()


def _others(event: Event) -> list[str]:
    return [guest.email for guest in event.guests() if not guest.is_self]


def _silence_words(others: list[str], notify: str) -> list[str]:
    return ["Nobody is told that it is cancelled."] if others and notify == "none" else []


def _result(target: Target, *, note: str = "") -> Result:
    title, when = target.event.summary, in_words(target.span(), target.zone)
    what = f", {target.reach.caption}" if target.reach in {Reach.FOLLOWING, Reach.SERIES} else ""
    data = {"cancelled": True, "event_id": target.event.id, "when": when} | ({"note": note} if note else {})
    summary = (
        f"Cancelled{f' {quoted(title)}' if shows_something(title) else ''}, {when}{what}{f'. {note}' if note else ''}"
    )
    return Result(data=data, summary=summary, label=Label.CONFIG)
