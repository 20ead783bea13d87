"""Plans: tasks that their owner confirms, and that are carried out one by one (docs/plans.md).

A plan belongs to a run. `Phase` says what its run, or the run of one of its tasks, does next.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

_ASKED = re.compile(r"\s*plan\s*:\s*\S", re.IGNORECASE)

MOST_TASKS = 20
"""Tasks of a plan as it is proposed."""

TASK_ID = "id"
"""The input of a task's run that names the task."""

MOST_ADDED = 10
"""Tasks that may be added while it is carried out; what has more is asked about anew."""

OBSERVATION_KEPT = 4_000
"""Characters of what came of a round's call, in the history of its task."""


def asks_for_plan(text: str) -> bool:
    """Whether a message asks for a plan: it begins with “plan:”."""
    return _ASKED.match(text) is not None


class Phase(StrEnum):
    """What is next in the run of a plan, and in that of a task."""

    PROPOSE = "propose"  # the model proposes a plan, or changes the one it proposed
    CARRY_OUT = "carry_out"  # the plan was confirmed: code begins its tasks
    REPLAN = "replan"  # a task failed: the model may change what is left
    REASON = "reason"  # of a task: the model says what it would do
    ACT = "act"  # it makes one call
    REFLECT = "reflect"  # it judges what came of it

    @property
    def is_of_task(self) -> bool:
        """Whether it is one of a task's round."""
        return self in {Phase.REASON, Phase.ACT, Phase.REFLECT}


class TaskStatus(StrEnum):
    """Where a task stands."""

    PENDING = "pending"
    EXECUTING = "executing"
    COMPLETED = "completed"
    FAILED = "failed"
    OBSOLETE = "obsolete"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTask:
    """One task. `agent` is the one that does it, or empty; `replaces` the failed task in whose place it is done;
    `child` the run that does it; `summary` what came of it.
    """

    id: str
    title: str
    goal: str
    agent: str = ""
    status: TaskStatus = TaskStatus.PENDING
    replaces: str = ""
    child: str | None = None
    summary: str = ""

    @property
    def wanted(self) -> tuple[str, str]:
        """What is to be done, whoever does it."""
        return self.title, self.goal

    @property
    def shown(self) -> dict[str, str]:
        """As the plan's JSON has it."""
        agent = {"agent": self.agent} if self.agent else {}
        replaces = {"replaces": self.replaces} if self.replaces else {}
        return {"id": self.id, "title": self.title, "goal": self.goal, **agent, "status": self.status.value, **replaces}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The plan of a run, as its newest `revision` says. `made_from` is what its card says of the repository.
    `confirmed` is the revision that its owner confirmed; `added` how many tasks were added since. `raw_plan` is the
    tasks as a JSON string.
    """

    run_id: str
    repository: str = ""
    made_from: str = ""
    revision: int = 0
    confirmed: int | None = None
    confirmed_by: str | None = None
    confirmed_at: datetime | None = None
    added: int = 0
    raw_plan: str = "[]"
    created_at: datetime

    @property
    def has_allowance(self) -> bool:
        """Whether what it may use was granted: its owner confirmed a revision of it. The first one sets that."""
        return self.confirmed is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """What a plan was at some time, who made it so, and why."""

    run_id: str
    number: int
    raw_plan: str
    by: str
    reason: str
    created_at: datetime

    @property
    def wanted(self) -> Mapping[str, tuple[str, str, str]]:
        """The title, the goal and the agent of each task, by its id."""
        tasks: list[dict[str, str]] = json.loads(self.raw_plan)
        return {task["id"]: (task["title"], task["goal"], task.get("agent", "")) for task in tasks}

    def has(self, task: PlanTask) -> bool:
        """Whether this task stands in it, in the same words and for the same agent."""
        return self.wanted.get(task.id) == (*task.wanted, task.agent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What a task's model thought, the call that it made, and what came of that."""

    reason: str
    action: object = None
    observation: object = None

    @property
    def shown(self) -> dict[str, object]:
        """As the task's history has it."""
        return {"reason": self.reason, "action": self.action, "observation": self.observation}


def as_json(tasks: Sequence[PlanTask]) -> str:
    """The tasks as a JSON string."""
    return json.dumps([task.shown for task in tasks], ensure_ascii=False)


def next_pending(tasks: Iterable[PlanTask]) -> PlanTask | None:
    """The task that is done next."""
    return next((task for task in tasks if task.status is TaskStatus.PENDING), None)


LEFT = "Begun, and then left out of the plan."
"""What came of a task that was begun and that a changed plan does not have any more."""


def joined(before: Sequence[PlanTask], proposed: Sequence[PlanTask], named: Sequence[str] = ()) -> Sequence[PlanTask]:
    """What is proposed, behind all that was begun before. A task that stays, as it was or in other words, keeps its
    number, and with it what was done for it and what it replaces; one that was completed is not done again. `named` are
    the ids that their proposer gives the tasks, "" for a new one.
    """
    begun = [task for task in before if task.status is not TaskStatus.PENDING]
    pending = [task for task in before if task.status is TaskStatus.PENDING]
    if not begun and not any(task.child for task in pending):
        return proposed
    stays = _stays(pending, proposed, named or [""] * len(proposed))
    done = {task.wanted for task in begun if task.status is TaskStatus.COMPLETED}
    after = list[PlanTask]()
    number = max(int(task.id) for task in before)
    for place, task in enumerate(proposed):
        known = stays.get(place)
        if known is not None:
            after.append(replace(known, title=task.title, goal=task.goal, agent=task.agent))
        elif task.wanted not in done:
            number += 1
            after.append(replace(task, id=str(number)))
    kept = {task.id for task in stays.values()}
    left = [task for task in pending if task.child and task.id not in kept]
    return [*begun, *(replace(task, status=TaskStatus.OBSOLETE, summary=LEFT) for task in left), *after]


def _stays(pending: Sequence[PlanTask], proposed: Sequence[PlanTask], named: Sequence[str]) -> Mapping[int, PlanTask]:
    """The pending task that a proposed one still is, by its place: the equal one, the one that it names, or one with
    its title or goal that was begun or replaces another. What is surer counts first, as a model may number them anew.
    """
    found = dict[int, PlanTask]()
    for is_same in (_is_equal_and_named, _is_equal, _is_named, _has_title, _has_goal):
        for place, (task, name) in enumerate(zip(proposed, named, strict=True)):
            left = (one for one in pending if one not in found.values())
            same = next((one for one in left if is_same(one, task, name)), None)
            if place not in found and same is not None:
                found[place] = same
    return found


def _is_equal_and_named(one: PlanTask, task: PlanTask, name: str) -> bool:
    return _is_equal(one, task, name) and _is_named(one, task, name)


def _is_equal(one: PlanTask, task: PlanTask, name: str) -> bool:
    return one.wanted == task.wanted


def _is_named(one: PlanTask, task: PlanTask, name: str) -> bool:
    return one.id == name


def _has_title(one: PlanTask, task: PlanTask, name: str) -> bool:
    return _stands_for_more(one) and one.title == task.title


def _has_goal(one: PlanTask, task: PlanTask, name: str) -> bool:
    return _stands_for_more(one) and one.goal == task.goal


def _stands_for_more(one: PlanTask) -> bool:
    """Whether something would be lost with it: what was done for it, or what it replaces."""
    return bool(one.child or one.replaces)


def not_replaced(tasks: Sequence[PlanTask]) -> Sequence[PlanTask]:
    """What failed and nothing completed stands for, be it a replacement of a replacement."""
    return [task for task in tasks if task.status is TaskStatus.FAILED and not _is_replaced(task, tasks, set())]


def _is_replaced(task: PlanTask, tasks: Sequence[PlanTask], seen: set[str]) -> bool:
    seen.add(task.id)
    others = [one for one in tasks if one.replaces == task.id and one.id not in seen]
    return any(one.status is TaskStatus.COMPLETED or _is_replaced(one, tasks, seen) for one in others)


# Changes while it is carried out ------------------------------------------------------------------------------


class ChangeKind(StrEnum):
    """How a plan changes itself."""

    ADD = "add"
    CHANGE = "change"
    OBSOLETE = "obsolete"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChange:
    """One modification: of the pending task `id`, or a new one, in the place of the failed one that it `replaces`."""

    kind: ChangeKind
    id: str = ""
    title: str = ""
    goal: str = ""
    agent: str = ""
    replaces: str = ""
    why: str = ""


class InvalidChange(ValueError):
    """A modification that cannot be made; the message tells the model why."""


def changed(tasks: Sequence[PlanTask], changes: Sequence[PlanChange]) -> Sequence[PlanTask]:
    """The tasks once these changes are made, new ones behind all others. Only what is pending changes. Raises
    `InvalidChange`.
    """
    after = list(tasks)
    for change in changes:
        if change.kind is ChangeKind.ADD:
            after.append(_added(after, change))
        else:
            place = _place(after, change)
            after[place] = _altered(after[place], change)
    if sum(task.status is TaskStatus.PENDING for task in after) > MOST_TASKS:
        raise InvalidChange(f"at most {MOST_TASKS} tasks may be pending")
    return after


def _added(tasks: Sequence[PlanTask], change: PlanChange) -> PlanTask:
    if not change.title.strip() or not change.goal.strip():
        raise InvalidChange("a new task needs a title and a goal")
    failed = {task.id for task in tasks if task.status is TaskStatus.FAILED}
    if change.replaces and change.replaces not in failed:
        raise InvalidChange(f"task {change.replaces} did not fail, so nothing replaces it")
    number = max((int(task.id) for task in tasks), default=0) + 1
    return PlanTask(id=str(number), title=change.title, goal=change.goal, agent=change.agent, replaces=change.replaces)


def _place(tasks: Sequence[PlanTask], change: PlanChange) -> int:
    place = next((place for place, task in enumerate(tasks) if task.id == change.id), None)
    if place is None:
        raise InvalidChange(f"there is no task {change.id or '(without an id)'}")
    if tasks[place].status is not TaskStatus.PENDING:
        raise InvalidChange(f"task {change.id} is {tasks[place].status}, and only pending tasks change")
    return place


def _altered(task: PlanTask, change: PlanChange) -> PlanTask:
    if change.kind is ChangeKind.OBSOLETE:
        return replace(task, status=TaskStatus.OBSOLETE, summary=change.why)
    return replace(
        task, title=change.title or task.title, goal=change.goal or task.goal, agent=change.agent or task.agent
    )
