"""The store: units of work over one database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import partial

from bot.secrets import KeyRing
from bot.store.engine.connection import BrokenOff, DatabaseConnection, TooBusy
from bot.store.engine.database import Database
from bot.store.engine.lazy import lazily
from bot.store.engine.session import DatabaseSession
from bot.store.errors import MaybeSaved, NotRead, NotSaved
from bot.store.unit_of_work import UnitOfWork
from integrations.ports import Clock


class Store:
    """Opens units of work.

    SQLite has one writer, so the writers of this process queue; those that are ready together share a commit.
    PostgreSQL's writers wait for rows. With `server_time` leases end by the database's clock.
    """

    def __init__(self, database: Database, *, keyring: KeyRing, clock: Clock, server_time: bool = False) -> None:
        self._server_time = server_time
        self._database = database
        self._keyring = keyring
        self._clock = clock
        self._listeners: list[Callable[[UnitOfWork], None]] = []

    def on_commit(self, call: Callable[[UnitOfWork], None]) -> None:
        """Call this after every commit, with the unit of work."""
        self._listeners.append(call)

    @asynccontextmanager
    async def write(self, *, patience: float | None = None, long: bool = False) -> AsyncGenerator[UnitOfWork]:
        """A writing transaction; raises `NotSaved` when it fails, or does not come to commit within `patience` seconds,
        and `MaybeSaved` when the commit itself broke off.

        A commit that began is awaited, and told, before a cancellation, and however long it takes. `long` is for
        statements that change many rows: they hold up nobody but other writers.
        """
        end, works = _end(patience), list[UnitOfWork]()
        try:
            async with self._database.writing(end, lambda: self._tell(works), long=long) as connection:
                async with _within(end):
                    works.append(self._work(connection))
                    yield works[0]
                    await works[0].flush()
                works[0].session.remember()
        except self._database.errors as error:
            raise NotSaved(f"The database refused the write ({error}); nothing was saved.") from error
        except BrokenOff as error:
            raise MaybeSaved(f"The database did not say whether it saved this ({error}).") from error
        except TooBusy as error:
            raise NotSaved("The database was busy for too long; nothing was saved.") from error
        finally:
            for work in works:
                work.session.end()

    @asynccontextmanager
    async def read(self, *, patience: float | None = None, long: bool = False) -> AsyncGenerator[UnitOfWork]:
        """A reading transaction: one snapshot, from the first statement on, and none where nothing is read. Raises
        `NotRead`, after `patience` seconds at the latest.

        `long` is for what may read many rows: it holds up nobody else.
        """
        end = _end(patience)
        try:
            async with lazily(partial(self._database.reading, end, long=long)) as connection, _within(end):
                work = self._work(connection, is_snapshot=True)
                try:
                    yield work
                finally:
                    work.session.end()
        except self._database.errors as error:
            raise NotRead(f"The database could not be read ({error}).") from error
        except TooBusy as error:
            raise NotRead("The database was busy for too long.") from error

    def _work(self, connection: DatabaseConnection, *, is_snapshot: bool = False) -> UnitOfWork:
        session = DatabaseSession(
            connection,
            dialect=self._database.dialect,
            is_shared=self._database.is_shared,
            is_snapshot=is_snapshot,
            memory=None if is_snapshot else self._database.memory,
        )
        return UnitOfWork(session, keyring=self._keyring, clock=self._clock, server_time=self._server_time)

    def _tell(self, works: list[UnitOfWork]) -> None:
        for work in works:
            work.committed()
            for call in self._listeners:
                call(work)


def _end(patience: float | None) -> float | None:
    return None if patience is None else asyncio.get_running_loop().time() + patience


def _within(end: float | None) -> AbstractAsyncContextManager[None]:
    """Bound the block as a whole, if there is an end; the database bounds each wait for a lock by itself. Raises
    `TooBusy`.
    """
    return nullcontext() if end is None else _bounded(end)


@asynccontextmanager
async def _bounded(end: float) -> AsyncGenerator[None]:
    limit: asyncio.Timeout | None = None
    try:
        async with asyncio.timeout_at(end) as limit:
            yield
    except TimeoutError as error:
        if limit is None or not limit.expired():
            raise
        raise TooBusy from error
