"""The repository of model calls and of the contents that they were made from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, func, insert, select

from bot.domain.steps import Step
from bot.llm.model import Wire
from bot.llm.wire import NOBODY, Origin
from bot.store.engine.session import DatabaseSession, Repository, given, step_lock, thread_lock, with_id
from bot.store.engine.statements import Prepared
from bot.store.known import KnownRows
from bot.store.rows import columns_of, step
from bot.store.tables.conversations import threads
from bot.store.tables.runs import contents, runs, steps

_FIND = with_id(steps)
_LOCK = Prepared(
    select(steps, threads.c.id.label("thread_id"))
    .join(runs, runs.c.id == steps.c.run_id)
    .join(threads, threads.c.id == runs.c.thread_id)
    .where(given(steps.c.id))
    .with_for_update(of=[threads, steps])
)
"""The step, and its row locked after the row of its thread: PostgreSQL goes by the order of `OF`."""
_OPEN_OF = Prepared(select(steps).where(given(steps.c.run_id), steps.c.closed_at.is_(None)))
_OF_RUN = Prepared(select(steps).where(given(steps.c.run_id)).order_by(steps.c.seq))
_CONTENTS = Prepared(
    select(contents.c.wire, contents.c.transport, contents.c.model)
    .where(given(contents.c.run_id), contents.c.seq >= bindparam("after"))
    .order_by(contents.c.seq)
)
_NEXT = select(func.coalesce(func.max(contents.c.seq) + 1, 0)).where(contents.c.run_id == bindparam("of_run"))
_APPEND = Prepared(
    insert(contents)
    .inline()
    .values(
        run_id=bindparam("of_run"),
        seq=_NEXT.scalar_subquery(),
        wire=bindparam("content"),
        transport=bindparam("by_transport"),
        model=bindparam("by_model"),
    )
    .returning(contents.c.seq)
)
"""Behind those that are there."""


class Appended(NamedTuple):
    """A content that this transaction added to a run, `at` so many before it."""

    run_id: str
    at: int
    wire: Wire
    made_by: Origin


def _of_thread(thread_id: str, **row: Any) -> tuple[str, Step]:
    return thread_id, step(**row)


class Steps(Repository):
    """Model calls, and the contents of runs."""

    def __init__(self, session: DatabaseSession) -> None:
        super().__init__(session)
        self.known_rows: KnownRows[Step] = KnownRows(
            session,
            steps,
            columns=columns_of,
            lock=lambda step: step_lock(step.id),
            over=lambda step: step.closed_at is not None,
        )
        self.appended: list[Appended] = []

    async def add(self, new: Step) -> None:
        self.known_rows.add(new.id, new)

    async def lock(self, step_id: str) -> Step:
        """Lock the step and its thread; every transition of an action locks its step first."""
        if (known := self.known_rows.get(step_id)) is not None:
            return known
        if not self._db.is_to_lock(step_lock(step_id)):
            return self.known_rows.read(step_id, await self._db.the(step, _FIND, {"id": step_id}))
        thread_id, locked = await self._db.the(_of_thread, _LOCK, {"id": step_id})
        self._db.is_to_lock(thread_lock(thread_id))
        return self.known_rows.read(step_id, locked)

    def known_model(self, step_id: str) -> str:
        """The model whose call the step is; empty where that is not known without asking."""
        known = self.known_rows.get(step_id)
        return known.model if known is not None else ""

    async def open_of(self, run_id: str) -> Step | None:
        """The open step; a run has at most one."""
        found = await self._db.first(step, _OPEN_OF, {"run_id": run_id})
        return found and self.known_rows.read(found.id, found)

    async def of_run(self, run_id: str) -> Sequence[Step]:
        return await self._db.all(step, _OF_RUN, {"run_id": run_id})

    async def set_open(self, step_id: str, open_: int, *, closed_at: datetime | None) -> None:
        """Store how many actions of the step are not settled, and when it was closed."""
        changes = {"open": open_, "closed_at": closed_at}
        if self.known_rows.get(step_id) is not None:
            self.known_rows.change(step_id, changes)
        else:
            await self._db.change(steps, {"id": step_id}, changes)

    async def contents(self, run_id: str, *, after: int = 0) -> Sequence[tuple[Wire, Origin]]:
        """The run's contents in order, `after` so many, each with the transport and model that made it."""
        found = await self._db.execute(_CONTENTS, {"run_id": run_id, "after": after})
        return [(Wire(text), Origin(transport, model)) for text, transport, model in found.rows]

    async def append(self, run_id: str, wires: Sequence[Wire], *, made_by: Origin = NOBODY) -> None:
        """Add contents at the end; earlier contents never change."""
        origin = {"of_run": run_id, "by_transport": made_by.transport, "by_model": made_by.model}
        for wire in wires:
            at = await self._db.value(_APPEND, {"content": wire, **origin})
            self.appended.append(Appended(run_id, at, wire, made_by))
