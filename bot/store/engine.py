"""The engine: SQLite with a write-ahead log, durable commits, and transactions that begin as what they are.

SQLite's settings follow its documentation (WAL, `synchronous`, `BEGIN IMMEDIATE`) and SQLAlchemy's recipe for the
SQLite dialect's transactions: the driver begins nothing by itself, the engine's `begin` event does.
"""

from __future__ import annotations

from typing import Any, Protocol

from sqlalchemy import Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

WRITES = "countersign_writes"
"""The execution option of a connection that writes: the milliseconds to wait for another process's lock."""

BUSY_MS = 30_000


class _Cursor(Protocol):
    def execute(self, statement: str, /) -> object: ...
    def close(self) -> None: ...


class _DriverConnection(Protocol):
    isolation_level: str | None

    def cursor(self) -> _Cursor: ...


def sqlite_engine(url: str) -> AsyncEngine:
    """An engine on a SQLite file: WAL, FULL, foreign keys, 30 s of patience, IMMEDIATE where a unit of work writes.

    Errors carry no parameters: these are people's mails and messages, and errors reach the log.
    """
    engine = create_async_engine(url, pool_size=8, max_overflow=8, hide_parameters=True)

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
