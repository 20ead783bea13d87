"""The local dispatcher: one task per thread with something to do, in this process. Rows are the truth."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

import structlog

from bot.runtime.ports import NotRead, NotSaved, Store

log = structlog.get_logger()

SWEEP_SECONDS = 15.0
"""How often what no wake-up reached is looked for."""

GRACE_SECONDS = 7.0
"""An effect that is cut off in the middle is a doubt, so it gets this long; the whole stop stays under ten seconds."""

Serve = Callable[[str, asyncio.Event], Awaitable[None]]


class LocalDispatcher:
    """Implements `ports.Dispatcher`. Inert until `async with`, which begins with a scan for unfinished work.

    Leaving it waits for what runs, `grace` seconds at most, and then cancels it; with nothing to do it ends at once.
    """

    def __init__(self, store: Store, *, grace: float = GRACE_SECONDS) -> None:
        self._store = store
        self._grace = grace
        self._serve: Serve | None = None
        self._events: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._open = False
        self._closing = False

    @property
    def closing(self) -> bool:
        """Whether nothing more is to be begun."""
        return self._closing

    def serve_with(self, serve: Serve) -> None:
        """Who does a thread's work; joined by the composition root."""
        self._serve = serve

    def wake(self, thread_id: str) -> None:
        """Have the thread served, now or again."""
        if not self._open:
            return
        event = self._events.setdefault(thread_id, asyncio.Event())
        event.set()
        if thread_id not in self._tasks:
            task = asyncio.create_task(self._work(thread_id, event), name=f"thread {thread_id}")
            self._tasks[thread_id] = task

    async def _work(self, thread_id: str, event: asyncio.Event) -> None:
        try:
            while self._open and self._serve is not None and event.is_set():
                await self._serve(thread_id, event)
        except (NotSaved, NotRead):
            log.exception("thread.store_in_trouble", thread=thread_id)
        except Exception:  # the task's outer edge; the sweep comes back to it
            log.exception("thread.crashed", thread=thread_id)
        finally:
            self._tasks.pop(thread_id, None)
            self._events.pop(thread_id, None)

    async def sweep(self) -> None:
        """Wake what no wake-up reached; called at the start and from time to time."""
        async with self._store.read() as work:
            threads = await work.runs.unfinished_threads()
        for thread_id in threads:
            self.wake(thread_id)

    async def __aenter__(self) -> Self:
        self._open, self._closing = True, False
        await self.sweep()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open, self._closing = False, True
        for event in self._events.values():
            event.set()  # who serves a thread looks once more, and sees that this closes
        tasks = list(self._tasks.values())
        try:
            if tasks:
                await asyncio.wait(tasks, timeout=self._grace)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
