"""The repository of threads."""

from __future__ import annotations

from sqlalchemy import select, update

from bot.domain.threads import Thread
from bot.store.engine.session import Session, given
from bot.store.rows import Row, columns_of, first, merged, the
from bot.store.tables.conversations import threads
from policies.types import Label

_FIND = select(threads).where(given(threads.c.id))
_AT = select(threads).where(given(threads.c.team, threads.c.channel, threads.c.root_ts))


def _thread(row: Row) -> Thread:
    return Thread(**merged(row, label=Label(row["label"])))


class Threads:
    """Threads in Slack."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def find(self, thread_id: str) -> Thread:
        return _thread(the(await self._db.execute(_FIND, {"id": thread_id})))

    async def at(self, team: str, channel: str, root_ts: str) -> Thread | None:
        """The thread whose first message is at this place."""
        row = first(await self._db.execute(_AT, {"team": team, "channel": channel, "root_ts": root_ts}))
        return _thread(row) if row else None

    async def ensure(self, thread: Thread) -> Thread:
        """The thread at this place, added if there is none; retention keeps it until the transaction ends."""
        if found := await self._held(thread):
            return found
        if await self._db.insert_new(threads, columns_of(thread)):
            return thread
        found = await self._held(thread)
        assert found is not None, "the place is a unique key, and a new thread is not forgotten"
        return found

    async def _held(self, thread: Thread) -> Thread | None:
        """The thread at its place, and its row: it may be forgotten until it is held."""
        found = await self.at(thread.team, thread.channel, thread.root_ts)
        if found is None or not self._db.is_shared:
            return found
        await self.lock(found.id)
        return await self.at(thread.team, thread.channel, thread.root_ts)

    async def lock(self, thread_id: str) -> None:
        """Hold the row until the transaction ends; intake and completion both do (docs/states.md §4)."""
        await self._db.lock_thread(thread_id)

    async def root(self, thread_id: str, root_ts: str) -> None:
        """Store where the first message stands; a thread that has one keeps it."""
        unrooted = (threads.c.id == thread_id) & (threads.c.root_ts == thread_id)
        await self._db.execute(update(threads).where(unrooted).values(root_ts=root_ts))

    async def worsen(self, thread_id: str, label: Label) -> None:
        """Lower the label of the thread; it never rises again."""
        thread = await self.find(thread_id)
        worst = thread.label.worst(label)
        if worst is not thread.label:
            await self._db.execute(update(threads).where(threads.c.id == thread_id).values(label=worst.value))
