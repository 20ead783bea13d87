"""A plan as whoever asked for it programmatically knows it: a session with its state, its tasks and its log
(docs/plans.md). A view of rows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum

from bot.agents.definition import ENDING_TOOL
from bot.domain.actions import Action
from bot.domain.deliveries import card_slot
from bot.domain.plans import TASK_ID, Phase, PlanTask
from bot.domain.questions import AnswerPayload, PlanPayload, Question, QuestionKind
from bot.domain.runs import DEADLINE, Mode, Run, RunState
from bot.llm import wire
from bot.llm.model import Wire
from bot.runtime.lifecycle.runs import live_below
from bot.store.unit_of_work import UnitOfWork
from bot.tools.plans import PROPOSE_PLAN

_REASON = re.compile(rf"^\[{Phase.REASON.name}\]", re.MULTILINE)
"""How a round asks the model to reason (`bot.runtime.plans.prompts`)."""


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
    """The state of a plan's run. It executes from the moment when it is confirmed, also while a card waits, and plans
    also while a look-up asks its owner something. By `now` a deadline counts that passed while it was paused.
    """
    is_over = run.stop_code == DEADLINE or (now is not None and run.is_late(now))
    if run.state is RunState.PAUSED and is_over:
        return SessionStatus.DEADLINE_EXCEEDED
    if run.state in _ENDS:
        return _ENDS[run.state]
    if run.phase is not Phase.PROPOSE:
        return SessionStatus.EXECUTING
    is_asked = run.state is RunState.AWAITING and run.mode is Mode.APPROVAL
    return SessionStatus.AWAITING_CONFIRMATION if is_asked else SessionStatus.PLANNING


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
class WaitsFor:
    """A question that its owner answers in Slack: its id and kind, the task that asks it (empty for the plan itself),
    what it asks about, and the channel of its card, which is empty before that stands there.
    """

    id: str
    kind: QuestionKind
    task: str
    about: str
    channel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSession:
    """A plan. `session_id` is the id of its run; `log` has every action in order, those that were refused as well, and
    `waits_for` what its owner is asked now.
    """

    session_id: str
    status: SessionStatus
    revision: int
    confirmed: int | None
    deadline: datetime | None
    repository: str
    made_from: str
    tasks: Sequence[PlanTask]
    summary: str
    waits_for: Sequence[WaitsFor]
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
) -> PlanSession | None:
    """The session with this id, which takes long with its log; None where there is none."""
    run, plan = await work.records.run(run_id), await work.plans.find(run_id)
    if run is None or plan is None:
        return None
    return PlanSession(
        session_id=run_id,
        status=status_of(run, now),
        revision=plan.revision,
        confirmed=plan.confirmed,
        deadline=run.deadline_at,
        repository=plan.repository,
        made_from=plan.made_from,
        tasks=await work.plans.tasks(run_id),
        summary=run.error or run.summary,
        waits_for=await _waits_for(work, run),
        log=await _log(work, run_id) if with_log else (),
    )


async def _waits_for(work: UnitOfWork, run: Run) -> Sequence[WaitsFor]:
    """What is asked for the plan and for what works for it, in this order."""
    if not run.state.is_live():
        return []
    found = list[WaitsFor]()
    for one in [run, *await live_below(work, run)]:
        for question in await work.questions.open_of_run(one.id):
            post = await work.posts.find(one.id, card_slot(question.id))
            found.append(
                WaitsFor(
                    id=question.id,
                    kind=question.kind,
                    task=_task_of(await work.runs.lineage(one)),
                    about=await _asked_about(work, question),
                    channel=post.channel if post else "",
                )
            )
    return found


def _task_of(lineage: Sequence[Run]) -> str:
    """The task that a run does, or a part of."""
    of_tasks = (one for one in lineage if one.phase is not None and one.phase.is_of_task)
    return next((str((one.inputs or {}).get(TASK_ID, "")) for one in of_tasks), "")


async def _asked_about(work: UnitOfWork, question: Question) -> str:
    match question.kind:
        case QuestionKind.PLAN:
            return f"revision {question.payload_as(PlanPayload).revision}"
        case QuestionKind.ANSWER:
            return question.payload_as(AnswerPayload).text
        case _:
            return (await work.actions.find(question.action_id)).caption


async def _log(work: UnitOfWork, run_id: str) -> Sequence[LogEntry]:
    """Every action of a plan in order: what was looked up to make it, and what was done for its tasks, in all of their
    attempts. What was proposed is in its revisions.
    """
    by_code = {step.id for step in await work.steps.of_run(run_id) if not step.model}
    below, entries, actions = await work.runs.given_work(run_id), list[LogEntry](), await work.actions.of_run(run_id)
    tasks = {one.id: str(json.loads(one.args).get(TASK_ID, "")) if one.step_id in by_code else "" for one in actions}
    rounds = await _rounds(work, run_id, [(tasks[one.id], one.child) for one in actions if one.child is not None])
    for action in actions:
        task = tasks[action.id]
        if action.child is not None:
            entries += await _attempt(work, action.child, task, rounds, below)
        elif action.tool != PROPOSE_PLAN:
            entries.append(_entry(action, task, 0, ""))
    return entries


Numbered = tuple[int, str]
"""The number of a round, and why its call was made."""


async def _rounds(work: UnitOfWork, run_id: str, attempts: Sequence[tuple[str, str]]) -> Mapping[str, Numbered]:
    """Every round of the tasks, by its step. `attempts` are the tasks with the runs that did them, in their order: the
    rounds of a task are counted through all of these.
    """
    numbered = dict[str, Numbered]()
    for task in dict.fromkeys(task for task, _ in attempts):
        children = [child for of, child in attempts if of == task]
        steps = [step.id for child in children for step in await work.steps.of_run(child)]
        reasons = [one.reason for one in await work.plans.history(run_id, task)]
        if (gone := len(steps) - len(reasons)) > 0:  # only the newest are kept there
            said = [reason for child in children for reason in _reasons(await work.steps.contents(child))]
            reasons = [*(said if len(said) == len(steps) else [""] * gone)[:gone], *reasons]
        numbered |= {step: (n, reason) for n, (step, reason) in enumerate(zip(steps, reasons, strict=False), start=1)}
    return numbered


def _reasons(contents: Sequence[tuple[Wire, wire.Origin]]) -> Sequence[str]:
    """What the model said before each of its calls, where a round asked it to reason."""
    reasons, said, is_asked = list[str](), "", False
    for content in (content for content, _ in contents):
        parts = wire.parts(content)
        text = "\n".join(str(part["text"]) for part in parts if "text" in part and not part.get("thought"))
        if wire.role(content) == "user":
            is_asked = is_asked or _REASON.search(text) is not None
        elif any("functionCall" in part for part in parts):
            reasons.append(said)
        elif is_asked:
            said, is_asked = text, False
    return reasons


async def _attempt(
    work: UnitOfWork, child_id: str, task: str, rounds: Mapping[str, Numbered], below: Sequence[Run]
) -> Sequence[LogEntry]:
    """Every action of one attempt at a task. What an agent did stands behind the action that had it work."""
    entries = list[LogEntry]()
    for action in await work.actions.of_run(child_id):
        number, reason = rounds.get(action.step_id, (0, ""))
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
