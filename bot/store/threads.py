"""Conversations, in SQL."""

from __future__ import annotations

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.threads import Thread
from bot.store.rows import Row, columns_of, first, merged, the
from bot.store.tables import threads
from policies.types import Label

_COLUMNS = [column for column in threads.c if column.name != "revision"]


def _thread(row: Row) -> Thread:
    return Thread(**merged(row, label=Label(row["label"])))


class Threads:
    """Implements `ports.Threads`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._db = connection

    async def find(self, thread_id: str) -> Thread:
        found = await self._db.execute(select(*_COLUMNS).where(threads.c.id == thread_id))
        return _thread(the(found))

    async def at(self, team: str, channel: str, root_ts: str) -> Thread | None:
        place = (threads.c.team == team) & (threads.c.channel == channel) & (threads.c.root_ts == root_ts)
        row = first(await self._db.execute(select(*_COLUMNS).where(place)))
        return _thread(row) if row else None

    async def ensure(self, thread: Thread) -> Thread:
        if found := await self.at(thread.team, thread.channel, thread.root_ts):
            return found
        await self._db.execute(insert(threads).values(columns_of(thread)))
        return thread

    async def lock(self, thread_id: str) -> None:
        await self._db.execute(update(threads).where(threads.c.id == thread_id).values(revision=threads.c.revision + 1))

    async def worsen(self, thread_id: str, label: Label) -> None:
        thread = await self.find(thread_id)
        worst = thread.label.worst(label)
        if worst is not thread.label:
            await self._db.execute(update(threads).where(threads.c.id == thread_id).values(label=worst.value))
