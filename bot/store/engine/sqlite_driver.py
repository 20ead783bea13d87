"""aiosqlite's connection, whose short statements run where they are asked for.

aiosqlite owns the connection and the thread in which it was opened. A visit to that thread takes longer than SQLite
needs for a short statement. So statements run in the event loop, on the same connection, and the thread does what may
take long: opening, a COMMIT that syncs the disk, and long reads. The two never use the connection at once, since a
visit is awaited to its end, also by a task that is cancelled. SQLite itself is safe with several threads
(sqlite.org/threadsafe.html, “serialized”).
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import aiosqlite

from bot.store.engine.connection import BUSY_MS, DriverResult, TooBusy
from bot.store.engine.shield import run_to_end
from bot.store.engine.statements import Bound

T = TypeVar("T")

_STATEMENTS = 512  # of ours that sqlite3 keeps prepared; 128 are fewer than we have
_PAUSES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
"""Seconds between the looks at a lock that another process holds; the last one repeats."""


class ThreadedConnection(aiosqlite.Connection):
    """aiosqlite's connection, with visits that end."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._thread.daemon = True
        self._stopped: asyncio.Future[Any] | None = None

    @property
    def raw(self) -> sqlite3.Connection:
        """The connection itself."""
        return self._conn

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


def connect(database: str, **options: Any) -> ThreadedConnection:
    """As `sqlite3.connect`; opened when awaited."""
    return ThreadedConnection(partial(sqlite3.connect, database, cached_statements=_STATEMENTS, **options))


class SqliteConnection:
    """Implements `DatabaseConnection`."""

    def __init__(self, threaded: ThreadedConnection) -> None:
        self._threaded = threaded
        self._raw = threaded.raw
        self._changes = 0
        self.in_thread = False
        self._writes = False

    @property
    def is_usable(self) -> bool:
        """Whether it is in no transaction; after a commit that failed, the state of one is unknown."""
        return not self._raw.in_transaction

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open: SQLite itself rolls one back at some errors, such as a full disk."""
        return self._raw.in_transaction

    async def run(self, sql: str, values: Bound) -> DriverResult:
        """See the protocol."""
        if self.in_thread:
            run = _run if self._writes else _run_on_anything
            visit = self._threaded.visit(partial(run, sql=sql, values=values))
            return await run_to_end(visit, hurry=_nothing if self._writes else self._raw.interrupt)
        try:
            return _run(self._raw, sql, values)
        except sqlite3.OperationalError as error:
            if not _is_busy(error):
                raise
        return await self._patiently(partial(_run, self._raw, sql, values), None)

    @contextmanager
    def slowly(self, long: bool) -> Generator[None]:
        """With `long` its statements visit the thread in this block, because they may take long. One that reads is
        interrupted where its task is cancelled; where it writes, SQLite would undo the transaction with it.
        """
        self.in_thread = long
        try:
            yield
        finally:
            self.in_thread = False

    async def begin(self, end: float | None) -> None:
        """Begin to write. Raises `TooBusy` where another process holds the file until `end` of the loop's clock."""
        await self._patiently(partial(self._raw.execute, "BEGIN IMMEDIATE"), end)
        self._writes = True
        self._changes = self._raw.total_changes

    def version(self) -> object:
        """What changes when another connection commits, or where this is another connection (sqlite.org/pragma.html,
        “data_version”).
        """
        (version,) = self._raw.execute("PRAGMA data_version").fetchone()
        return id(self), version

    async def _patiently(self, work: Callable[[], T], end: float | None) -> T:
        """Do it as soon as no other process is in the way: SQLite would sleep meanwhile, and hold up the loop."""
        loop, looks = asyncio.get_running_loop(), 0
        end = loop.time() + BUSY_MS / 1000 if end is None else end
        while True:
            try:
                return work()
            except sqlite3.OperationalError as error:
                if not _is_busy(error):
                    raise
            pause = _PAUSES[min(looks, len(_PAUSES) - 1)]
            if loop.time() + pause > end:
                raise TooBusy
            await asyncio.sleep(pause)
            looks += 1

    def begin_reading(self) -> None:
        """Begin to read: one snapshot from the first statement on."""
        self._raw.execute("BEGIN")
        self._writes = False

    async def commit(self) -> None:
        """Commit: in the thread, because it syncs the disk, unless nothing was changed."""
        if self._raw.total_changes == self._changes:
            self._raw.execute("COMMIT")
        else:
            await self._threaded.visit(_commit)

    def rollback(self) -> None:
        """End the transaction, if there is one."""
        if self._raw.in_transaction:
            self._raw.execute("ROLLBACK")

    def savepoint(self) -> None:
        """From here on what follows can be undone alone."""
        self._raw.execute("SAVEPOINT unit")

    def release(self) -> None:
        """What followed the savepoint is part of the transaction."""
        self._raw.execute("RELEASE unit")

    def undo(self) -> None:
        """Undo what followed the savepoint, if the transaction is still there: all of it where that alone fails."""
        if not self._raw.in_transaction:
            return
        try:
            self._raw.execute("ROLLBACK TO unit")
            self._raw.execute("RELEASE unit")
        except sqlite3.Error:
            self.rollback()

    async def close(self) -> None:
        """Close it, and end its thread."""
        await self._threaded.close()


def _run(raw: sqlite3.Connection, sql: str, values: Bound) -> DriverResult:
    cursor = raw.execute(sql, values)
    if cursor.description is None:
        return DriverResult((), (), cursor.rowcount)
    rows = cursor.fetchall()
    return DriverResult(rows, [column[0] for column in cursor.description], cursor.rowcount)


def _run_on_anything(raw: sqlite3.Connection, sql: str, values: Bound) -> DriverResult:
    """The same of what only reads, with bytes for each text that is no UTF-8, which SQLite stores as it is: one such
    value would otherwise hide all the rows.
    """
    try:
        return _run(raw, sql, values)
    except sqlite3.OperationalError as error:
        if hasattr(error, "sqlite_errorcode"):
            raise
    raw.text_factory = _text_or_bytes
    try:
        return _run(raw, sql, values)
    finally:
        raw.text_factory = str


def _text_or_bytes(stored: bytes) -> str | bytes:
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return stored


def _is_busy(error: sqlite3.OperationalError) -> bool:
    """Whether another process holds a lock; the extended codes have the plain one in their last byte. Errors of
    Python's module, such as for text that is no UTF-8, have none.
    """
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _commit(raw: sqlite3.Connection) -> None:
    raw.execute("COMMIT")
