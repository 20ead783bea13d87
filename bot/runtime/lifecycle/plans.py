"""What the end of a task's run leaves in its plan, in the same transaction; the card that shows it, and the log."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.actions import ActionState
from bot.domain.deliveries import DeliveryKind
from bot.domain.limits import Limit
from bot.domain.plans import TASK_ID, TaskStatus
from bot.domain.runs import DEADLINE, SILENCE, WITH_REQUEST, Run, RunState
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import rewrite_card
from bot.runtime.texts import about_plans

_BEHIND_ANSWER = timedelta(seconds=2)


async def task_ended(tx: Transaction, run: Run) -> None:
    """A task's run came to its end. What silence paused goes on with the plan, and what stopped because the whole plan
    has to stop is taken again where that is continued.
    """
    if run.phase is None or run.parent is None or (run.state is RunState.PAUSED and run.stop_code == SILENCE):
        return
    task_id = str((run.inputs or {}).get(TASK_ID, ""))
    summary = about_plans.said_of(run)
    status = _status(run, plan=await tx.work.runs.find(run.parent))
    await tx.work.plans.move_task(run.parent, task_id, status, summary=summary)
    await show_plan(tx, run.parent)


def _status(run: Run, *, plan: Run) -> TaskStatus:
    if run.state is RunState.COMPLETED:
        return TaskStatus.COMPLETED
    stops = plan.stopping is not None or plan.hard_stop is not None or WITH_REQUEST in run.hinted
    own = not stops and run.stop_code in set(Limit) and run.limits.of(Limit(run.stop_code)) is not None
    return TaskStatus.PENDING if run.state is RunState.PAUSED and not own else TaskStatus.FAILED


async def deliver_log(tx: Transaction, run: Run) -> None:
    """A confirmed plan is over, or stops at its deadline: everything that was done for it follows as a file.

    In a lane of its own: Slack takes files at another address, which may be out of reach, and answers go on. The answer
    stands above it, so it comes a moment later.
    """
    if not run.is_plan or not (run.state.is_final() or run.stop_code == DEADLINE):
        return
    plan = await tx.work.plans.find(run.id)
    if plan is not None and plan.confirmed is not None:
        lane, later = f"{DeliveryKind.LOG}:{run.id}", tx.now + _BEHIND_ANSWER
        await tx.deliver(lane, DeliveryKind.LOG, run.id, team=run.team, not_before=later)


async def show_plan(tx: Transaction, run_id: str) -> None:
    """Have the card of the plan written anew that was confirmed."""
    for action in await tx.work.actions.of_run(run_id):
        if action.preview is not None and action.state is ActionState.COMPLETED:
            await rewrite_card(tx, action)
