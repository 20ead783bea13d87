"""A worker of the live world: one process that serves the thread, with its life."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bot.domain.states import LostRace
from bot.runtime.runs.runner import Runner
from tests.verification.explorer.live.fate import Died, Life

THREAD = "thr_1"


@dataclass(slots=True, kw_only=True)
class Worker:
    """One process that serves the thread."""

    name: str
    life: Life
    runner: Runner
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    def works(self) -> None:
        """Serve the thread, or look at it again."""
        self.woken.set()
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._serve(), name=self.name)

    async def _serve(self) -> None:
        try:
            await self.runner.serve(THREAD, self.woken)
        except (Died, LostRace):
            return

    def fault(self) -> BaseException | None:
        """What it ended with, if nobody made it."""
        task = self.task
        return task.exception() if task is not None and task.done() and not task.cancelled() else None

    async def ends(self) -> None:
        """It is killed; where it waits for the outside nothing comes any more."""
        self.life.dead = True
        self.life.awake.set()
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
