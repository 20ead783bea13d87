"""How a message becomes a queued run, its transitions to its end, and who may see what it says (docs/states.md §1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Unpack

from bot.domain.actions import NOT_BEGUN, Action, ActionState, Undo
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import HomeChanged, RunMoved
from bot.domain.ids import new_id
from bot.domain.limits import Limits
from bot.domain.questions import QuestionState
from bot.domain.runs import AttachedContext, Run, RunChanges, RunState
from bot.domain.threads import Audience, Message, Speaker
from bot.runtime.core import activity
from bot.runtime.core.transaction import AGENT, Transaction
from bot.runtime.lifecycle.actions import close_step, move_action, rewrite_card, settle_action
from bot.runtime.lifecycle.questions import close_question, withdraw_questions
from bot.runtime.texts import to_model, to_people
from bot.store.unit_of_work import UnitOfWork

_SHOWN_AS_HELD = {RunState.EXECUTING, RunState.AWAITING}
"""What the message about something held back shows besides its end, which the answer tells in its place."""

_DECIMALS, _MOST_AFTER = 6, 9999
"""What a timestamp of Slack's has, and what four more digits can count."""


def message_source(team: str, channel: str, ts: str) -> str:
    """The source key of the run that a message begins."""
    return f"slack:{team}:{channel}:{ts}"


def retry_source(run_id: str) -> str:
    """The source key of the run that tries a failed one again: a second click begins no second run."""
    return f"retry:{run_id}"


async def next_order(work: UnitOfWork, team: str, user: str) -> str:
    """The place, among a person's requests, of one that did not come as a Slack message: right after all that are known
    of them. So “stop” and whatever they write next come after it, even if our clock is ahead of Slack's.
    """
    newest = await work.runs.newest_order(team, user) or "0.000000"
    whole, dot, decimals = newest.partition(".")
    after = int(decimals[_DECIMALS:] or 0) + 1
    return f"{whole}{dot}{decimals[:_DECIMALS]}{min(after, _MOST_AFTER):04}"


def new_run(
    message: Message,
    *,
    limits: Limits,
    now: datetime,
    source: str | None = None,
    order: str | None = None,
    user: str | None = None,
    attached: Sequence[AttachedContext] = (),
    late: bool = False,
    retry_of: str | None = None,
) -> Run:
    """The queued run of a message, with one whole allowance. Source, order and user are the message's by default."""
    return Run(
        id=new_id("run"),
        thread_id=message.thread_id,
        team=message.team,
        user=user or message.author,
        source_key=source or message_source(message.team, message.channel, message.ts),
        message_id=message.id,
        state=RunState.QUEUED,
        order_key=message.ts if order is None else order,
        limits=limits,
        ceiling=limits,
        attached=attached,
        late=late,
        retry_of=retry_of,
        created_at=now,
    )


def retried_run(request: Message, run: Run, *, now: datetime) -> Run:
    """A new run of a failed one's request, at the place in the order that the request has."""
    return new_run(
        request,
        limits=run.limits,
        now=now,
        source=retry_source(run.id),
        order=run.order_key,
        user=run.user,
        attached=run.attached,
        retry_of=run.id,
    )


async def queue_run(tx: Transaction, run: Run, *, code: AuditCode = AuditCode.RUN_QUEUED, **details: object) -> bool:
    """A new run, to be begun once this is durable; False when its source began one already."""
    if not await tx.work.runs.add(run):
        return False
    about = {"source": run.source_key, **details}
    tx.record(AuditEvent(team=run.team, code=code, actor=run.user, run_id=run.id, details=about))
    tx.wake(run.thread_id)
    tx.publish(RunMoved(run.id, RunState.QUEUED))
    return True


async def move_run(tx: Transaction, run: Run, to: RunState, **changes: Unpack[RunChanges]) -> Run:
    """Move a run; the run as it is then. The log names the states that it passed through in this transaction.

    `changes` are columns that change with the move. Raises `LostRace` when the run moved on meanwhile.
    """
    clocked: RunChanges = {**changes, **await _clocked(tx, run, to)}
    moved = await tx.work.runs.move(run, to, **clocked)
    tx.record_passed(run, moved)
    if run.holds and to in _SHOWN_AS_HELD and to is not run.state:
        await tx.deliver(run.thread_id, DeliveryKind.HELD, run.id, team=run.team)
    if to is not run.state:
        tx.publish(RunMoved(run.id, to))
    return moved


async def _clocked(tx: Transaction, run: Run, to: RunState) -> RunChanges:
    """Its working time, begun or ended by this move."""
    changes = activity.moved(run, to, tx.now)
    return activity.moved(await tx.work.runs.find(run.id), to, tx.now) if changes else changes


async def finish_run(
    tx: Transaction,
    run: Run,
    to: RunState,
    *,
    summary: str = "",
    error: str = "",
    actor: str = AGENT,
    about: Mapping[str, object] | None = None,
) -> Run:
    """End (or pause) a run: nothing is left open, the answer is said, recorded and audited.

    `summary` is the answer in Markdown, `error` what a failed run says in its place; `about` goes into the entry. With
    neither, what was done is told where it was shown, and the conversation keeps it for the next request.
    """
    await _keep_intake_out(tx, run.thread_id)
    await _leave_nothing_open(tx, run, to)
    parting = await _part_from_untaken(tx, run, to)
    summary, error = (f"{text}\n\n{parting}" if text and parting else text for text in (summary, error))
    ended: RunChanges = {"summary": summary, "error": error}
    if to is not RunState.PAUSED:
        ended["completed_at"] = tx.now
    ended["duration_ms"] = max(0, int((tx.now - run.created_at).total_seconds() * 1000))  # a clock may go back
    moved = await move_run(tx, run, to, **ended)
    await _say(tx, moved, summary or error or to_people.done(await tx.work.actions.of_run(run.id)))
    await tx.deliver(run.thread_id, DeliveryKind.ANSWER, run.id, team=run.team)
    await _say_where_asked(tx, moved)
    details = {"steps": moved.steps_taken, **(about or {})}
    tx.record(AuditEvent(team=run.team, code=AuditCode.of("run", to), actor=actor, run_id=run.id, details=details))
    tx.wake(run.thread_id)
    tx.publish(HomeChanged(run.team, run.user))
    return moved


async def _say_where_asked(tx: Transaction, run: Run) -> None:
    """Show what came of a deferred action on the action that asked for it, and below an answer that announced it."""
    asked = await tx.work.actions.known(run.holds) if run.holds and run.state.is_final() else None
    if asked is None:
        return
    (done,) = await tx.work.actions.of_run(run.id)
    await tx.work.actions.change(asked.id, summary=to_people.held_end(done), undo=Undo.was_held(run.id))
    await rewrite_card(tx, asked)
    announced = await tx.work.runs.find(asked.run_id)
    if announced.state is RunState.COMPLETED and announced.summary:
        await tx.deliver(announced.thread_id, DeliveryKind.ANSWER, announced.id, team=announced.team)


async def _keep_intake_out(tx: Transaction, thread_id: str) -> None:
    """Intake locks the thread, then the open step; so a holder of a step never waits for the thread."""
    if not tx.holds_step:
        await tx.work.threads.lock(thread_id)


async def _part_from_untaken(tx: Transaction, run: Run, to: RunState) -> str:
    """What its requester said and no model call took in: withdrawn at a stop, else a run of its own. In words."""
    untaken = await tx.work.messages.untaken(run.id)
    if not untaken:
        return ""
    following = None if to is RunState.CANCELLED else new_run(untaken[0], limits=run.limits, now=tx.now)
    for message in untaken:
        steers = following.id if following and message.id != following.message_id else None
        await tx.work.messages.change(message.id, steers=steers)
    if following is None:
        details = {"messages": len(untaken)}
        tx.record(
            AuditEvent(team=run.team, code=AuditCode.MESSAGE_WITHDRAWN, actor=AGENT, run_id=run.id, details=details)
        )
        return to_people.WITHDRAWN
    await queue_run(tx, following, after=run.id)
    return to_people.HANDED_ON


async def _leave_nothing_open(tx: Transaction, run: Run, to: RunState) -> None:
    step = await tx.work.steps.open_of(run.id)
    if to is RunState.PAUSED:
        await _expire_questions(tx, run)
        if step is not None:
            tx.step_followed(step.id)
        return
    await withdraw_questions(tx, run)
    if step is None:
        return
    for action in await tx.work.actions.of_step(step.id):
        if action.state in NOT_BEGUN:
            response = to_model.cancelled(action)
            await settle_action(tx, action, ActionState.CANCELLED, code=AuditCode.ACTION_CANCELLED, response=response)
            await rewrite_card(tx, action)  # it may say that somebody is working on it
    await close_step(tx, run, step.id)


async def _expire_questions(tx: Transaction, run: Run) -> None:
    for question in await tx.work.questions.open_of_run(run.id):
        await close_question(tx, question, QuestionState.EXPIRED)
        action = await tx.work.actions.find(question.action_id)
        if action.state is ActionState.AWAITING:
            await move_action(
                tx, action, ActionState.EXPIRED, code=AuditCode.ACTION_EXPIRED, response=to_model.expired()
            )


async def _say(tx: Transaction, run: Run, text: str) -> None:
    """Keep what the agent said in the thread, for those who may see it."""
    thread = await tx.work.threads.find(run.thread_id)
    private = run.private or thread.is_dm
    await tx.work.messages.add(
        Message(
            id=new_id("msg"),
            thread_id=run.thread_id,
            team=run.team,
            speaker=Speaker.AGENT,
            author=AGENT,
            text=text,
            audience=Audience.OWNER if private else Audience.CHANNEL,
            owner=run.user if private else None,
            run_id=run.id,
            label=run.label,
            created_at=tx.now,
        )
    )


async def post_stub(tx: Transaction, run: Run) -> None:
    """In a channel, say without content that this goes on in the owner's direct messages."""
    if not (await tx.work.threads.find(run.thread_id)).is_dm:
        await tx.deliver(run.thread_id, DeliveryKind.STUB, run.id, team=run.team)


async def make_private(tx: Transaction, run: Run) -> None:
    """Something that only its owner may see entered the run's context: it goes on in the owner's direct messages."""
    if not run.private:
        await post_stub(tx, run)
        await tx.work.runs.change(run.id, private=True)


async def make_private_like_card(tx: Transaction, action: Action) -> None:
    """Its owner said something on this card: where only they saw it, their words stay private."""
    if action.preview and action.preview.get("private"):
        await make_private(tx, await tx.work.runs.find(action.run_id))
