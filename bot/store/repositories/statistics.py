"""The repository of statistics: an index answers each count, however many rows there are."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Table, func, select, text

from bot.domain import statistics
from bot.domain.questions import QuestionKind
from bot.domain.runs import RunState
from bot.domain.statistics import WaitingCount
from bot.store.engine.session import Repository
from bot.store.tables.audit_log import audit
from bot.store.tables.columns import Moment
from bot.store.tables.deliveries import outbox
from bot.store.tables.runs import questions, runs

# SQLite uses a partial index only where its condition stands in the query literally, not as a parameter.
_NOT_ENDED = text("completed_at IS NULL AND state NOT IN ('completed', 'failed', 'cancelled')")
_OPEN = text("state = 'open'")
_PENDING = text("state = 'pending'")
_DEAD = text("state = 'dead'")
_UNSEALED = text("seq IS NULL")


class Statistics(Repository):
    """Counts of what waits."""

    async def now(self) -> statistics.Statistics:
        """The current counts; cheap, however much is stored."""
        return statistics.Statistics(
            runs=await self._runs(),
            questions=await self._questions(),
            deliveries=await self._waiting(outbox, outbox.c.created_at, _PENDING),
            dead_letters=await self._db.value(select(func.count()).select_from(outbox).where(_DEAD)),
            unsealed=await self._waiting(audit, audit.c.at, _UNSEALED),
        )

    async def _runs(self) -> dict[RunState, int]:
        wanted = select(runs.c.state, func.count()).where(_NOT_ENDED).group_by(runs.c.state)
        found = await self._db.execute(wanted)
        return dict[RunState, int]((state, count) for state, count in found.rows)

    async def _questions(self) -> dict[QuestionKind, WaitingCount]:
        oldest = func.min(questions.c.created_at, type_=Moment())
        wanted = select(questions.c.kind, func.count(), oldest).where(_OPEN).group_by(questions.c.kind)
        found = await self._db.execute(wanted)
        return {kind: WaitingCount(count=count, oldest=since) for kind, count, since in found.rows}

    async def _waiting(self, table: Table, since: ColumnElement[Any], which: Any) -> WaitingCount:
        counted = func.count().label("count"), func.min(since, type_=Moment()).label("oldest")
        return await self._db.the(WaitingCount, select(*counted).select_from(table).where(which))
