"""Turns: one writer of this process after the other, and first those whom somebody waits for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

IN_A_ROW = 4
"""So many who cannot wait go before one who can: what they bring has to be worked on, too."""


class NoTurn(Exception):
    """It did not begin in time."""


class Turns:
    """Whose turn it is. Who names an `end` goes before those who wait however long it takes: Slack gives up after three
    seconds what the busiest moments would keep waiting for longer, each time anew.
    """

    def __init__(self) -> None:
        self._taken = False
        self._hurried: deque[asyncio.Future[None]] = deque()
        self._patient: deque[asyncio.Future[None]] = deque()
        self._row = 0

    @asynccontextmanager
    async def turn(self, end: float | None) -> AsyncGenerator[None]:
        """Alone until the block ends. Raises `NoTurn` where it does not begin until `end`, by the loop's clock."""
        try:
            await self._come(end)
        except TimeoutError:
            raise NoTurn from None
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
            if mine.done() and not mine.cancelled():  # it came at the moment at which nobody waited for it any more
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while waiting := self._next():
            if not waiting.done():
                waiting.set_result(None)
                return
        self._taken = False

    def _next(self) -> asyncio.Future[None] | None:
        """The first of those who hurry, or of the others where it is theirs or nobody hurries."""
        hurries = self._hurried and (self._row < IN_A_ROW or not self._patient)
        self._row = self._row + 1 if hurries else 0
        queue = self._hurried if hurries else self._patient
        return queue.popleft() if queue else None
