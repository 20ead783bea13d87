"""calendar_event_answer: accept, decline or leave open an invitation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from integrations.base import Call, Done, Field, NotDone, Preview, Reconciled, Result
from integrations.calendar.arguments import AnswerArgs
from integrations.calendar.cards.lines import (
    about,
    event_lines,
    organizer_line,
    outside_words,
    pointless,
    present,
    readers_of_answers,
)
from integrations.calendar.client import PRIMARY, CalendarClient, split_event_id
from integrations.calendar.conflicts import Conflicts, MovedEvent, look_for_conflicts
from integrations.calendar.events.impact import impact_on
from integrations.calendar.events.results import event_result
from integrations.calendar.events.target import Target, if_readable, target_of
from integrations.calendar.tools.event_tool import CalendarCall, ExistingEventTool, approved_target, note_version, patch
from integrations.calendar.wire import Attendee, Event
from integrations.errors import NOTHING_TO_CHANGE, ModelRetry, ToolFailed
from policies.guards.verbs import ACCEPT, ANSWER, DECLINE, LEAVE_OPEN

STATUSES: Mapping[str, str] = {"accept": "accepted", "decline": "declined", "tentative": "tentative"}
CAPTIONS: Mapping[str, str] = {"accept": "Accept", "decline": "Decline", "tentative": "Answer maybe to"}
DONE: Mapping[str, str] = {"accept": "Accepted", "decline": "Declined", "tentative": "Answered maybe to"}
TITLES: Mapping[str, str] = {
    "accept": "Accept this invitation?",
    "decline": "Decline this invitation?",
    "tentative": "Answer maybe to this invitation?",
}
VERBS: Mapping[str, Sequence[str]] = {"accept": ACCEPT, "decline": DECLINE, "tentative": LEAVE_OPEN}
NO_COMMENT = "Google did not keep the comment; write to the organizer if it matters."


class CalendarEventAnswer(ExistingEventTool[AnswerArgs]):
    """PATCH of the user's own answer alone (`attendeesOmitted`): the other guests are not sent, so not touched."""

    name = "calendar_event_answer"
    verbs = ANSWER
    args = AnswerArgs

    def caption(self, args: AnswerArgs) -> str:
        """Says what is answered."""
        more = " to a whole series" if args.scope == "series" else ""
        return f"{CAPTIONS[args.answer]} an invitation{more}"

    async def _card(self, args: AnswerArgs, session: CalendarCall) -> Preview:
        client, zone = session
        target = await target_of(client, args.event_id, args.scope, zone)
        me = _invited(target, args, client)
        conflicts = await _conflicts(client, target, args)
        organizer = target.event.organizer.email
        notify = f"{organizer} is told by mail" if args.notify == "all" else "Nobody is told by mail"
        return Preview(
            title=TITLES[args.answer],
            fields=[
                *event_lines(target),
                *organizer_line(target, client.email),
                Field(label="Your answer", value=STATUSES[args.answer], before=_plain(me.response_status)),
                *([Field(label="Comment", value=args.comment, long=True)] if args.comment else []),
                Field(label="Notify", value=notify),
            ],
            warnings=[*outside_words(readers_of_answers(target), client.email), *conflicts.found],
            unchecked=conflicts.unchecked,
            basis=target.basis(),
            account=client.account_id,
            recipients=[organizer] if organizer else (),  # they see it whether they get a mail or not
            about=about(target),
            impact=replace(impact_on(target, home=client.email, comment=args.comment), verbs=VERBS[args.answer]),
            present=present(target),
            pointless=pointless(target),
        )

    async def _write(self, args: AnswerArgs, call: Call, session: CalendarCall) -> Result:
        client, zone = session
        target = await approved_target(session, call, args.event_id, args.scope)
        me = _invited(target, args, client)
        await note_version(call, target)
        mine = {"email": me.email, "responseStatus": STATUSES[args.answer]}
        body = {"attendees": [mine if args.comment is None else mine | {"comment": args.comment}]}
        answered = await patch(
            client,
            target.event,
            body | {"attendeesOmitted": True},
            notify=args.notify,
            what="answering the invitation",
            holds=lambda now: _holds(now, args),
        )
        return _result(answered, args, zone)

    async def _outcome(self, args: AnswerArgs, call: Call, target: Target, session: CalendarCall) -> Reconciled:
        client, zone = session
        event = await client.event(target.event.id)
        return Done(_result(event, args, zone)) if _holds(event, args) else NotDone()


def _invited(target: Target, args: AnswerArgs, client: CalendarClient) -> Attendee:
    """The user among the guests; raises where there is nothing to answer."""
    event, me = target.event, target.event.me()
    if event.organizer.is_self or event.organizer.email.lower() == client.email.lower():
        message = "This is your own event, so there is no invitation to answer."
        raise ModelRetry("own_event", message, hint="calendar_event_cancel or calendar_event_update.")
    if me is None or (split_event_id(event.id)[0] != PRIMARY and me.email.lower() != client.email.lower()):
        message = "You are not invited to this event yourself, so there is nothing to answer."
        raise ToolFailed("not_invited", message, hint="Offer to write to the organizer.")
    if _holds(event, args) and (args.comment is None or args.comment == _comment(me)):
        raise ModelRetry(NOTHING_TO_CHANGE, f"You have {STATUSES[args.answer]} it already.")
    return me


def _holds(event: Event, args: AnswerArgs) -> bool:
    me = event.me()
    return event.status != "cancelled" and me is not None and me.response_status == STATUSES[args.answer]


async def _conflicts(client: CalendarClient, target: Target, args: AnswerArgs) -> Conflicts:
    """Looked for unless the user declines."""
    if args.answer == "decline":
        return Conflicts()
    times = if_readable(target.times, [target.span()])
    moved = MovedEvent(event_id=target.event.id, times=times)
    return await look_for_conflicts(client, times, (), zone=target.zone, moved=moved)


def _result(event: Event, args: AnswerArgs, zone: str) -> Result:
    me = event.me()
    lost = args.comment is not None and (me is None or _comment(me) != args.comment)
    return event_result(event, zone, done=DONE[args.answer], note=NO_COMMENT if lost else "")


def _comment(me: Attendee) -> str:
    return str((me.model_extra or {}).get("comment") or "")


def _plain(status: str) -> str:
    return "no answer yet" if status == "needsAction" else status
