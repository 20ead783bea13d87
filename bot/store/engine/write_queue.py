"""The queue of the writers of this process: one writes at a time, and urgent ones come first."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

IN_A_ROW = 4
"""So many urgent writers come before a patient one, which must not wait for ever."""


class QueueTimeout(Exception):
    """The turn did not come in time."""


class WriteQueue:
    """A fair lock with two queues. Writers with an `end` come before those without: Slack waits three seconds for what
    the first write.
    """

    def __init__(self) -> None:
        self._taken = False
        self._hurried: deque[asyncio.Future[None]] = deque()
        self._patient: deque[asyncio.Future[None]] = deque()
        self._row = 0

    @asynccontextmanager
    async def turn(self, end: float | None) -> AsyncGenerator[None]:
        """Alone until the block ends; raises `QueueTimeout` where it does not begin by `end` of the loop's clock."""
        try:
            await self._come(end)
        except TimeoutError:
            raise QueueTimeout from None
        try:
            yield
        finally:
            self._pass_on()

    async def _come(self, end: float | None) -> None:
        if not self._taken:
            self._taken = True
            return
        mine = asyncio.get_running_loop().create_future()
        (self._patient if end is None else self._hurried).append(mine)
        try:
            async with asyncio.timeout_at(end):
                await mine
        except BaseException:
            if mine.done() and not mine.cancelled():  # it came just as this writer gave up
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while waiting := self._next():
            if not waiting.done():
                waiting.set_result(None)
                return
        self._taken = False

    def _next(self) -> asyncio.Future[None] | None:
        """The first urgent writer, or a patient one after so many urgent ones."""
        hurries = self._hurried and (self._row < IN_A_ROW or not self._patient)
        self._row = self._row + 1 if hurries else 0
        queue = self._hurried if hurries else self._patient
        return queue.popleft() if queue else None
