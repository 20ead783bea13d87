"""A plan as whoever asked for it programmatically knows it: a session with its state, its tasks and its log
(docs/plans.md). A view of rows.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum

from bot.agents.definition import ENDING_TOOL
from bot.domain.actions import Action
from bot.domain.plans import TASK_ID, Phase, PlanTask
from bot.domain.runs import DEADLINE, Run, RunState
from bot.store.unit_of_work import UnitOfWork
from bot.tools.plans import PROPOSE_PLAN


class SessionStatus(StrEnum):
    """Where a session stands."""

    PLANNING = "PLANNING"
    AWAITING_CONFIRMATION = "AWAITING_CONFIRMATION"
    EXECUTING = "EXECUTING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED"
    CANCELLED = "CANCELLED"
    PAUSED = "PAUSED"


_ENDS: Mapping[RunState, SessionStatus] = {
    RunState.COMPLETED: SessionStatus.COMPLETED,
    RunState.FAILED: SessionStatus.FAILED,
    RunState.CANCELLED: SessionStatus.CANCELLED,
    RunState.PAUSED: SessionStatus.PAUSED,
}


def status_of(run: Run, now: datetime | None = None) -> SessionStatus:
    """The state of a plan's run. It executes from the moment when it is confirmed, also while a card waits. By `now` a
    deadline counts that passed while it was paused.
    """
    is_over = run.stop_code == DEADLINE or (now is not None and run.is_late(now))
    if run.state is RunState.PAUSED and is_over:
        return SessionStatus.DEADLINE_EXCEEDED
    if run.state in _ENDS:
        return _ENDS[run.state]
    if run.phase is not Phase.PROPOSE:
        return SessionStatus.EXECUTING
    return SessionStatus.AWAITING_CONFIRMATION if run.state is RunState.AWAITING else SessionStatus.PLANNING


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """One action: the task and the round that it was made in, why, what came of it, and who approved it. `agent` is the
    one that made it, where it was given a part of the task. While the plan was made there was no task (an empty one),
    and a task that was not begun has the round 0.
    """

    task: str
    round: int
    agent: str
    reason: str
    tool: str
    arguments: str
    verdict: str
    approved_by: str | None
    state: str
    observation: object
    proposed_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A plan. `session_id` is the id of its run; `log` has every action in order, those that were refused as well."""

    session_id: str
    status: SessionStatus
    revision: int
    confirmed: int | None
    deadline: datetime | None
    repository: str
    made_from: str
    tasks: Sequence[PlanTask]
    summary: str
    log: Sequence[LogEntry]

    @property
    def is_over(self) -> bool:
        """Whether nothing is done without its owner any more."""
        working = {SessionStatus.PLANNING, SessionStatus.AWAITING_CONFIRMATION, SessionStatus.EXECUTING}
        return self.status not in working

    def as_json(self) -> dict[str, object]:
        """The session as a JSON object."""
        tasks = [{**task.shown, "summary": task.summary} for task in self.tasks]
        return {**_plain(asdict(self)), "tasks": tasks, "log": [_plain(asdict(entry)) for entry in self.log]}


def _plain(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values.items()}


async def session(
    work: UnitOfWork, run_id: str, *, now: datetime | None = None, with_log: bool = True
) -> Session | None:
    """The session with this id, which takes long with its log; None where there is none."""
    run, plan = await work.records.run(run_id), await work.plans.find(run_id)
    if run is None or plan is None:
        return None
    return Session(
        session_id=run_id,
        status=status_of(run, now),
        revision=plan.revision,
        confirmed=plan.confirmed,
        deadline=run.deadline_at,
        repository=plan.repository,
        made_from=plan.made_from,
        tasks=await work.plans.tasks(run_id),
        summary=run.error or run.summary,
        log=await _log(work, run_id) if with_log else (),
    )


async def _log(work: UnitOfWork, run_id: str) -> Sequence[LogEntry]:
    """Every action of a plan in order: what was looked up to make it, and what was done for its tasks, in all of their
    attempts. What was proposed is in its revisions.
    """
    by_code = {step.id for step in await work.steps.of_run(run_id) if not step.model}
    below, entries, rounds = await work.runs.given_work(run_id), list[LogEntry](), Counter[str]()
    for action in await work.actions.of_run(run_id):
        task = str(json.loads(action.args).get(TASK_ID, "")) if action.step_id in by_code else ""
        if action.child is not None:
            entries += await _attempt(work, await work.runs.find(action.child), task, rounds, below)
        elif action.tool != PROPOSE_PLAN:
            entries.append(_entry(action, task, 0, ""))
    return entries


async def _attempt(
    work: UnitOfWork, child: Run, task: str, rounds: Counter[str], below: Sequence[Run]
) -> Sequence[LogEntry]:
    """Every action of one attempt at a task; `rounds` says how many it had before. What an agent did stands behind the
    action that had it work.
    """
    history = await work.plans.history(child.parent or "", task)
    entries, numbers = list[LogEntry](), dict[str, int]()
    for step in await work.steps.of_run(child.id):  # not its `seq`: an answer without a call counts there
        rounds[task] += 1
        numbers[step.id] = rounds[task]
    for action in await work.actions.of_run(child.id):
        number = numbers[action.step_id]
        reason = history[number - 1].reason if number <= len(history) else ""
        entries.append(_entry(action, task, number, reason))
        entries += [_entry(one, task, number, reason, agent) for agent, one in await _given(work, action, below)]
    return entries


async def _given(work: UnitOfWork, action: Action, below: Sequence[Run]) -> Sequence[tuple[str, Action]]:
    """What the agents did that were given the work of an action, and those that they gave a part of it; with their
    names.
    """
    found = list[tuple[str, Action]]()
    for child in (one for one in below if one.parent_action == action.id):
        for one in await work.actions.of_run(child.id):
            if one.tool != ENDING_TOOL:  # what it handed over is what came of the action
                found += [(child.agent, one), *await _given(work, one, below)]
    return found


def _entry(action: Action, task: str, number: int, reason: str, agent: str = "") -> LogEntry:
    approval = action.approval
    return LogEntry(
        task=task,
        round=number,
        agent=agent,
        reason=reason,
        tool=action.tool,
        arguments=action.args,
        verdict=action.verdict.decision.value if action.verdict else "",
        approved_by=approval.by if approval else None,
        state=action.state.value,
        observation=action.response,
        proposed_at=action.created_at,
        ended_at=action.ended_at,
    )
