"""The read model of a plan: its tasks as they stand, and what changed them while it was carried out."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.plans import PlanTask, TaskStatus
from bot.domain.questions import PlanPayload, Question
from bot.domain.runs import Run, RunState
from bot.runtime.delivery.views import PlanView
from bot.runtime.plans.record import SessionStatus
from bot.store.unit_of_work import UnitOfWork


async def plan_view(work: UnitOfWork, run: Run, question: Question) -> PlanView:
    """The plan of this run, for the card of this question."""
    asked = question.payload_as(PlanPayload).revision
    tasks, below = await work.plans.tasks(run.id), await work.runs.below(run.id)
    used = await work.actions.used(run.id, apart_from="")
    return PlanView(
        revision=asked,
        tasks=tasks,
        actions={task.id: used[task.child][0] for task in tasks if task.child and task.child in used},
        changes=[one.reason for one in await work.plans.revisions(run.id) if one.number > asked and one.reason],
        state=run.state,
        stopping=run.cancel_requested,
        deadline_at=run.deadline_at,
        cost_micros=run.cost_micros + sum(child.cost_micros for child in below),
    )


def stands(status: SessionStatus, tasks: Sequence[PlanTask], state: RunState) -> str:
    """How a plan stands, in words."""
    if status is SessionStatus.PLANNING:
        return "I am making the plan"
    if status is SessionStatus.AWAITING_CONFIRMATION:
        return "waits for you to confirm it"
    done = sum(task.status is TaskStatus.COMPLETED for task in tasks)
    waits = {RunState.AWAITING: ", waits for your decision", RunState.PAUSED: ", paused"}.get(state, "")
    return f"{done} of {len(tasks)} tasks done{waits}"
