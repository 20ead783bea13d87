"""The local dispatcher: this process serves every thread, for nobody else has the database."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from bot.dispatch.serving import GRACE_SECONDS, Serve, Serving
from bot.store.store import Store

SWEEP_SECONDS = 10.0
"""How often what no wake-up reached is looked for."""


class LocalDispatcher:
    """Implements `ports.Dispatcher`. Inert until `async with`, which begins with a scan for unfinished work."""

    def __init__(self, store: Store, *, grace: float = GRACE_SECONDS) -> None:
        self._store = store
        self._serving = Serving(grace=grace)

    @property
    def tasks(self) -> Sequence[asyncio.Task[None]]:
        """What must not end while it is entered: nothing."""
        return ()

    @property
    def closing(self) -> bool:
        """Whether nothing more is to be begun."""
        return self._serving.closing

    def serve_with(self, serve: Serve) -> None:
        """Who does a thread's work; joined by the composition root."""
        self._serving.serve_with(serve)

    def wake(self, thread_id: str) -> None:
        """Have the thread served, now or again."""
        self._serving.wake(thread_id)

    async def sweep(self) -> None:
        """Wake what no wake-up reached; called at the start and from time to time."""
        async with self._store.read() as work:
            threads = await work.runs.unfinished_threads()
        for thread_id in threads:
            self.wake(thread_id)

    async def __aenter__(self) -> Self:
        await self._serving.__aenter__()
        await self.sweep()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._serving.__aexit__(kind, error, trace)
