"""The bus: what happened, told to the listeners in this process. Best effort; rows are the truth."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import structlog

from bot.domain.events import Event

log = structlog.get_logger()

QUEUE_LIMIT = 10_000  # events; a listener that falls further behind loses the oldest


class Bus:
    """Hands every event to every subscriber's own queue; publishing never waits."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[Event]] = set()
        self._hearers: list[Callable[[Event], None]] = []

    def publish(self, event: Event) -> None:
        """Tell everybody; a full queue drops its oldest event."""
        for queue in self._queues:
            if queue.full():
                queue.get_nowait()
                log.warning("bus.overflow")
            queue.put_nowait(event)
        for hear in self._hearers:
            hear(event)

    def attend(self, hear: Callable[[Event], None]) -> None:
        """Have this called with every event from now on, at once; it only counts, and never waits or fails."""
        self._hearers.append(hear)

    @asynccontextmanager
    async def subscribe(self) -> AsyncGenerator[asyncio.Queue[Event]]:
        """A queue of the events from now on, for as long as the block lasts."""
        queue: asyncio.Queue[Event] = asyncio.Queue(QUEUE_LIMIT)
        self._queues.add(queue)
        try:
            yield queue
        finally:
            self._queues.discard(queue)
