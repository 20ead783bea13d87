"""The queue of the writers of this process: one writes at a time, and urgent ones come first."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

IN_A_ROW = 4
"""So many urgent writers come before a patient one, which must not wait for ever."""


class QueueTimeout(Exception):
    """The turn did not come in time."""


class WriteQueue:
    """A fair lock with two queues. Writers with an `end` come before those without: Slack waits three seconds for what
    the first write. `keeps` is asked when a turn ends and nobody comes: where it says so, the turn is not over yet.
    """

    def __init__(self, keeps: Callable[[], bool] = lambda: False) -> None:
        self._keeps = keeps
        self._taken = False
        self._hurried: deque[asyncio.Future[None]] = deque()
        self._patient: deque[asyncio.Future[None]] = deque()
        self._row = 0

    async def come(self, end: float | None) -> None:
        """Wait for a turn, which lasts until `pass_on`; raises `QueueTimeout` where it does not come by `end` of the
        loop's clock.
        """
        if not self._taken:
            self._taken = True
            return
        mine = asyncio.get_running_loop().create_future()
        (self._patient if end is None else self._hurried).append(mine)
        try:
            async with asyncio.timeout_at(end):
                await mine
        except BaseException as error:
            if mine.done() and not mine.cancelled():  # it came just as this writer gave up
                self.pass_on()
            if isinstance(error, TimeoutError):
                raise QueueTimeout from None
            raise

    def pass_on(self) -> None:
        """End the turn, and let the next one come."""
        while waiting := self._next():
            if not waiting.done():
                waiting.set_result(None)
                return
        self._taken = self._keeps()

    def _next(self) -> asyncio.Future[None] | None:
        """The first urgent writer, or a patient one after so many urgent ones."""
        hurries = self._hurried and (self._row < IN_A_ROW or not self._patient)
        self._row = self._row + 1 if hurries else 0
        queue = self._hurried if hurries else self._patient
        return queue.popleft() if queue else None
