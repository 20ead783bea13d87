"""Follows one process of the playground: an event says that something changed, the state says what."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from playground.page.upstream import JsonObject, Unreachable, Upstream

GATHER_SECONDS = 0.04
AGAIN_SECONDS = 0.5


class Mirror:
    """Calls `refresh` once for every burst of an upstream's events.

    `concerns(event)` says whether an event changed the state (`{}` is the opening of the stream);
    `up(bool)` is called when the upstream comes and goes.
    """

    def __init__(
        self,
        *,
        upstream: Upstream,
        events: str,
        concerns: Callable[[JsonObject], bool],
        refresh: Callable[[], Awaitable[None]],
        up: Callable[[bool], None],
    ) -> None:
        self._upstream = upstream
        self._events = events
        self._concerns = concerns
        self._refresh = refresh
        self._up = up
        self._dirty = asyncio.Event()

    async def run(self) -> None:
        """Follow until cancelled; wait for a process that went away."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._listen(), name=f"page.{self._upstream.name}.listen")
            tasks.create_task(self._fetch(), name=f"page.{self._upstream.name}.fetch")

    async def _listen(self) -> None:
        while True:
            try:
                async for event in self._upstream.events(self._events):
                    if self._concerns(event):
                        self._dirty.set()
            except Unreachable:
                self._up(False)
            await asyncio.sleep(AGAIN_SECONDS)

    async def _fetch(self) -> None:
        while True:
            await self._dirty.wait()
            await asyncio.sleep(GATHER_SECONDS)
            self._dirty.clear()
            try:
                await self._refresh()
            except Unreachable:
                self._up(False)
            else:
                self._up(True)
