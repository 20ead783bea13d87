"""The repository of plans, their revisions and their tasks. Their JSON strings change in the same statements."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, select

from bot.domain.plans import Plan, PlanTask, Revision, Round, TaskStatus, as_json
from bot.store.engine.session import Repository, given
from bot.store.engine.statements import Prepared
from bot.store.rows import columns_of, without
from bot.store.tables.plans import plan_revisions, plan_tasks, plans

_FIND = Prepared(select(plans).where(given(plans.c.run_id)))
_TASKS = Prepared(select(plan_tasks).where(given(plan_tasks.c.run_id)).order_by(plan_tasks.c.place))
_REVISIONS = Prepared(select(plan_revisions).where(given(plan_revisions.c.run_id)).order_by(plan_revisions.c.number))
_REVISION = Prepared(select(plan_revisions).where(given(plan_revisions.c.run_id, plan_revisions.c.number)))
_HISTORY = Prepared(select(plan_tasks.c.raw_react_history).where(given(plan_tasks.c.run_id, plan_tasks.c.id)))
_LEAVE_OUT = Prepared(delete(plan_tasks).where(given(plan_tasks.c.run_id), plan_tasks.c.id.not_in(bindparam("ids"))))

_BETWEEN = ",\n"
"""What stands between the rounds of a task."""


class Plans(Repository):
    """Plans of runs."""

    async def begin(self, new: Plan) -> None:
        """A run is to propose a plan; nothing where it has one."""
        await self._db.insert_new(plans, columns_of(new))

    async def describe(self, run_id: str, made_from: str) -> None:
        """What its card says of the repository."""
        await self._db.change(plans, {"run_id": run_id}, {"made_from": made_from})

    async def find(self, run_id: str) -> Plan | None:
        return await self._db.first(Plan, _FIND, {"run_id": run_id})

    async def tasks(self, run_id: str) -> Sequence[PlanTask]:
        """The tasks in their order."""
        return await self._db.all(_task, _TASKS, {"run_id": run_id})

    async def revisions(self, run_id: str) -> Sequence[Revision]:
        """Everything that the plan was, oldest first."""
        return await self._db.all(Revision, _REVISIONS, {"run_id": run_id})

    async def revision(self, run_id: str, number: int) -> Revision:
        """What the plan was in this revision."""
        return await self._db.the(Revision, _REVISION, {"run_id": run_id, "number": number})

    async def revise(
        self, plan: Plan, tasks: Sequence[PlanTask], *, by: str, reason: str, at: datetime, added: int = 0
    ) -> int:
        """The plan is these tasks from now on; the number of this revision. Tasks keep what was done for them."""
        number, raw = plan.revision + 1, as_json(tasks)
        await self._db.change(
            plans, {"run_id": plan.run_id}, {"revision": number, "raw_plan": raw, "added": plan.added + added}
        )
        new = Revision(run_id=plan.run_id, number=number, raw_plan=raw, by=by, reason=reason, created_at=at)
        await self._db.insert_new(plan_revisions, columns_of(new))
        await self._db.execute(_LEAVE_OUT, {"run_id": plan.run_id, "ids": [task.id for task in tasks]})
        for place, task in enumerate(tasks):
            values = {"run_id": plan.run_id, "place": place, **columns_of(task)}
            await self._db.put(plan_tasks, values)
        return number

    async def confirm(self, run_id: str, revision: int, *, by: str, at: datetime) -> None:
        """This revision is what its owner confirmed; nothing was added to it yet."""
        values = {"confirmed": revision, "confirmed_by": by, "confirmed_at": at, "added": 0}
        await self._db.change(plans, {"run_id": run_id}, values)

    async def move_task(
        self, run_id: str, task_id: str, status: TaskStatus, *, child: str | None = None, summary: str = ""
    ) -> None:
        """A task stands elsewhere, and so does the plan's JSON."""
        values: dict[str, Any] = {"status": status, "summary": summary} | ({"child": child} if child else {})
        await self._db.change(plan_tasks, {"run_id": run_id, "id": task_id}, values)
        await self._db.change(plans, {"run_id": run_id}, {"raw_plan": as_json(await self.tasks(run_id))})

    async def history(self, run_id: str, task_id: str) -> Sequence[Round]:
        """What was done for a task, round by round; the newest ones, where it was taken again and again."""
        raw = await self._db.value(_HISTORY, {"run_id": run_id, "id": task_id})
        return [Round(**one) for one in json.loads(raw or "[]")]

    async def add_round(self, run_id: str, task_id: str, new: Round, *, most: int | None) -> None:
        """A round of a task begins. Only the newest so many are kept."""
        lines = [*await self._lines(run_id, task_id), _line(new)]
        await self._keep(run_id, task_id, lines if most is None else lines[-most:])

    async def end_round(self, run_id: str, task_id: str, observation: object, *, last: int) -> Sequence[Round]:
        """What came of the newest round; so many of the `last` ones."""
        lines = await self._lines(run_id, task_id)
        ended = replace(_round(lines[-1]), observation=observation)
        lines = [*lines[:-1], _line(ended)]
        await self._keep(run_id, task_id, lines)
        return [*map(_round, lines[-last:])]

    async def _lines(self, run_id: str, task_id: str) -> Sequence[str]:
        """Each round has a line of its own, so those before the newest are not read as JSON: a late round costs what an
        early one does.
        """
        raw = await self._db.value(_HISTORY, {"run_id": run_id, "id": task_id}) or "[]"
        return raw[2:-2].split(_BETWEEN) if raw.startswith("[\n") else [json.dumps(one) for one in json.loads(raw)]

    async def _keep(self, run_id: str, task_id: str, lines: Sequence[str]) -> None:
        raw = f"[\n{_BETWEEN.join(lines)}\n]"
        await self._db.change(plan_tasks, {"run_id": run_id, "id": task_id}, {"raw_react_history": raw})


def _line(one: Round) -> str:
    """A JSON string has no line ends."""
    return json.dumps(one.shown, ensure_ascii=False)


def _round(line: str) -> Round:
    return Round(**json.loads(line))


def _task(**row: Any) -> PlanTask:
    return PlanTask(**without(row, "run_id", "place", "raw_react_history"))
