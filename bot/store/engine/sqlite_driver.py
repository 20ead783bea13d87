"""aiosqlite's connection with one visit to its thread for each statement instead of four, and visits that end.

SQLAlchemy asks for a cursor, executes, fetches all rows and closes. Each of these waits for the thread, which is most
of the cost of a short statement: here the thread does all four at once. A cancelled task waits for what the thread is
doing. Otherwise the connection, with its lock on the file, would be closed at some later time or never.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

import aiosqlite

from bot.store.engine.shield import run_to_end

T = TypeVar("T")
Parameters = Sequence[Any] | Mapping[str, Any]

_STATEMENTS = 512  # of ours that sqlite3 keeps prepared; 128 are fewer than we have


class Connection(aiosqlite.Connection):
    """A connection whose cursors hold whole results."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._thread.daemon = True
        self._stopped: asyncio.Future[Any] | None = None

    def cursor(self) -> Cursor:  # pyright: ignore[reportIncompatibleMethodOverride] - one that needs no visit
        """A cursor; nothing is opened yet."""
        return Cursor(self)

    async def visit(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run this in the thread."""
        return await self._execute(partial(work, self._conn))

    async def _execute(self, fn: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """As in aiosqlite, but a cancelled task waits until the thread is done."""
        try:
            return await super()._execute(fn, *args, **kwargs)  # pyright: ignore[reportUnknownMemberType] - untyped
        except asyncio.CancelledError:
            if self._running:
                await run_to_end(self._visited())
            raise

    async def _visited(self) -> None:
        """The thread takes one visit after the other."""
        await super()._execute(_nothing)  # pyright: ignore[reportUnknownMemberType] - untyped

    def stop(self) -> asyncio.Future[Any] | None:
        """End the thread; a second call returns the same future, because the thread ends once."""
        if self._stopped is None:
            self._stopped = super().stop()  # pyright: ignore[reportUnknownMemberType] - untyped
        return self._stopped


def _nothing() -> None:
    """A visit that only waits for its turn."""


def connect(database: str, **options: Any) -> Connection:
    """As `sqlite3.connect`; opened when awaited."""
    return Connection(partial(sqlite3.connect, database, cached_statements=_STATEMENTS, **options))


class Cursor:
    """One statement's result, as SQLAlchemy's adapter for aiosqlite reads it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None
        self.arraysize = 1

    async def execute(self, statement: str, parameters: Parameters = ()) -> Self:
        """Run it and take all rows."""
        return await self._take(lambda cursor: cursor.execute(statement, parameters))

    async def executemany(self, statement: str, parameters: Iterable[Parameters]) -> Self:
        """Run it for each of these."""
        return await self._take(lambda cursor: cursor.executemany(statement, parameters))

    async def _take(self, run: Callable[[sqlite3.Cursor], object]) -> Self:
        def work(connection: sqlite3.Connection) -> None:
            cursor = connection.cursor()
            try:
                run(cursor)
                self._rows = cursor.fetchall() if cursor.description else []
                self.description, self.rowcount, self.lastrowid = cursor.description, cursor.rowcount, cursor.lastrowid
            finally:
                cursor.close()

        await self._connection.visit(work)
        return self

    async def fetchall(self) -> list[Any]:
        """The rows."""
        return self._rows

    async def close(self) -> None:
        """Nothing is open."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is open."""
