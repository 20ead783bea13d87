"""Resuming: what its owner does with a request that stopped: Continue, Ask again, Try again (docs/states.md §1, §2),
and has taken what came too fast.

Each is one transaction in which the first click wins; later ones are told what became of it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import (
    Standing,
    can_move_again,
    may_ask_again,
    may_continue,
    no_hard_stop,
    request_stands,
)
from bot.domain.deliveries import DeliveryKind
from bot.domain.limits import Rate
from bot.domain.plans import Plan
from bot.domain.questions import SettlePayload
from bot.domain.replies import Reply
from bot.domain.runs import OPERATOR, Run, RunChanges, RunState
from bot.domain.steps import Step
from bot.domain.threads import Message, held_back_mark, zone_of
from bot.llm import wire
from bot.runtime.actions.claim import stored_hash
from bot.runtime.core.clicks import (
    ButtonClick,
    ClickOutcome,
    ClickRejected,
    handle,
    members_only,
    on_its_card,
    owner_only,
    question_of,
    run_of,
)
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.actions import move_action, rewrite_card
from bot.runtime.lifecycle.progress import lock_step, step_locked
from bot.runtime.lifecycle.questions import ask_question, new_question
from bot.runtime.lifecycle.runs import move_run, queue_run, request_of, retried_run, retry_source
from bot.runtime.limits import held_back, rate_limit
from bot.runtime.limits.quotas import renewed
from bot.runtime.limits.usage import continued_behind
from bot.runtime.plans import deadlines
from bot.runtime.questions.follow_ups import is_remembered, is_waited_for
from bot.runtime.runs.intake import attached_before
from bot.runtime.runs.steering import Steering, addressed
from bot.runtime.texts import about_limits, about_plans, to_model, to_people

# Continue -----------------------------------------------------------------------------------------------------


async def continue_run(
    transactions: TransactionFactory, click: ButtonClick, until: datetime | None = None, *, by_operator: bool = False
) -> ClickOutcome:
    """A paused run goes on with one fresh allowance; `click.value` is its id. One whose deadline is over goes on with a
    new one, `until`. `by_operator`: its owner did not press the button. Raises `NotSaved`.
    """
    return await handle(transactions, click, partial(go_on, until=until, by_operator=by_operator))


async def suggested_deadline(transactions: TransactionFactory, click: ButtonClick) -> datetime | None:
    """What its owner is asked for before this run goes on: a deadline in the place of the one that is over. None where
    Continue asks for nothing. Raises `NotRead`.
    """
    async with transactions.read_promptly() as work:
        run, person = await work.records.run(click.value), await work.users.find(click.team, click.user)
    if run is None or (run.team, run.user) != (click.team, click.user) or not may_continue(Standing.of(run)):
        return None
    now = transactions.clock.now()
    if run.deadline_at is None or not run.is_late(now):
        return None
    return deadlines.suggested(run.deadline_at, now=now, zone=zone_of(person))


async def go_on(
    tx: Transaction,
    click: ButtonClick,
    until: datetime | None = None,
    *,
    by_operator: bool = False,
    rate: Rate | None = None,
) -> None:
    """The same in a transaction; with a `rate` it counts as a request does. Raises `ClickRejected`."""
    run = await run_of(tx, click)
    if not may_continue(Standing.of(run)):
        raise ClickRejected(AuditCode.RUN_NOT_CONTINUED, _why_not_continued(run), run)
    if run.holds and (await request_of(tx.work, run)).is_late(tx.now):
        raise ClickRejected(AuditCode.RUN_NOT_CONTINUED, about_plans.NOT_BEGUN_LATE, run)
    deadline = await _deadline(tx, run, until)
    await _count(tx, run, rate, AuditCode.RUN_NOT_CONTINUED)
    step = await tx.work.steps.open_of(run.id)
    if step is not None:
        await lock_step(tx, step.id)
    again: RunChanges = {**await renewed(tx.work, run, tx.now), "woken_at": tx.now, "deadline_at": deadline}
    await tx.work.runs.change(run.id, **again)
    await _leave_pause_behind(tx, run)
    moved = {"deadline": deadline.isoformat()} if deadline and deadline != run.deadline_at else {}
    by = {"by": OPERATOR} if by_operator else {}
    tx.record_run(run, AuditCode.RUN_CONTINUED, actor=click.user, **moved, **by)
    if step is not None:
        await _go_on(tx, step, click)
        return
    planning = await move_run(tx, await tx.work.runs.find(run.id), RunState.PLANNING)
    if planning.is_flow:  # its last step, if that came to no end, is taken again
        last = (await tx.work.actions.of_run(run.id))[-1:]
        await tx.work.runs.change(run.id, hinted=[continued_behind(action.id) for action in last])
    elif not planning.is_led_by_code:
        await tx.work.steps.append(run.id, [wire.user_text(to_model.CONTINUED)])
    tx.wake(run.thread_id)


def _why_not_continued(run: Run) -> str:
    if not request_stands(Standing.of(run)):
        return to_people.DELETED
    if run.state is RunState.AWAITING:
        return to_people.WAITS
    return to_people.GOES_ON if run.state.is_live() else to_people.NOT_PAUSED


async def _deadline(tx: Transaction, run: Run, until: datetime | None) -> datetime | None:
    """The deadline with which it goes on. Raises `ClickRejected` where it needs a new one."""
    if not run.is_late(tx.now):
        return run.deadline_at
    if until is None:
        raise ClickRejected(AuditCode.RUN_NOT_CONTINUED, about_plans.NEEDS_DEADLINE, run)
    zone = zone_of(await tx.work.users.find(run.team, run.user))
    if wrong := deadlines.problem(until, now=tx.now, zone=zone):
        raise ClickRejected(AuditCode.RUN_NOT_CONTINUED, wrong, run)
    return until


async def _go_on(tx: Transaction, step: Step, click: ButtonClick) -> None:
    """With an open step what was left is asked again, and `after` says what the run does."""
    run = await tx.work.runs.find(step.run_id)
    async with step_locked(tx, step.id, woken=True):
        tx.step_changed(step.id)
        for action in await tx.work.actions.of_step(step.id):
            if action.child is not None and await _was_left(tx, run, step, action):
                await _again_below(tx, action.child, click)
            elif await _was_left(tx, run, step, action):
                await _again(tx, action, click)


async def _again_below(tx: Transaction, child: str, click: ButtonClick) -> None:
    """What the run that does the work of an action had asked; with it that run goes on, and its action waits again."""
    step = await tx.work.steps.open_of(child)
    if step is not None:
        await _go_on(tx, step, click)


async def _leave_pause_behind(tx: Transaction, run: Run) -> None:
    """What was said at the pause stays where it stands, without its button; the answer to come is another message."""
    posts = [post for post in await tx.work.posts.of_run(run.id) if post.is_answer]
    said = await tx.work.messages.said_last(run.thread_id, run.id)
    for post in posts:
        await tx.work.posts.save(post.said)
    if said is not None and posts:
        last = max(posts, key=lambda post: post.ts)
        await tx.work.messages.change(said.id, channel=last.channel, ts=last.ts)
        await tx.deliver(run.thread_id, DeliveryKind.RESUMED, said.id, team=run.team)


async def _count(tx: Transaction, run: Run, rate: Rate | None, code: AuditCode) -> None:
    """Count one request of its owner's; raises `ClickRejected`."""
    if rate and (refused := await rate_limit.exceeded(tx, run.team, run.user, rate)):
        told = await rate_limit.in_words(tx.work, run.team, run.user, rate, refused)
        raise ClickRejected(code, told, run, again_at=refused.again_at)


# Ask again ----------------------------------------------------------------------------------------------------


async def ask_again(transactions: TransactionFactory, click: ButtonClick) -> ClickOutcome:
    """What nobody answered is asked again; `click.value` is that of the question's buttons. Raises `NotSaved`."""
    return await handle(transactions, click, _ask_again)


async def _ask_again(tx: Transaction, click: ButtonClick) -> None:
    question = await question_of(tx, click)
    await owner_only(tx, click, question, "Only <@{owner}> can have this asked again.")
    await on_its_card(tx, click, question)
    await tx.work.threads.lock(question.thread_id)
    step = await tx.work.steps.lock(question.step_id)
    run, action = await tx.work.runs.find(question.run_id), await tx.work.actions.find(question.action_id)
    if not await _was_left(tx, run, step, action):
        why = _why_not_asked(run, step, action) if await is_waited_for(tx.work, run) else to_people.CLOSED
        raise ClickRejected(AuditCode.QUESTION_NOT_ASKED_AGAIN, await _said_there(tx, why, run), question)
    if (await request_of(tx.work, run)).is_late(tx.now):
        why = about_plans.NOT_BEGUN_LATE if run.holds else about_plans.NOT_ASKED_LATE
        raise ClickRejected(AuditCode.QUESTION_NOT_ASKED_AGAIN, await _said_there(tx, why, run), question)
    if run.state is RunState.PAUSED:
        await _leave_pause_behind(tx, run)
    async with step_locked(tx, step.id, woken=True):
        await _again(tx, action, click)


async def _said_there(tx: Transaction, why: str, run: Run) -> str:
    """Where it is continued: in Slack an answer has a button for that, and over HTTP there are neither."""
    thread = await tx.work.threads.find(run.thread_id)
    return why.format(continue_it=to_people.CONTINUE_IT[thread.surface])


def _why_not_asked(run: Run, step: Step, action: Action) -> str:
    facts = Standing.of(run, step_open=step.closed_at is None)
    if not request_stands(facts):
        return to_people.DELETED
    if not facts.step_open or not can_move_again(facts) or run.cancel_requested:
        return to_people.CLOSED
    waits = action.state in {ActionState.EXPIRED, ActionState.UNKNOWN}
    return to_people.AT_A_LIMIT if waits and not no_hard_stop(facts) else to_people.ASKED_ALREADY


async def _was_left(tx: Transaction, run: Run, step: Step, action: Action) -> bool:
    facts = Standing.of(run, step_open=step.closed_at is None)
    if not await is_waited_for(tx.work, run):
        return False
    asked = {question.action_id for question in await tx.work.questions.open_of_run(run.id)}
    return may_ask_again(facts, action.state, question_open=action.id in asked)


async def _again(tx: Transaction, action: Action, click: ButtonClick) -> None:
    """expired → planned, to be evaluated and asked anew; of a doubtful one the owner is asked again what happened."""
    if action.state is ActionState.UNKNOWN:
        payload = SettlePayload(where=action.summary, link=action.link or "")
        await ask_question(tx, new_question(action, payload, stored_hash(action), tx))
    else:
        action = await move_action(
            tx, action, ActionState.PLANNED, code=AuditCode.ACTION_ASKED_AGAIN, actor=click.user, response=None
        )
    await rewrite_card(tx, action)


# Try again ----------------------------------------------------------------------------------------------------


async def try_again(transactions: TransactionFactory, click: ButtonClick, rate: Rate | None = None) -> ClickOutcome:
    """A failed run's request is run anew; `click.value` is the run's id. It counts as a request does. Raises
    `NotSaved`.
    """
    return await handle(transactions, click, partial(begin_again, rate=rate))


async def _failed(tx: Transaction, click: ButtonClick) -> Run:
    """The run that is tried again; raises `ClickRejected`."""
    run = await run_of(tx, click)
    if not request_stands(Standing.of(run)):
        raise ClickRejected(AuditCode.RUN_NOT_TRIED_AGAIN, to_people.DELETED, run)
    if run.state is not RunState.FAILED or run.is_child:
        raise ClickRejected(AuditCode.RUN_NOT_TRIED_AGAIN, to_people.NOT_FAILED, run)
    if run.holds is not None:  # its request did more than this
        raise ClickRejected(AuditCode.RUN_NOT_TRIED_AGAIN, to_people.HELD_AS_IT_IS, run)
    if not await is_remembered(tx.work, run):
        raise ClickRejected(AuditCode.RUN_NOT_TRIED_AGAIN, to_people.FORGOTTEN, run)
    if await tx.work.runs.by_source(retry_source(run.id)):
        raise ClickRejected(AuditCode.RUN_NOT_TRIED_AGAIN, to_people.TRIED_ALREADY, run)
    return run


async def begin_again(tx: Transaction, click: ButtonClick, rate: Rate | None = None) -> None:
    """The same in a transaction; the new run has the source key `retry_source`. Raises `ClickRejected`."""
    run = await _failed(tx, click)
    await _count(tx, run, rate, AuditCode.RUN_NOT_TRIED_AGAIN)
    new = retried_run(await tx.work.messages.find(run.message_id), run, now=tx.now)
    for each in (run, *await tx.work.runs.below(run.id)):
        await tx.work.messages.steer_again(each.id, by=new.id)
    if (plan := await tx.work.plans.find(run.id)) is not None:
        new = replace(new, limits=tx.limits, ceiling=tx.limits)  # what it might use grew with its tasks
        await tx.work.plans.begin(Plan(run_id=new.id, repository=plan.repository, created_at=tx.now))
    await queue_run(tx, new, retry_of=run.id)
    tx.record_run(run, AuditCode.RUN_TRIED_AGAIN, actor=click.user)
    await tx.deliver(run.thread_id, DeliveryKind.ANSWER, run.id, team=run.team)


# What came too fast -------------------------------------------------------------------------------------------


async def take_held_back(
    transactions: TransactionFactory, click: ButtonClick, rate: Rate | None = None
) -> ClickOutcome:
    """What was offered to this person is taken, each as if it were said now; `click.value` is the second of the offer.
    Each counts as a request. Raises `NotSaved`.
    """
    return await handle(transactions, click, partial(_take_held_back, rate=rate))


async def _take_held_back(tx: Transaction, click: ButtonClick, rate: Rate | None) -> None:
    """Threads are locked before anything is counted, as intake does."""
    await members_only(tx, click)
    offered = await held_back.offered(tx.work, click.team, click.user, click.value, tx.now)
    for thread_id in sorted({message.thread_id for message in offered}):
        await tx.work.threads.lock(thread_id)
    taken = [await _take(tx, message, rate) for message in offered]
    if not any(taken):
        raise ClickRejected(AuditCode.CLICK_LATE, about_limits.OFFER_OVER)


async def _take(tx: Transaction, message: Message, rate: Rate | None) -> bool:
    """Whether it was still there to be taken. Raises `ClickRejected` where it comes too fast again."""
    if not await tx.work.messages.release(message.id, held_back_mark(message.team, message.author)):
        return False
    run = await addressed(tx, message)
    turn = await _turn(tx, message, run, rate) if rate else 0.0
    if run is not None:
        await Steering(tx=tx, run=run, message=message).hear(Reply.WORDS)
        return True
    attached = await attached_before(tx.work, message)
    await held_back.begin_in_turn(tx, message, turn, rate=rate, limits=tx.limits, attached=attached)
    return True


async def _turn(tx: Transaction, message: Message, run: Run | None, rate: Rate) -> float:
    """The seconds until its turn. Raises `ClickRejected` where there is none, and then it stays held back."""
    turn = await rate_limit.turn(tx, message, run, rate)
    if not isinstance(turn, rate_limit.TooFast):
        return turn
    team, user = message.team, message.author
    await tx.work.messages.change(message.id, steers=held_back_mark(team, user))
    told = await rate_limit.press_again(tx.work, team, user, rate, turn)
    raise ClickRejected(AuditCode.CLICK_TOO_FAST, told, again_at=turn.again_at)
