"""The local dispatcher: this process serves every thread, for nobody else has the database."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Self

from bot.dispatch.serving import GRACE_SECONDS, Serving
from bot.store.store import Store


class LocalDispatcher(Serving):
    """Implements `ports.Dispatcher`. Inert until `async with`, which begins with a scan for unfinished work."""

    def __init__(self, store: Store, *, grace: float = GRACE_SECONDS) -> None:
        super().__init__(grace=grace)
        self._store = store

    @property
    def tasks(self) -> Sequence[asyncio.Task[None]]:
        """What must not end while it is entered: nothing."""
        return ()

    async def sweep(self) -> None:
        """Wake what no wake-up reached; called at the start and from time to time."""
        async with self._store.read() as work:
            threads = await work.runs.unfinished_threads()
        for thread_id in threads:
            self.wake(thread_id)

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        await self.sweep()
        return self
