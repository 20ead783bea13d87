"""Connections of one process: made when they are needed, kept, and lent to one unit of work at a time.

Work comes in bursts, and to open a connection costs more than what it is used for. The one used last is lent first.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Generic, Protocol, TypeVar

from bot.store.engine.connection import TooBusy
from bot.store.engine.shield import run_to_end

WAIT_SECONDS = 30.0


class Pooled(Protocol):
    """A connection that a pool keeps."""

    @property
    def is_usable(self) -> bool:
        """Whether it can be lent again: whole, in no transaction, not too old."""
        ...

    async def close(self) -> None:
        """Close it; a second call does nothing."""
        ...


C = TypeVar("C", bound=Pooled)


class Pool(Generic[C]):
    """At most `size` connections."""

    def __init__(
        self,
        opens: Callable[[], Coroutine[Any, Any, C]],
        *,
        size: int,
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self.opens = opens
        self.size = size
        self._places = asyncio.Semaphore(size)
        self.wait_seconds = wait_seconds
        self._idle: list[C] = []
        self._late: set[asyncio.Future[Any]] = set()
        self.lent = 0

    @asynccontextmanager
    async def connection(self, end: float | None) -> AsyncGenerator[C]:
        """A connection for as long as the block lasts; raises `TooBusy` where none comes by `end` of the loop's clock,
        or within the pool's own time.
        """
        connection = await self.lend(end)
        try:
            yield connection
        finally:
            await self.take_back(connection)

    async def lend(self, end: float | None) -> C:
        """The same without a block: `take_back` must follow."""
        await self._come(end)
        connection = self._kept() or await self._opened(end)
        self.lent += 1
        return connection

    async def take_back(self, connection: C) -> None:
        """Keep what was lent for the next one, or close it."""
        self.lent -= 1
        try:
            if connection.is_usable:
                self._idle.append(connection)
            else:
                await run_to_end(connection.close())
        finally:
            self._places.release()

    async def _come(self, end: float | None) -> None:
        """Take a place; where one is free no clock is set."""
        if not self._places.locked():
            await self._places.acquire()
            return
        try:
            async with asyncio.timeout_at(self._latest(end)):
                await self._places.acquire()
        except TimeoutError:
            raise TooBusy from None

    def _latest(self, end: float | None) -> float:
        latest = asyncio.get_running_loop().time() + self.wait_seconds
        return latest if end is None else min(end, latest)

    def _kept(self) -> C | None:
        """The one used last; what became unusable since it was used is closed."""
        while self._idle:
            connection = self._idle.pop()
            if connection.is_usable:
                return connection
            self._follow(asyncio.ensure_future(connection.close()))
        return None

    async def _opened(self, end: float | None) -> C:
        """A new one. Who gives up does not wait for it, and it is kept once it is open: cut off while it opens, it
        would stay half open.
        """
        opening = asyncio.ensure_future(self.opens())
        try:
            async with asyncio.timeout_at(end):
                return await asyncio.shield(opening)
        except BaseException as error:
            opening.add_done_callback(self._keep)
            self._follow(opening)
            if isinstance(error, TimeoutError):
                raise TooBusy from None
            raise

    def _follow(self, late: asyncio.Future[Any]) -> None:
        self._late.add(late)
        late.add_done_callback(self._late.discard)

    def _keep(self, opening: asyncio.Future[C]) -> None:
        """Keep what nobody waits for any more; where it cannot be opened there is none, and nobody to be told."""
        self._places.release()
        if not opening.cancelled() and opening.exception() is None:
            self._idle.append(opening.result())

    async def dispose(self) -> None:
        """Close what is idle, and what is still being opened."""
        await asyncio.gather(*self._late, return_exceptions=True)
        while self._idle:
            await self._idle.pop().close()
