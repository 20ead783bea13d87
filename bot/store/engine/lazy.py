"""A reading transaction that begins at its first statement: who finds elsewhere what they need takes no connection."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from bot.store.engine.connection import DatabaseConnection, DriverResult
from bot.store.engine.statements import Bound

Begin = Callable[[], AbstractAsyncContextManager[DatabaseConnection]]


class LazyReader:
    """Implements `DatabaseConnection`. The snapshot is that of the first statement, as if it had begun just before."""

    def __init__(self, begin: Begin, stack: AsyncExitStack) -> None:
        self._begin = begin
        self._stack = stack
        self._connection: DatabaseConnection | None = None

    async def run(self, sql: str, values: Bound) -> DriverResult:
        """See the protocol. Raises `TooBusy` where no connection is free in time."""
        return await (self._connection or await self._begun()).run(sql, values)

    async def _begun(self) -> DatabaseConnection:
        self._connection = await self._stack.enter_async_context(self._begin())
        return self._connection


@asynccontextmanager
async def lazily(begin: Begin) -> AsyncGenerator[LazyReader]:
    """The reader; what it began ends with the block."""
    async with AsyncExitStack() as stack:
        yield LazyReader(begin, stack)
