"""The read model of a plan: its tasks as they stand, and what changed them while it was carried out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from bot.agents.definition import ENDING_TOOL
from bot.domain.plans import TASK_ID, PlanTask
from bot.domain.questions import PlanPayload, Question
from bot.domain.runs import Run, RunState
from bot.runtime.delivery.views import PlanView
from bot.runtime.plans.record import SessionStatus
from bot.runtime.texts import about_plans
from bot.store.unit_of_work import UnitOfWork


async def plan_view(work: UnitOfWork, run: Run, question: Question) -> PlanView:
    """The plan of this run, for the card of this question."""
    asked = question.payload_as(PlanPayload).revision
    return PlanView(
        revision=asked,
        tasks=await work.plans.tasks(run.id),
        actions=await _actions(work, run),
        changes=[one.reason for one in await work.plans.revisions(run.id) if one.number > asked and one.reason],
        state=run.state,
        stopping=run.cancel_requested,
        deadline_at=run.deadline_at,
        cost_micros=run.cost_micros,  # with what those below it spent
    )


async def _actions(work: UnitOfWork, run: Run) -> Mapping[str, int]:
    """By task how many actions it took, in all of its attempts, with those of agents that worked for it."""
    used, below = await work.actions.used(run.id, apart_from=ENDING_TOOL), await work.runs.below(run.id)
    known, found = {one.id: one for one in below}, Counter[str]()
    for one in below:
        top = one
        while top.parent != run.id:
            top = known[top.parent or ""]
        found[str((top.inputs or {})[TASK_ID])] += used.get(one.id, (0, ""))[0]
    return found


def stands(status: SessionStatus, tasks: Sequence[PlanTask], state: RunState) -> str:
    """How a plan stands, in words."""
    if status is SessionStatus.PLANNING:
        return "I am making the plan"
    if status is SessionStatus.AWAITING_CONFIRMATION:
        return "waits for you to confirm it"
    waits = ", waits for your decision" if state is RunState.AWAITING else ""
    return f"{about_plans.so_far(tasks, state)}{waits}"
