"""The repository of model calls and of the contents that they were made from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, func, insert, select, update

from bot.domain.steps import Step
from bot.llm.model import Wire
from bot.llm.wire import NOBODY, Origin
from bot.store.engine.session import Repository, given
from bot.store.rows import columns_of, step
from bot.store.tables.conversations import threads
from bot.store.tables.runs import contents, runs, steps

_FIND = select(steps).where(given(steps.c.id))
_LOCK = (
    select(steps)
    .join(runs, runs.c.id == steps.c.run_id)
    .join(threads, threads.c.id == runs.c.thread_id)
    .where(given(steps.c.id))
    .with_for_update(of=[threads, steps])
)
"""The step, and its row locked after the row of its thread: PostgreSQL goes by the order of `OF`."""
_SET_OPEN = (
    update(steps)
    .where(steps.c.id == bindparam("step"))
    .values(open=bindparam("to_open"), closed_at=bindparam("to_closed_at"))
)
_COUNT = select(func.count()).select_from(contents).where(given(contents.c.run_id))


class Steps(Repository):
    """Model calls, and the contents of runs."""

    async def add(self, new: Step) -> None:
        await self._db.execute(insert(steps), columns_of(new))

    async def lock(self, step_id: str) -> Step:
        """Lock the step by updating its row; every transition of an action locks it first."""
        wanted = _LOCK if self._db.is_to_lock(f"step {step_id}") else _FIND
        return await self._db.the(step, wanted, {"id": step_id})

    async def open_of(self, run_id: str) -> Step | None:
        """The open step; a run has at most one."""
        wanted = select(steps).where(steps.c.run_id == run_id, steps.c.closed_at.is_(None))
        return await self._db.first(step, wanted)

    async def of_run(self, run_id: str) -> Sequence[Step]:
        return await self._db.all(step, select(steps).where(steps.c.run_id == run_id).order_by(steps.c.seq))

    async def set_open(self, step_id: str, open_: int, *, closed_at: datetime | None) -> None:
        """Store how many actions of the step are not settled, and when it was closed."""
        await self._db.execute(_SET_OPEN, {"step": step_id, "to_open": open_, "to_closed_at": closed_at})

    async def contents(self, run_id: str) -> Sequence[tuple[Wire, Origin]]:
        """The run's contents in order, each with the transport and model that made it."""
        wanted = select(contents.c.wire, contents.c.transport, contents.c.model).where(contents.c.run_id == run_id)
        found = await self._db.execute(wanted.order_by(contents.c.seq))
        return [(Wire(text), Origin(transport, model)) for text, transport, model in found]

    async def append(self, run_id: str, wires: Sequence[Wire], *, made_by: Origin = NOBODY) -> None:
        """Add contents at the end; earlier contents never change."""
        start = await self._db.value(_COUNT, {"run_id": run_id})
        origin = {"transport": made_by.transport, "model": made_by.model}
        rows = [{"run_id": run_id, "seq": start + n, "wire": wire, **origin} for n, wire in enumerate(wires)]
        if rows:
            await self._db.execute(insert(contents), rows)
