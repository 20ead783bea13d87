"""The store: units of work over one engine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.secrets import KeyRing
from bot.store.engine.factory import is_postgresql
from bot.store.engine.options import BUSY_MS, WRITES
from bot.store.engine.session import Session
from bot.store.engine.shield import run_to_end
from bot.store.engine.write_queue import QueueTimeout, WriteQueue
from bot.store.errors import NotRead, NotSaved
from bot.store.unit_of_work import UnitOfWork
from integrations.ports import Clock

_SOONER_MS = 50
"""A driver that is cut off while it waits for a lock may close its connection."""


class Store:
    """Opens units of work.

    SQLite has one writer, and its lock on the file is not fair, so the writers of this process queue. PostgreSQL's
    writers wait for rows. With `server_time` leases end by the database's clock.
    """

    def __init__(self, engine: AsyncEngine, *, keyring: KeyRing, clock: Clock, server_time: bool = False) -> None:
        self._server_time = server_time
        self._engine = engine
        self._keyring = keyring
        self._clock = clock
        self._shared = is_postgresql(engine)
        self._reads = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True} if self._shared else {}
        self._queue = WriteQueue()
        self._late: set[asyncio.Task[None]] = set()
        self._listeners: list[Callable[[UnitOfWork], None]] = []

    def on_commit(self, call: Callable[[UnitOfWork], None]) -> None:
        """Call this after every commit, with the unit of work."""
        self._listeners.append(call)

    @asynccontextmanager
    async def write(self, *, patience: float | None = None) -> AsyncGenerator[UnitOfWork]:
        """A writing transaction; raises `NotSaved` when it fails, or does not come to commit within `patience` seconds.

        A commit that began is awaited, and told, before a cancellation, and however long it takes.
        """
        end = _end(patience)
        try:
            async with self._turn(end), self._transaction(end, writes=True) as work, _within(end):
                yield work
        except DBAPIError as error:
            raise NotSaved(f"The database refused the write ({error.orig}); nothing was saved.") from error
        except _TooBusy as error:
            raise NotSaved("The database was busy for too long; nothing was saved.") from error

    @asynccontextmanager
    async def read(self, *, patience: float | None = None) -> AsyncGenerator[UnitOfWork]:
        """A reading transaction: one snapshot. Raises `NotRead`, after `patience` seconds at the latest."""
        end = _end(patience)
        try:
            async with self._transaction(end, writes=False) as work, _within(end):
                yield work
        except DBAPIError as error:
            raise NotRead(f"The database could not be read ({error.orig}).") from error
        except _TooBusy as error:
            raise NotRead("The database was busy for too long.") from error

    @asynccontextmanager
    async def _turn(self, end: float | None) -> AsyncGenerator[None]:
        """A turn to write, on SQLite."""
        if self._shared:
            yield
            return
        try:
            async with self._queue.turn(end):
                yield
        except QueueTimeout:
            raise _TooBusy from None

    @asynccontextmanager
    async def _transaction(self, end: float | None, *, writes: bool) -> AsyncGenerator[UnitOfWork]:
        """A transaction on a connection of the pool, which always gets the connection back."""
        opened: list[AsyncConnection] = []
        try:
            await run_to_end(self._begin(opened, end, writes=writes))
            (connection,) = opened
            work = UnitOfWork(
                Session(connection), keyring=self._keyring, clock=self._clock, server_time=self._server_time
            )
            yield work
            await run_to_end(self._commit(connection, work if writes else None))
        finally:
            for connection in opened:
                if not connection.closed:
                    await run_to_end(connection.close())

    async def _begin(self, opened: list[AsyncConnection], end: float | None, *, writes: bool) -> None:
        """Connect in time, and begin."""
        try:
            async with asyncio.timeout_at(end):
                opened.append(await self._connected())
        except (TimeoutError, PoolTimeout) as error:
            raise _TooBusy from error
        options = {WRITES: _busy_ms(end)} if writes else self._reads
        connection = await opened[0].execution_options(**options) if options else opened[0]
        await connection.begin()

    async def _commit(self, connection: AsyncConnection, written: UnitOfWork | None) -> None:
        """Commit, tell of what was written, and give the connection back.

        After a commit that failed the state of the connection is unknown, so it is closed: the pool must not get its
        transaction and its lock on the file.
        """
        try:
            await connection.commit()
        except DBAPIError:
            await connection.invalidate()
            raise
        if written is not None:
            written.committed()
            for call in self._listeners:
                call(written)
        await connection.close()

    async def _connected(self) -> AsyncConnection:
        """A connection of the pool. A cancelled caller does not wait, and the connection is given back once it is open:
        cut off while it opens, it would stay half open, with its thread.
        """
        opening = asyncio.ensure_future(self._engine.connect())
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            late = asyncio.create_task(_given_back(opening), name="late connection")
            self._late.add(late)
            late.add_done_callback(self._late.discard)
            raise


async def _given_back(opening: Awaitable[AsyncConnection]) -> None:
    with suppress(SQLAlchemyError):  # then there is none
        await (await opening).close()


class _TooBusy(Exception):
    """Other writers, or all connections of the pool, were busy for too long."""


def _end(patience: float | None) -> float | None:
    return None if patience is None else asyncio.get_running_loop().time() + patience


@asynccontextmanager
async def _within(end: float | None) -> AsyncGenerator[None]:
    """Bound the block as a whole; the database bounds each wait for a lock by itself. Raises `_TooBusy`."""
    limit: asyncio.Timeout | None = None
    try:
        async with asyncio.timeout_at(end) as limit:
            yield
    except TimeoutError as error:
        if limit is None or not limit.expired():
            raise
        raise _TooBusy from error


def _busy_ms(end: float | None) -> int:
    """The milliseconds left for a lock: the database gives up in time, which leaves the connection usable."""
    return BUSY_MS if end is None else max(1, int((end - asyncio.get_running_loop().time()) * 1000) - _SOONER_MS)
