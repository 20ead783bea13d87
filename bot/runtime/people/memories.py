"""One person's memories, as tools ask for them. Implements `integrations.ports.Memories`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain import ids
from bot.store.store import Store
from integrations.base import Requester
from integrations.ports import Clock, Memory
from policies.types import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryService:
    """Remembers and finds."""

    store: Store
    clock: Clock

    async def save(self, requester: Requester, text: str, *, key: str, label: Label) -> Memory:
        """Remember; the same key twice is one memory."""
        memory = Memory(id=ids.new_id("mem"), text=text, created_at=self.clock.now(), label=label)
        async with self.store.write() as work:
            return await work.memories.save(memory, team=requester.team, user=requester.user, key=key)

    async def search(self, requester: Requester, query: str, *, limit: int) -> Sequence[Memory]:
        """The best matches first; an empty query lists the newest."""
        async with self.store.read() as work:
            return await work.memories.search(requester.team, requester.user, query, limit=limit)
