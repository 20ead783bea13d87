"""What a run does next: the one rule that follows every move of an action or a question (docs/states.md §1)."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bot.domain.conditions import Standing, follows_its_step
from bot.domain.runs import Run, RunChanges, RunState
from bot.domain.steps import Closing, after
from bot.runtime.core.transaction import AGENT, Transaction
from bot.runtime.lifecycle.actions import close_step
from bot.runtime.lifecycle.runs import finish_run, move_run
from bot.runtime.texts import to_people


async def lock_step(tx: Transaction, step_id: str) -> None:
    """Keep the actions and questions of a step as they are read from here on, until the transaction ends."""
    tx.holds_step = True
    await tx.work.steps.lock(step_id)


@asynccontextmanager
async def step_locked(tx: Transaction, step_id: str, *, woken: bool = False) -> AsyncGenerator[None]:
    """Hold a step while its actions and questions are read and moved; when something moved, the run follows.

    `woken` says that a person made the move. A block that raises moves nothing on; a transaction in which something
    moved without this is not committed (`StepNotFollowed`).
    """
    await lock_step(tx, step_id)
    yield
    if tx.is_step_changed(step_id):
        await _after(tx, step_id, woken=woken)


async def _after(tx: Transaction, step_id: str, *, woken: bool) -> None:
    """What the run does next, by the one rule, in this transaction; `woken` says that a person made it ready."""
    tx.step_followed(step_id)
    step = await tx.work.steps.lock(step_id)
    if step.closed_at is not None:
        return
    run = await tx.work.runs.find(step.run_id)
    siblings = await tx.work.actions.siblings(step_id)
    unsettled = sum(not sibling.state.is_settled() for sibling in siblings)
    await tx.work.steps.set_open(step_id, unsettled, closed_at=None)
    if not follows_its_step(Standing.of(run), by_person=woken):
        return
    following = after(siblings, cancel_requested=run.cancel_requested, hard_stop=run.hard_stop is not None)
    if following.step is not Closing.STAYS:
        await close_step(tx, run, step_id)
    await _follow(tx, run, following.run, woken=woken)


async def _follow(tx: Transaction, run: Run, to: RunState, *, woken: bool) -> None:
    tx.wake(run.thread_id)
    if to in {RunState.CANCELLED, RunState.PAUSED}:
        actor = (to is RunState.CANCELLED and run.stopped_by) or AGENT
        await finish_run(tx, run, to, summary=await _summary(tx, run, to), actor=actor)
        return
    changes: RunChanges = {"woken_at": tx.now} if woken else {}
    if to is not run.state:
        await move_run(tx, run, to, **changes)
    elif changes:
        await tx.work.runs.change(run.id, **changes)


async def _summary(tx: Transaction, run: Run, to: RunState) -> str:
    """What its owner is told of its end: why, and what was done."""
    actions = await tx.work.actions.of_run(run.id)
    if to is RunState.PAUSED:
        return to_people.joined(run.hard_stop or to_people.NOBODY_ANSWERED, to_people.ledger(actions))
    return to_people.stopped(actions, copied_at=await tx.work.metadata.copied_at() if run.is_of_copy else None)
