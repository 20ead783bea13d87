"""The read models of a plan: its tasks as they stand with what changed them while it was carried out, and its log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.agents.definition import ENDING_TOOL
from bot.domain.actions import Tally
from bot.domain.deliveries import Place
from bot.domain.plans import TASK_ID, PlanTask, TaskStatus
from bot.domain.questions import PlanPayload, Question
from bot.domain.runs import Run, RunState
from bot.runtime.actions.previews import preview_of
from bot.runtime.delivery.lists import WAITS_FOR_OTHERS, WAITS_FOR_YOU
from bot.runtime.delivery.views import PlanView
from bot.runtime.plans import record
from bot.runtime.plans.record import PlanSession, SessionStatus
from bot.runtime.texts import about_plans
from bot.store.unit_of_work import UnitOfWork

_OVER = {
    SessionStatus.COMPLETED,
    SessionStatus.FAILED,
    SessionStatus.CANCELLED,
    SessionStatus.DEADLINE_EXCEEDED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogView:
    """A plan that is over, with its log. `private`: some of its cards may be shown to its owner only."""

    place: Place
    session: PlanSession
    private: bool

    @property
    def end(self) -> str:
        """Which end it is of: a plan can stop at one deadline, go on, and stop at the next."""
        status, deadline = self.session.status, self.session.deadline
        is_deadline = status is SessionStatus.DEADLINE_EXCEEDED and deadline is not None
        return f"{status.lower()}-{deadline:%Y%m%dT%H%M%SZ}" if is_deadline else status.lower()


async def log_view(work: UnitOfWork, run_id: str) -> LogView | None:
    """Everything that was done for the plan of this run; None where it goes on by now."""
    found = await record.session(work, run_id)
    if found is None or found.status not in _OVER:
        return None
    cards = [preview_of(one) for one in await work.actions.of_work(run_id) if one.preview]
    return LogView(
        place=await work.runs.place(run_id), session=found, private=any(preview.private for preview in cards)
    )


async def plan_view(work: UnitOfWork, run: Run, question: Question) -> PlanView:
    """The plan of this run, for the card of this question."""
    asked = question.payload_as(PlanPayload).revision
    tasks, revisions = await work.plans.tasks(run.id), await work.plans.revisions(run.id)
    shown = next(one for one in revisions if one.number == asked)
    return PlanView(
        revision=asked,
        tasks=tasks,
        actions=await _actions(work, run),
        changes=[one.reason for one in revisions if one.number > asked and one.reason],
        unconfirmed={task.id for task in tasks if not shown.has(task)},
        state=run.state,
        stopping=run.cancel_requested,
        deadline_at=run.deadline_at,
        told=run.state.is_final() and about_plans.account(tasks) in (run.error or run.summary),
        cost_micros=run.cost_micros,  # with what those below it spent
        done_before=await _done_before(work, run),
    )


async def _done_before(work: UnitOfWork, run: Run) -> Sequence[str]:
    """The titles of the tasks that were done when this plan was tried before."""
    tasks = [task for tried in await work.runs.tries_before(run) for task in await work.plans.tasks(tried.id)]
    return [task.title for task in tasks if task.status is TaskStatus.COMPLETED]


async def _actions(work: UnitOfWork, run: Run) -> Mapping[str, Tally]:
    """By task what it took, in all of its attempts, with those of agents that worked for it."""
    used, below = await work.actions.used(run.id, apart_from=ENDING_TOOL), await work.runs.below(run.id)
    known, found = {one.id: one for one in below}, defaultdict[str, Tally](Tally)
    for one in below:
        top = one
        while top.parent != run.id:
            top = known[top.parent or ""]
        found[str((top.inputs or {})[TASK_ID])] += used[one.id].tally if one.id in used else Tally()
    return found


def stands(run: Run, tasks: Sequence[PlanTask], now: datetime, *, agreed: bool) -> str:
    """How a plan stands, in words. A deadline that passed while it was paused is over, too. `agreed`: it waits for
    others than its owner.
    """
    status = record.status_of(run, now)
    if status is SessionStatus.PLANNING:
        return "waits for your answer" if run.state is RunState.AWAITING else "I am making the plan"
    if status is SessionStatus.AWAITING_CONFIRMATION:
        return "waits for you to confirm it"
    over = about_plans.OVER_BY_NOW if status is SessionStatus.DEADLINE_EXCEEDED else ""
    if run.is_proposing:
        begun = any(task.status is not TaskStatus.PENDING for task in tasks)
        done = f"{about_plans.so_far(tasks, RunState.EXECUTING)}, the rest " if begun else ""
        return f"{done}{about_plans.UNCONFIRMED}{over}"
    waits = f", {WAITS_FOR_OTHERS if agreed else WAITS_FOR_YOU}" if run.state is RunState.AWAITING else ""
    return f"{about_plans.so_far(tasks, run.state)}{over}{waits}"
