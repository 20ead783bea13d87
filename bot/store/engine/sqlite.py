"""SQLite: a write-ahead log, durable commits, and transactions that declare at BEGIN whether they write.

The settings follow SQLite's documentation (WAL, `synchronous`, `BEGIN IMMEDIATE`). The engine is for migrations; it
follows SQLAlchemy's recipe for transactions of its SQLite dialect. Units of work use connections of their own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol

from sqlalchemy import Connection, event, make_url
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.engine import sqlite_driver
from bot.store.engine.connection import BUSY_MS, POOL, WRITES, Cursor, Told
from bot.store.engine.group import GroupedWriter
from bot.store.engine.memory import WriterMemory
from bot.store.engine.pool import Pool
from bot.store.engine.sqlite_driver import SqliteConnection

CONNECTIONS = 5
"""One writes, and a read takes less than a millisecond: more of them only keep more pages of the file."""

_LOG_PAGES = 4_000
"""So long the write-ahead log becomes before a commit copies it into the file, which syncs the disk twice and holds up
that commit. In about so many pages its index finds one with a single look (sqlite.org/walformat.html).
"""

_PRAGMAS = (
    *(f"busy_timeout={BUSY_MS}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"),
    f"wal_autocheckpoint={_LOG_PAGES}",
    "secure_delete=ON",  # what is erased is not in the file any more; not every build of SQLite does that unasked
)


class _DriverConnection(Protocol):
    isolation_level: str | None

    def cursor(self) -> Cursor: ...


def sqlite_engine(url: str) -> AsyncEngine:
    """An engine on a SQLite file: WAL, FULL, foreign keys, 30 s of patience, IMMEDIATE where it writes."""
    # A connection that is closed ends its transaction; the pool would roll back once more what was committed.
    engine = create_async_engine(url, **POOL, pool_reset_on_return=None)

    def connected(connection: _DriverConnection, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in _PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    event.listen(engine.sync_engine, "connect", connected)
    event.listen(engine.sync_engine, "begin", begun)
    return engine


class SqliteDatabase:
    """Implements `Database` on a file: readers beside one writer."""

    is_shared = False
    errors = (sqlite3.Error,)

    def __init__(self, url: str) -> None:
        self.engine = sqlite_engine(url)
        self.dialect: Dialect = self.engine.dialect
        self._arguments = self.dialect.create_connect_args(make_url(url))
        self._readers = Pool(self._opened, size=CONNECTIONS - 1)
        self._writers = Pool(self._opened, size=1)
        self.memory = WriterMemory()
        self._writer = GroupedWriter(self._writers, self.memory)
        self.pools = (self._readers, self._writers)

    def writing(
        self, end: float | None, told: Told, *, long: bool = False
    ) -> AbstractAsyncContextManager[SqliteConnection]:
        """See the protocol."""
        return self._writer.unit(end, told, long=long)

    @asynccontextmanager
    async def reading(self, end: float | None, *, long: bool = False) -> AsyncGenerator[SqliteConnection]:
        """See the protocol."""
        async with self._readers.connection(end) as connection:
            connection.begin_reading()
            try:
                with connection.slowly(long):
                    yield connection
            finally:
                connection.rollback()

    async def _opened(self) -> SqliteConnection:
        (path, *_), options = self._arguments
        owner = sqlite_driver.connect(path, **options, isolation_level=None)
        try:
            await owner
            await owner.visit(_settled)
        except BaseException:
            owner.stop()
            raise
        return SqliteConnection(owner)

    async def dispose(self) -> None:
        """See the protocol."""
        await self._writer.settled()
        for pool in self.pools:
            await pool.dispose()
        await self.engine.dispose()


def _settled(raw: sqlite3.Connection) -> None:
    """Its settings. Once they hold, SQLite itself waits for nobody: it would hold up the loop."""
    for pragma in (*_PRAGMAS, "busy_timeout=0"):
        raw.execute(f"PRAGMA {pragma}")
