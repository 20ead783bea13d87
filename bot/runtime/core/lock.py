"""Locks: what no two processes may do at the same moment, such as beginning a message that is to be one message."""

from __future__ import annotations

import asyncio
import itertools
import zlib
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Protocol

from bot.store.errors import NotSaved
from bot.store.store import Store
from integrations.ports import Clock

LONGEST_SECONDS = 20.0
"""Longer than a call to Slack takes: a process that stands still for longer has lost the lock. Shorter than any tool's
time: a tool that waits for what a dead process did alone still has time for its own work.
"""

PLACES = 256  # leases are rows that stay; two things that share one only wait for each other
_LOOK_SECONDS = 0.05

IsHeld = Callable[[], bool]
"""Whether the lock is still ours, by the monotonic clock: asked before something is shown that may be there once."""


class DistributedLock(Protocol):
    """Keeps the others out."""

    def acquire(self, about: str) -> AbstractAsyncContextManager[IsHeld]:
        """Alone with this, among all processes; raises `NotSaved`. Within one process it keeps nobody out."""
        ...


class NullLock:
    """Implements `DistributedLock` where there is one process."""

    @asynccontextmanager
    async def acquire(self, about: str) -> AsyncGenerator[IsHeld]:
        """Ours at once, for as long as it takes."""
        del about
        yield lambda: True


@dataclass(frozen=True, slots=True, kw_only=True)
class LeasedLock:
    """Implements `DistributedLock` with leases."""

    store: Store
    clock: Clock
    holder: str
    seconds: float = LONGEST_SECONDS
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    @asynccontextmanager
    async def acquire(self, about: str) -> AsyncGenerator[IsHeld]:
        """See the port."""
        name, mine = f"alone:{zlib.crc32(about.encode()) % PLACES}", f"{self.holder}/{next(self._numbers)}"
        loop = asyncio.get_running_loop()
        end = loop.time() + self.seconds
        while (epoch := await self._take(name, mine)) is None:
            await asyncio.sleep(_LOOK_SECONDS)
            end = loop.time() + self.seconds
        try:
            yield lambda: loop.time() < end
        finally:
            with suppress(NotSaved):
                async with self.store.write() as work:
                    await work.leases.release(name, mine, epoch)

    async def _take(self, name: str, mine: str) -> int | None:
        async with self.store.write() as work:
            return await work.leases.take(name, mine, now=self.clock.now(), seconds=self.seconds)
