"""calendar_event_answer: accept, decline or leave open an invitation."""

from __future__ import annotations

from collections.abc import Mapping

from integrations.base import Call, Done, Field, NotDone, Preview, Reconciled, Result, Tool, ToolContext, Unknown
from integrations.calendar.arguments import AnswerArgs
from integrations.calendar.cards import about, event_lines, pointless
from integrations.calendar.client import PRIMARY, Agenda, place_of
from integrations.calendar.conflicts import Conflicts, Moved, look_for_conflicts
from integrations.calendar.rows import CALENDAR_LINK, event_result
from integrations.calendar.targets import Target, target_from, target_of
from integrations.calendar.wire import Attendee, Event
from integrations.calendar.zones import zone_for, zone_of
from integrations.errors import Ambiguous, BasisChanged, ModelRetry, ToolError, ToolFailed
from integrations.google.client import GoogleClient
from integrations.google.errors import Stale
from integrations.google.scopes import EVENTS
from integrations.prose import prose
from policies.types import EffectClass

STATUSES: Mapping[str, str] = {"accept": "accepted", "decline": "declined", "tentative": "tentative"}
DONE: Mapping[str, str] = {"accept": "Accepted", "decline": "Declined", "tentative": "Answered maybe to"}
TITLES: Mapping[str, str] = {
    "accept": "Accept this invitation?",
    "decline": "Decline this invitation?",
    "tentative": "Answer maybe to this invitation?",
}
NO_COMMENT = "Google did not keep the comment; write to the organizer if it matters."


class CalendarEventAnswer(Tool[AnswerArgs]):
    """PATCH of one's own answer alone (`attendeesOmitted`): the rest of the guest list is not sent, so not touched."""

    name = "calendar_event_answer"
    effect = EffectClass.EXTERNAL
    provider = "google"
    scopes = frozenset({EVENTS})
    timeout_seconds = 60.0
    can_reconcile = True
    args = AnswerArgs

    def __init__(self, google: GoogleClient) -> None:
        self._google = google
        self.description = prose(__name__, "answer.md")

    def caption(self, args: AnswerArgs) -> str:
        """Says what is answered."""
        more = " to a whole series" if args.scope == "series" else ""
        return {"accept": "Accept", "decline": "Decline", "tentative": "Answer maybe to"}[args.answer] + (
            f" an invitation{more}"
        )

    async def preview(self, args: AnswerArgs, ctx: ToolContext) -> Preview:
        """The invitation, the answer before and after, and what is in the way; raises when it is certain to fail."""
        agenda = Agenda(await self._google.account(ctx.requester, self.scopes))
        zone = await zone_of(ctx.requester, agenda)
        target = await target_of(agenda, args.event_id, args.scope)
        me = _invited(target, args, agenda)
        conflicts = await _conflicts(agenda, target, args, zone)
        organizer = target.event.organizer.email
        notify = f"{organizer} is told by mail" if args.notify == "all" else "Nobody is told by mail"
        return Preview(
            title=TITLES[args.answer],
            fields=[
                *event_lines(target, zone),
                Field(label="Organizer", value=organizer),
                Field(label="Your answer", value=STATUSES[args.answer], before=_plain(me.response_status)),
                *([Field(label="Comment", value=args.comment, long=True)] if args.comment else []),
                Field(label="Notify", value=notify),
            ],
            warnings=conflicts.found,
            unchecked=conflicts.unchecked,
            basis=target.basis(zone),
            account=agenda.account_id,
            recipients=[organizer] if args.notify == "all" and organizer else (),
            about=about(target, zone),
            present={} if pointless(target) else {"scope": target.reach.value},
            pointless=pointless(target),
        )

    async def execute(self, args: AnswerArgs, call: Call) -> Result:
        """Answer it. Raises `BasisChanged` when it is not the version that the card showed."""
        agenda = Agenda(await self._google.account(call.requester, self.scopes, approved=call.account))
        zone = await zone_for(call, agenda)
        basis = call.basis if "etag" in call.basis else call.noted
        target = await target_of(agenda, args.event_id, args.scope)
        if "etag" in basis and target.event.etag != basis["etag"]:
            raise BasisChanged(what="the event")
        me = _invited(target, args, agenda)
        if "etag" not in basis:
            await call.note(target.basis(zone))
        return _result(await _answered(agenda, target, me, args), args, zone)

    async def reconcile(self, args: AnswerArgs, call: Call) -> Reconciled:
        """Whether the answer stands in the event."""
        target = target_from(call.basis if "etag" in call.basis else call.noted)
        if target is None:
            return NotDone()  # the note comes before the request
        try:
            agenda = Agenda(await self._google.account(call.requester, self.scopes, approved=call.account))
            zone = await zone_for(call, agenda)
            event = await agenda.event(target.event.id)
        except (ToolError, BasisChanged):
            return Unknown(where="Google Calendar", link=CALENDAR_LINK)
        return Done(_result(event, args, zone)) if _holds(event, args) else NotDone()


async def _answered(agenda: Agenda, target: Target, me: Attendee, args: AnswerArgs) -> Event:
    mine: dict[str, object] = {"email": me.email, "responseStatus": STATUSES[args.answer]}
    if args.comment is not None:
        mine["comment"] = args.comment
    body = {"attendees": [mine], "attendeesOmitted": True}
    event = target.event
    try:
        return await agenda.patch(event.id, body, etag=event.etag, notify=args.notify)
    except Stale:
        try:
            now = await agenda.event(event.id)
        except ToolError:
            raise Ambiguous("answering the invitation") from None
        if _holds(now, args):
            return now
        raise BasisChanged(what="the event") from None


def _invited(target: Target, args: AnswerArgs, agenda: Agenda) -> Attendee:
    """Oneself among the guests; raises where there is nothing to answer."""
    event, me = target.event, target.event.me()
    if event.organizer.is_self or event.organizer.email.lower() == agenda.email.lower():
        message = "This is your own event, so there is no invitation to answer."
        raise ModelRetry("own_event", message, hint="calendar_event_cancel or calendar_event_update.")
    if me is None or (place_of(event.id)[0] != PRIMARY and me.email.lower() != agenda.email.lower()):
        message = "You are not invited to this event yourself, so there is nothing to answer."
        raise ToolFailed("not_invited", message, hint="Offer to write to the organizer.")
    if _holds(event, args) and (args.comment is None or args.comment == _comment(me)):
        raise ModelRetry("nothing_to_change", f"You have {STATUSES[args.answer]} it already.")
    return me


def _holds(event: Event, args: AnswerArgs) -> bool:
    me = event.me()
    return event.status != "cancelled" and me is not None and me.response_status == STATUSES[args.answer]


async def _conflicts(agenda: Agenda, target: Target, args: AnswerArgs, zone: str) -> Conflicts:
    """Only for who wants to come."""
    if args.answer == "decline":
        return Conflicts()
    try:
        times = target.times(zone)
    except ToolError:
        times = [target.span(zone)]
    moved = Moved(event_id=target.event.id, times=times)
    return await look_for_conflicts(agenda, times, (), zone=zone, moved=moved)


def _result(event: Event, args: AnswerArgs, zone: str) -> Result:
    me = event.me()
    lost = args.comment is not None and (me is None or _comment(me) != args.comment)
    return event_result(event, zone, done=DONE[args.answer], note=NO_COMMENT if lost else "")


def _comment(me: Attendee) -> str:
    return str((me.model_extra or {}).get("comment") or "")


def _plain(status: str) -> str:
    return "no answer yet" if status == "needsAction" else status
