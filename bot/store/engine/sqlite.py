"""The engine on SQLite: a write-ahead log, durable commits, and transactions that declare at BEGIN whether they write.

SQLite's settings follow its documentation (WAL, `synchronous`, `BEGIN IMMEDIATE`) and SQLAlchemy's recipe for the
SQLite dialect's transactions: the driver begins nothing by itself, the engine's `begin` event does.
"""

from __future__ import annotations

from typing import Any, Protocol

from sqlalchemy import Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.engine import sqlite_driver
from bot.store.engine.options import BUSY_MS, POOL, WRITES, Cursor

SQLITE_CONNECTIONS = 5
"""One writes at a time and a read takes less than a millisecond, so more of them only keep more pages of the file."""


class _DriverConnection(Protocol):
    isolation_level: str | None

    def cursor(self) -> Cursor: ...


def sqlite_engine(url: str) -> AsyncEngine:
    """An engine on a SQLite file: WAL, FULL, foreign keys, 30 s of patience, IMMEDIATE where a unit of work writes."""
    # A connection that is closed ends its transaction; the pool would roll back once more what was committed.
    own = {"pool_reset_on_return": None, "connect_args": {"async_creator_fn": sqlite_driver.connect}}
    engine = create_async_engine(url, **POOL | {"pool_size": SQLITE_CONNECTIONS}, **own)

    def connected(connection: _DriverConnection, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (f"busy_timeout={BUSY_MS}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def begun(connection: Connection) -> None:
        writes: int | None = connection.get_execution_options().get(WRITES)
        busy_ms = BUSY_MS if writes is None else writes
        if connection.info.get(WRITES, BUSY_MS) != busy_ms:  # it stays with a connection that goes back to the pool
            connection.exec_driver_sql(f"PRAGMA busy_timeout={busy_ms}")
            connection.info[WRITES] = busy_ms
        connection.exec_driver_sql("BEGIN" if writes is None else "BEGIN IMMEDIATE")

    event.listen(engine.sync_engine, "connect", connected)
    event.listen(engine.sync_engine, "begin", begun)
    return engine
