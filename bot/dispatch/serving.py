"""The threads that this process serves: one task for each with something to do. Rows are the truth."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Self

import structlog

from bot.domain.states import LostRace
from bot.store.errors import NotRead, NotSaved

log = structlog.get_logger()

GRACE_SECONDS = 7.0
"""An effect that is cut off in the middle is a doubt, so it gets this long; the whole stop stays under ten seconds."""

SWEEP_SECONDS = 10.0
"""How often what no wake-up reached is looked for."""

Serve = Callable[[str, asyncio.Event], Awaitable[None]]


class Serving:
    """Inert until `async with`. Leaving it waits for what runs, `grace` seconds at most, and then cancels it; with
    nothing to do it ends at once.
    """

    def __init__(self, *, grace: float = GRACE_SECONDS) -> None:
        self._grace = grace
        self._serve: Serve | None = None
        self._events: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._expected: set[str] = set()
        self._open = False
        self.closing = False
        """Whether nothing more is to be begun."""

    @property
    def threads(self) -> frozenset[str]:
        """What is being served now."""
        return frozenset(self._tasks)

    def serve_with(self, serve: Serve) -> None:
        """Who does a thread's work."""
        self._serve = serve

    def wake(self, thread_id: str, *, here: bool = True) -> None:
        """Have the thread served, now or again; there is only `here`."""
        if not self._open:
            return
        event = self._events.setdefault(thread_id, asyncio.Event())
        event.set()
        if thread_id not in self._tasks:
            task = asyncio.create_task(self._work(thread_id, event), name=f"thread {thread_id}")
            self._tasks[thread_id] = task

    def expect(self, thread_id: str) -> bool:
        """See the protocol: whoever serves it queues for the writer before the commit, and so shares it."""
        if not self._open or thread_id in self._tasks:
            return False
        self._expected.add(thread_id)
        self.wake(thread_id)
        return True

    def is_expected(self, thread_id: str) -> bool:
        """See the protocol."""
        return thread_id in self._expected

    async def served(self, thread_id: str) -> None:
        """Have the thread served and wait until it is; one that is being served already is only woken."""
        known = thread_id in self._tasks
        self.wake(thread_id)
        if not known and (task := self._tasks.get(thread_id)):
            await asyncio.wait([task])

    async def _work(self, thread_id: str, event: asyncio.Event) -> None:
        try:
            while self._open and self._serve is not None and event.is_set():
                event.clear()  # a wake-up from here on counts also when this turn ends with an error
                await self._turn(thread_id, event, self._serve)
                self._expected.discard(thread_id)
        finally:
            self._expected.discard(thread_id)
            self._tasks.pop(thread_id, None)
            self._events.pop(thread_id, None)

    async def _turn(self, thread_id: str, woken: asyncio.Event, serve: Serve) -> None:
        try:
            await serve(thread_id, woken)
        except (NotSaved, NotRead) as trouble:
            log.error("thread.store_in_trouble", thread=thread_id, why=str(trouble))
        except LostRace as race:  # somebody else serves it now
            log.warning("thread.lost", thread=thread_id, race=str(race))
        except Exception:  # the task's outer edge; the sweep comes back to it
            log.exception("thread.crashed", thread=thread_id)

    async def __aenter__(self) -> Self:
        self._open, self.closing = True, False
        return self

    async def __aexit__(self, *_: object) -> None:
        self._open, self.closing = False, True
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
