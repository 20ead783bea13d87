"""calendar_event_cancel: an event is called off, or a series from some occurrence on."""

from __future__ import annotations

from integrations.base import Call, Done, Field, NotDone, Preview, Reconciled, Result, Tool, ToolContext, Unknown
from integrations.calendar.arguments import CancelArgs
from integrations.calendar.cards import about, event_lines, marked, outside_words, pointless, told
from integrations.calendar.client import Agenda
from integrations.calendar.deviations import deviations_of
from integrations.calendar.halves import ended, ended_lines, is_ended
from integrations.calendar.rows import CALENDAR_LINK, clean, in_words
from integrations.calendar.targets import Reach, Target, target_from, target_of
from integrations.calendar.wire import Event
from integrations.calendar.zones import zone_for, zone_of
from integrations.errors import Ambiguous, BasisChanged, ToolError, ToolFailed
from integrations.google.client import GoogleClient
from integrations.google.errors import Missing, Stale
from integrations.google.scopes import EVENTS
from integrations.prose import prose
from policies.types import EffectClass, Label


class CalendarEventCancel(Tool[CancelArgs]):
    """DELETE with If-Match, or an end to the series. What is gone already is a success (HTTP 410)."""

    name = "calendar_event_cancel"
    effect = EffectClass.DESTRUCTIVE
    provider = "google"
    scopes = frozenset({EVENTS})
    timeout_seconds = 60.0
    can_reconcile = True
    args = CancelArgs

    def __init__(self, google: GoogleClient) -> None:
        self._google = google
        self.description = prose(__name__, "cancel.md")

    def caption(self, args: CancelArgs) -> str:
        """Says how much is cancelled."""
        more = f" ({Reach(args.scope).caption})" if args.scope in {"following", "series"} else ""
        return f"Cancel a calendar event{more}"

    async def preview(self, args: CancelArgs, ctx: ToolContext) -> Preview:
        """What is called off and who is told; raises when it is certain to fail."""
        agenda = Agenda(await self._google.account(ctx.requester, self.scopes))
        zone = await zone_of(ctx.requester, agenda)
        target = await target_of(agenda, args.event_id, args.scope)
        _refuse_others(target, agenda, zone)
        others = _others(target.event)
        own_ways = await deviations_of(agenda, target, zone)
        return Preview(
            title="Cancel these events?" if target.reach in {Reach.FOLLOWING, Reach.SERIES} else "Cancel this event?",
            fields=[
                *event_lines(target, zone),
                *([Field(label="Guests", value=marked(others, agenda.email))] if others else []),
                *([Field(label="Notify", value=told(args.notify))] if others else []),
            ],
            warnings=[
                *outside_words(others, agenda.email, "all"),
                *([f"Cancelled too, though changed on their own: {own_ways.named()}"] if own_ways.changed else []),
                *_silent(others, args.notify),
            ],
            basis=target.basis(zone),
            account=agenda.account_id,
            recipients=others if args.notify == "all" else (),
            approve_label="Cancel it",
            about=about(target, zone),
            present={} if pointless(target) else {"scope": target.reach.value},
            pointless=pointless(target),
        )

    async def execute(self, args: CancelArgs, call: Call) -> Result:
        """Cancel it. Raises `BasisChanged` when it is not the version that the card showed."""
        agenda = Agenda(await self._google.account(call.requester, self.scopes, approved=call.account))
        zone = await zone_for(call, agenda)
        basis = _basis(call)
        try:
            target = await target_of(agenda, args.event_id, args.scope)
        except Missing:
            known = target_from(basis or {})
            if known is None:
                raise
            return _result(known, zone, note="It was cancelled already.")
        if basis is not None and target.event.etag != basis.get("etag"):
            raise BasisChanged(what="the event")
        _refuse_others(target, agenda, zone)
        if basis is None:
            await call.note(target.basis(zone))
        return await _cancelled(agenda, target, zone, notify=args.notify)

    async def reconcile(self, args: CancelArgs, call: Call) -> Reconciled:
        """Whether the event is gone, or the series ends where it should."""
        zone = call.requester.zone
        target = target_from(_basis(call) or {})
        if target is None:
            return NotDone()  # the note comes before the request
        try:
            agenda = Agenda(await self._google.account(call.requester, self.scopes, approved=call.account))
            zone = await zone_for(call, agenda)
            event = await agenda.event(target.event.id)
            over = _is_over(target, event, zone)
        except Missing:
            over = True
        except (ToolError, BasisChanged):
            return Unknown(where="Google Calendar", link=CALENDAR_LINK)
        return Done(_result(target, zone)) if over else NotDone()


async def _cancelled(agenda: Agenda, target: Target, zone: str, *, notify: str) -> Result:
    event = target.event
    try:
        if target.reach is Reach.FOLLOWING:
            body = {"recurrence": ended_lines(target, zone)}
            await agenda.patch(event.id, body, etag=event.etag, notify=notify)
        else:
            await agenda.delete(event.id, etag=event.etag, notify=notify)
    except Missing:
        return _result(target, zone, note="It was cancelled already.")
    except Stale:
        try:
            if _is_over(target, await agenda.event(event.id), zone):
                return _result(target, zone)
        except Missing:
            return _result(target, zone)
        except ToolError:
            raise Ambiguous("cancelling the event") from None
        raise BasisChanged(what="the event") from None
    return _result(target, zone)


def _is_over(target: Target, event: Event, zone: str) -> bool:
    if target.reach is Reach.FOLLOWING:
        return event.status == "cancelled" or is_ended(target, event, zone)
    return event.status == "cancelled"


def _basis(call: Call) -> dict[str, object] | None:
    found = call.basis if "etag" in call.basis else call.noted
    return dict(found) if "etag" in found else None


def _refuse_others(target: Target, agenda: Agenda, zone: str) -> None:
    """Raises `ToolFailed` for somebody else's event, and for a series that cannot be cut there."""
    organizer = target.event.organizer
    if not organizer.is_self and organizer.email.lower() not in {"", agenda.email.lower()}:
        message = f"Only the organizer ({organizer.email}) can cancel this event."
        raise ToolFailed("not_organizer", message, hint="Decline it instead: calendar_event_answer.")
    if target.reach is Reach.FOLLOWING:
        ended(target, zone)


def _others(event: Event) -> list[str]:
    return [guest.email for guest in event.guests() if not guest.is_self]


def _silent(others: list[str], notify: str) -> list[str]:
    return ["Nobody is told that it does not take place."] if others and notify == "none" else []


def _result(target: Target, zone: str, *, note: str = "") -> Result:
    when = in_words(target.span(zone), zone)
    what = f", {target.reach.caption}" if target.reach in {Reach.FOLLOWING, Reach.SERIES} else ""
    title = clean(target.event.summary, 80)
    data = {"cancelled": True, "event_id": target.event.id, "when": when} | ({"note": note} if note else {})
    summary = f"Cancelled{f' “{title}”' if title else ''}, {when}{what}{f'. {note}' if note else ''}"
    return Result(data=data, summary=summary, label=Label.CONFIG)
