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
from integrations.calendar.client import CalendarClient
from integrations.calendar.events.exceptions import exceptions_following
from integrations.calendar.events.results import in_words
from integrations.calendar.events.series_split import ended, ended_lines, is_ended
from integrations.calendar.events.target import Reach, Target, target_from, target_of
from integrations.calendar.text import clean
from integrations.calendar.tools.event_tool import (
    ExistingEventTool,
    Session,
    approved_target,
    approved_version,
    note_version,
)
from integrations.calendar.wire import Event
from integrations.errors import Ambiguous, BasisChanged, ToolError, ToolFailed
from integrations.google.errors import Missing, Stale
from policies.types import EffectClass, Label

ALREADY = "It was cancelled already."


class CalendarEventCancel(ExistingEventTool[CancelArgs]):
    """DELETE with If-Match, or an end of the series. An event that is gone already counts as success (HTTP 410)."""

    name = "calendar_event_cancel"
    effect = EffectClass.DESTRUCTIVE
    args = CancelArgs

    def caption(self, args: CancelArgs) -> str:
        """Says how much is cancelled."""
        more = f" ({Reach(args.scope).caption})" if args.scope in {"following", "series"} else ""
        return f"Cancel a calendar event{more}"

    async def _card(self, args: CancelArgs, session: Session) -> Preview:
        client, zone = session
        target = await target_of(client, args.event_id, args.scope)
        _refuse_others(target, client, zone)
        others = _others(target.event)
        exceptions = await exceptions_following(client, target, zone)
        return Preview(
            title="Cancel these events?" if target.reach in {Reach.FOLLOWING, Reach.SERIES} else "Cancel this event?",
            fields=[
                *event_lines(target, zone),
                *([Field(label="Guests", value=marked(others, client.email))] if others else []),
                *([Field(label="Notify", value=notify_words(args.notify))] if others else []),
            ],
            warnings=[
                *outside_words(others, client.email, "all"),
                *([f"Cancelled too, though changed on their own: {exceptions.named()}"] if exceptions.changed else []),
                *_silence_words(others, args.notify),
            ],
            basis=target.basis(zone),
            account=client.account_id,
            recipients=others if args.notify == "all" else (),
            approve_label="Cancel it",
            about=about(target, zone),
            present=present(target),
            pointless=pointless(target),
        )

    async def _write(self, args: CancelArgs, call: Call, session: Session) -> Result:
        client, zone = session
        try:
            target = await approved_target(client, call, args.event_id, args.scope)
        except Missing:
            known = target_from(approved_version(call) or {})
            if known is None:
                raise
            return _result(known, zone, note=ALREADY)
        _refuse_others(target, client, zone)
        await note_version(call, target, zone)
        return await _cancelled(client, target, zone, notify=args.notify)

    async def _outcome(self, args: CancelArgs, call: Call, target: Target, session: Session) -> Reconciled:
        client, zone = session
        return Done(_result(target, zone)) if await _is_cancelled(client, target, zone) else NotDone()


async def _cancelled(client: CalendarClient, target: Target, zone: str, *, notify: str) -> Result:
    event = target.event
    try:
        if target.reach is Reach.FOLLOWING:
            body = {"recurrence": ended_lines(target, zone)}
            await client.patch(event.id, body, etag=event.etag, notify=notify)
        else:
            await client.delete(event.id, etag=event.etag, notify=notify)
    except Missing:
        return _result(target, zone, note=ALREADY)
    except Stale:
        try:
            over = await _is_cancelled(client, target, zone)
        except ToolError:
            raise Ambiguous("cancelling the event") from None
        if not over:
            raise BasisChanged(what="the event") from None
    return _result(target, zone)


async def _is_cancelled(client: CalendarClient, target: Target, zone: str) -> bool:
    """Whether the event is gone, or its series ends before it."""
    try:
        event = await client.event(target.event.id)
    except Missing:
        return True
    return event.status == "cancelled" or (target.reach is Reach.FOLLOWING and is_ended(target, event, zone))


def _refuse_others(target: Target, client: CalendarClient, zone: str) -> None:
    """Raises `ToolFailed` for another organizer's event, and for a series that cannot be split there."""
    organizer = target.event.organizer
    if not organizer.is_self and organizer.email.lower() not in {"", client.email.lower()}:
        message = f"Only the organizer ({organizer.email}) can cancel this event."
        raise ToolFailed("not_organizer", message, hint="Decline it instead: calendar_event_answer.")
    if target.reach is Reach.FOLLOWING:
        ended(target, zone)


def _others(event: Event) -> list[str]:
    return [guest.email for guest in event.guests() if not guest.is_self]


def _silence_words(others: list[str], notify: str) -> list[str]:
    return ["Nobody is told that it is cancelled."] if others and notify == "none" else []


def _result(target: Target, zone: str, *, note: str = "") -> Result:
    when = in_words(target.span(zone), zone)
    what = f", {target.reach.caption}" if target.reach in {Reach.FOLLOWING, Reach.SERIES} else ""
    title = clean(target.event.summary, 80)
    data = {"cancelled": True, "event_id": target.event.id, "when": when} | ({"note": note} if note else {})
    summary = f"Cancelled{f' “{title}”' if title else ''}, {when}{what}{f'. {note}' if note else ''}"
    return Result(data=data, summary=summary, label=Label.CONFIG)
