"""The scheduler: APScheduler ticking idempotent jobs, with the jobs' tasks owned here.

APScheduler's `shutdown(wait=True)` cancels running coroutines, and its default grace for a late tick is one second.
So a tick only starts a task of ours, is never too late, and ticks that were missed count once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler

log = structlog.get_logger()

SILENCE_SECONDS = 60.0

Job = Callable[[], Awaitable[None]]


class Scheduler:
    """Calls jobs again and again between `async with` and its end; one that still runs is not begun anew.

    `task` ends after so many seconds without any tick: APScheduler's timer, once lost, is lost without a word.
    """

    def __init__(self, *, silence: float = SILENCE_SECONDS) -> None:
        self._ticks: Any = AsyncIOScheduler(timezone="UTC")  # APScheduler 3 carries no types
        self._silence = silence
        self._ticked = 0
        self._task: asyncio.Task[None] | None = None
        self._running: dict[str, asyncio.Task[None]] = {}

    def every(self, seconds: float, name: str, job: Job) -> None:
        """Call the job this often."""
        self._ticks.add_job(
            self._tick,
            "interval",
            args=[name, job],
            id=name,
            seconds=seconds,
            coalesce=True,
            misfire_grace_time=None,
        )

    async def _tick(self, name: str, job: Job) -> None:
        """Begin the job in a task of its own; APScheduler's own task ends at once."""
        self._ticked += 1
        if name not in self._running:
            self._running[name] = asyncio.create_task(self._guarded(name, job), name=f"job {name}")

    async def _guarded(self, name: str, job: Job) -> None:
        try:
            await job()
        except Exception:  # the task's outer edge; the next tick tries again
            log.exception("job.failed", job=name)
        finally:
            del self._running[name]

    @property
    def task(self) -> asyncio.Task[None]:
        """What watches the ticks; while they come it never ends."""
        assert self._task is not None, "not entered"
        return self._task

    async def _watch(self) -> None:
        heard = -1
        while heard != self._ticked:
            heard = self._ticked
            await asyncio.sleep(self._silence)

    async def __aenter__(self) -> Self:
        self._ticks.start()
        self._task = asyncio.create_task(self._watch(), name="scheduler")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ticks.shutdown(wait=False)
        tasks = [self.task, *self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
