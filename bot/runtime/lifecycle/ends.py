"""What is done with all that belongs to a run when it ends or pauses: its questions, its actions, what was said to it.

`bot.runtime.lifecycle.progress` ends it.
"""

from __future__ import annotations

from bot.domain.actions import NOT_BEGUN, ActionState, Undo
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import DeliveryKind
from bot.domain.ids import new_id
from bot.domain.questions import QuestionState
from bot.domain.runs import DEADLINE, SILENCE, Run, RunState
from bot.domain.threads import Audience, Message, Speaker
from bot.runtime.core.transaction import AGENT, Transaction
from bot.runtime.lifecycle.actions import close_step, move_action, rewrite_card, settle_action
from bot.runtime.lifecycle.questions import close_question, withdraw_questions
from bot.runtime.lifecycle.runs import new_run, queue_run
from bot.runtime.texts import about_plans, to_model, to_people
from bot.tools.plans import PROPOSE_PLAN


async def say_where_asked(tx: Transaction, run: Run) -> None:
    """Show what came of a deferred action on the action that asked for it, and below an answer that announced it."""
    asked = await tx.work.actions.known(run.holds) if run.holds and run.state.is_final() else None
    if asked is None:
        return
    (done,) = await tx.work.actions.of_run(run.id)
    await tx.work.actions.change(asked.id, summary=to_people.held_end(done), undo=Undo.was_held(run.id))
    await rewrite_card(tx, asked)
    announced = await tx.work.runs.find((await tx.work.runs.find(asked.run_id)).request_run)
    if announced.state is RunState.COMPLETED and announced.summary:
        await tx.deliver(announced.thread_id, DeliveryKind.ANSWER, announced.id, team=announced.team)


async def keep_intake_out(tx: Transaction, thread_id: str) -> None:
    """Intake locks the thread, then the open step; so a holder of a step never waits for the thread."""
    if not tx.holds_step:
        await tx.work.threads.lock(thread_id)


async def part_from_untaken(tx: Transaction, run: Run, to: RunState) -> str:
    """What its requester said and no model call took in: withdrawn at a stop, else a run of its own. In words.

    What was said of a plan that is made or changed is no request: it is heard where that goes on.
    """
    untaken = await tx.work.messages.untaken(run.id)
    if not untaken or (to is RunState.PAUSED and run.is_proposing):
        return ""
    if run.parent is not None:  # it is told the run that goes on
        for message in untaken:
            await tx.work.messages.change(message.id, steers=run.parent)
        return ""
    following = None if to is RunState.CANCELLED else new_run(untaken[0], limits=tx.limits, now=tx.now)
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


async def way_on(tx: Transaction, run: Run, to: RunState, step_id: str | None) -> str:
    """What a plan that pauses before it is confirmed says of itself: how far it is, and what Continue goes on with.
    `step_id` is its open step. One that nobody answered says so on its card.
    """
    if to is not RunState.PAUSED or not run.is_proposing or run.stop_code == SILENCE:
        return ""
    asked = await tx.work.actions.of_step(step_id) if step_id else ()
    is_late = run.stop_code == DEADLINE  # which says itself that Continue asks for a new one
    if any(one.tool == PROPOSE_PLAN and one.state is ActionState.EXPIRED for one in asked):
        return about_plans.NOT_CONFIRMED_IN_TIME if is_late else about_plans.NOT_CONFIRMED
    plan = await tx.work.plans.find(run.id)
    if plan is not None and plan.revision:
        return about_plans.NOT_CHANGED_IN_TIME if is_late else about_plans.NOT_CHANGED
    return about_plans.NOT_MADE_IN_TIME if is_late else about_plans.NOT_MADE


async def leave_nothing_open(tx: Transaction, run: Run, to: RunState) -> str | None:
    """At a pause its questions expire; at an end what was not begun is cancelled, and its step closes. Its id."""
    step = await tx.work.steps.open_of(run.id)
    if to is RunState.PAUSED:
        await _expire_questions(tx, run)
        if step is not None:
            tx.step_followed(step.id)
        return step and step.id
    await withdraw_questions(tx, run)
    if step is None:
        return None
    for action in await tx.work.actions.of_step(step.id):
        if action.state in NOT_BEGUN:
            response = to_model.cancelled(action)
            await settle_action(tx, action, ActionState.CANCELLED, code=AuditCode.ACTION_CANCELLED, response=response)
            await rewrite_card(tx, action)  # it may say that somebody is working on it
    await close_step(tx, run, step.id)
    return step.id


async def _expire_questions(tx: Transaction, run: Run) -> None:
    for question in await tx.work.questions.open_of_run(run.id):
        await close_question(tx, question, QuestionState.EXPIRED)
        action = await tx.work.actions.find(question.action_id)
        if action.state is ActionState.AWAITING:
            await move_action(
                tx, action, ActionState.EXPIRED, code=AuditCode.ACTION_EXPIRED, response=to_model.expired()
            )


async def say(tx: Transaction, run: Run, text: str) -> None:
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
