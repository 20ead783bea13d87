"""The bus: what happened, told to the listeners in this process. Best effort; rows are the truth."""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self

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


class BusFollower(ABC):
    """Follows the bus between `async with` and its end, in a task of its own."""

    def __init__(self, *, bus: Bus, name: str) -> None:
        self._bus = bus
        self._name = name
        self._queue: asyncio.Queue[Event] | None = None
        self._task: asyncio.Task[None] | None = None
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Follow the bus."""
        self._queue = await self._stack.enter_async_context(self._bus.subscribe())
        self._task = asyncio.create_task(self._follow(self._queue), name=self._name)
        self._stack.push_async_callback(self._end, self._task)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    @property
    def task(self) -> asyncio.Task[None]:
        """What follows the bus; it never ends by itself."""
        assert self._task is not None, "not entered"
        return self._task

    @abstractmethod
    async def _follow(self, queue: asyncio.Queue[Event]) -> None:
        """Take events from the queue for ever."""

    async def _end(self, task: asyncio.Task[None]) -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
