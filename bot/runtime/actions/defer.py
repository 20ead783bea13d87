"""Deferring: an action that is due later, or can still be undone, waits as a run of its own (docs/states.md §2).

The action that asked completes as "scheduled". The same transaction queues a run of one action that does not begin
before its time. Code stands in for the model there: its one step is the call, its final text the outcome. An approval
is carried by hash; without one the action is evaluated again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.domain import ids
from bot.domain.actions import Action, ActionState, Approval, Undo
from bot.domain.audit import AuditCode
from bot.domain.conditions import moment_has_come, thread_is_free
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import HomeChanged
from bot.domain.limits import Limits
from bot.domain.questions import APPROVAL_LIFE
from bot.domain.runs import HELD_SOURCE, Mode, Run, RunState
from bot.domain.steps import HELD, Step
from bot.domain.threads import zone_of
from bot.runtime.actions import deadlines
from bot.runtime.core.lease import Lease
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import move_action, rewrite_card
from bot.runtime.lifecycle.privacy import post_stub
from bot.runtime.lifecycle.progress import finish_run
from bot.runtime.lifecycle.runs import move_run
from bot.runtime.texts import about_times, to_model, to_people
from bot.tools.arguments import stored
from integrations.base import AnyTool, ToolContext
from policies.types import EffectClass, Label

SEND_NOW_FROM_SECONDS = 120
"""What is deferred for longer can be done at once, too; a shorter wait is over before anybody clicks."""


def named_time(tool: AnyTool, action: Action, run: Run, context: ToolContext) -> datetime | None:
    """The moment that the action's arguments name. None for at once, and in the run that it waited in: there it came.

    Raises `ToolError` for a moment that is over.
    """
    if run.holds is not None or not action.is_side_effect:
        return None
    return tool.not_before(stored(tool, action.args), context)


def held_until(run: Run, named: datetime | None, *, undoable: datetime, now: datetime) -> datetime | None:
    """Until when this claim is deferred: until its time, and as long as it is to be `undoable`; None for not."""
    until = max(named or now, undoable)
    return until if until > now and run.holds is None else None


async def hold(tx: Transaction, action: Action, until: datetime, *, covered: bool, columns: Mapping[str, Any]) -> None:
    """In place of a claim: the action completes as scheduled, and the run that will do it is queued. Where that were
    after the deadline of its request, it is denied.
    """
    asking = await tx.work.runs.find(action.run_id)
    request = await tx.work.runs.find(asking.request_run)
    if await deadlines.refused(tx, action, request, until, columns):
        return
    waiting = _run(asking, action, until, tx.now, limits=request.limits)
    person = await tx.work.users.find(action.team, action.user)
    told = about_times.moment(until, zone_of(person))
    done = await _completed(tx, action, waiting, until, told, columns)
    await tx.work.runs.add(waiting)
    step = _step(waiting, tx.now)
    await tx.work.steps.add(step)
    await tx.work.actions.add([_action(done, step, until, covered=covered, now=tx.now)])
    tx.record_run(waiting, AuditCode.RUN_HELD, asked_by=action.id, not_before=until.isoformat())
    if done.preview is None or done.preview.get("private", True):
        await post_stub(tx, asking)
    await rewrite_card(tx, done)
    await tx.deliver(waiting.thread_id, DeliveryKind.HELD, waiting.id, team=waiting.team)
    tx.publish(HomeChanged(waiting.team, waiting.user))


async def _completed(
    tx: Transaction, action: Action, waiting: Run, until: datetime, told: str, columns: Mapping[str, Any]
) -> Action:
    claimed = (ActionState.EXECUTING, ActionState.COMPLETED)
    path = (ActionState.APPROVED, *claimed) if action.state is ActionState.PLANNED else claimed
    output = {"status": "scheduled", "not_before": until.isoformat(), "local_time": told, "note": to_model.SCHEDULED}
    return await move_action(
        tx,
        action,
        *path,
        code=AuditCode.ACTION_SCHEDULED,
        about={"held_run": waiting.id, "not_before": until.isoformat()},
        response={"output": output, "trust": Label.CONFIG.value},
        summary=f"Scheduled for {told}.",
        undo=Undo.held(waiting.id),
        ended_at=tx.now,
        **columns,
    )


def _run(asking: Run, action: Action, until: datetime, now: datetime, *, limits: Limits) -> Run:
    """The run takes its request's place in the order, so that a later "stop" reaches it."""
    return Run(
        id=ids.new_id("run"),
        thread_id=asking.thread_id,
        team=asking.team,
        user=asking.user,
        source_key=f"{HELD_SOURCE}{action.id}",
        message_id=asking.message_id,
        state=RunState.QUEUED,
        mode=Mode.TOOL,
        private=asking.private,
        label=asking.label,
        steps_taken=1,
        limits=limits,
        ceiling=limits,
        not_before=until,
        order_key=asking.order_key,
        created_at=now,
    )


def _step(run: Run, now: datetime) -> Step:
    return Step(
        id=ids.new_id("step"), run_id=run.id, seq=1, open=1, model="", finish=HELD, started_at=now, ended_at=now
    )


def _action(asked: Action, step: Step, until: datetime, *, covered: bool, now: datetime) -> Action:
    """The same call once more: approved as it was, else to be evaluated at its time."""
    approval = _carried(asked.approval, asked.effect, until) if covered and asked.approval else None
    return replace(
        asked,
        id=ids.new_id("act"),
        run_id=step.run_id,
        step_id=step.id,
        seq=0,
        state=ActionState.APPROVED if approval else ActionState.PLANNED,
        approval=approval,
        response=None,
        attempt=0,
        deadline_at=None,
        summary="",
        undo=None,
        created_at=now,
        started_at=None,
        ended_at=None,
    )


def _carried(approval: Approval, effect: EffectClass, until: datetime) -> Approval:
    """It stands until an hour after the moment; that of something destructive stays as short as it was."""
    if effect is EffectClass.DESTRUCTIVE:
        return approval
    return replace(approval, expires_at=max(approval.expires_at, until + APPROVAL_LIFE))


async def step(run: Run, lease: Lease) -> None:
    """What the model would do next in a deferred run: its call, or its last word."""
    await (_begin(run, lease) if run.state is RunState.QUEUED else _conclude(run, lease))


async def _begin(run: Run, lease: Lease) -> None:
    async with lease.write() as tx:
        others = [other.state for other in await tx.work.runs.live(run.thread_id)]
        current = await tx.work.runs.find(run.id)
        due = moment_has_come(current.not_before, tx.now)
        if current.state is not RunState.QUEUED or not due or not thread_is_free(others):
            return
        planning = await move_run(tx, current, RunState.PLANNING, started_at=tx.now)
        await move_run(tx, planning, RunState.EXECUTING)
        tx.record_run(run, AuditCode.RUN_STARTED)
        tx.wake(run.thread_id)


async def _conclude(run: Run, lease: Lease) -> None:
    async with lease.write() as tx:
        await tx.work.threads.lock(run.thread_id)
        current = await tx.work.runs.find(run.id)
        if current.state is not RunState.PLANNING:
            return
        (action,) = await tx.work.actions.of_run(run.id)
        await finish_run(tx, current, RunState.COMPLETED, summary=to_people.held_outcome(action))
