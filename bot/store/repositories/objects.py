"""The repository of the ledger: which objects results showed in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import insert, select

from bot.domain.threads import SeenObject
from bot.store.engine.session import Session
from bot.store.rows import columns_of, every
from bot.store.tables.conversations import objects

_COLUMNS = [column for column in objects.c if column.name not in {"n", "thread_id", "at"}]


class Objects:
    """Objects that results showed, such as mails and events."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def add(self, thread_id: str, seen: Sequence[SeenObject], *, at: datetime) -> None:
        rows = [columns_of(item) | {"thread_id": thread_id, "at": at} for item in seen]
        if rows:
            await self._db.execute(insert(objects), rows)

    async def of_owner(self, thread_id: str, owner: str, *, limit: int) -> Sequence[SeenObject]:
        wanted = select(*_COLUMNS).where(objects.c.thread_id == thread_id, objects.c.owner == owner)
        found = await self._db.execute(wanted.order_by(objects.c.n.desc()).limit(limit))
        return [SeenObject(**row) for row in reversed(every(found))]
