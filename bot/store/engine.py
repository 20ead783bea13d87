"""The engines: durable commits, transactions that begin as what they are, and waiting that has an end.

SQLite's settings follow its documentation (WAL, `synchronous`, `BEGIN IMMEDIATE`) and SQLAlchemy's recipe for the
SQLite dialect's transactions: the driver begins nothing by itself, the engine's `begin` event does. PostgreSQL's follow
the chapters “Client Connection Defaults” and “Lock Management” of its documentation, and libpq's connection parameters.
"""

from __future__ import annotations

from typing import Any, Protocol

from psycopg import AsyncConnection as PsycopgConnection
from psycopg.types.string import StrDumper
from sqlalchemy import Connection, event, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

WRITES = "countersign_writes"
"""The execution option of a connection that writes: the milliseconds to wait for a lock."""

BUSY_MS = 30_000
POOL = {"pool_size": 8, "max_overflow": 8, "hide_parameters": True}
"""The connections of one process. Errors carry no parameters: these are people's mails, and errors reach the log."""

_SESSION = {
    "lock_timeout": BUSY_MS,
    "statement_timeout": BUSY_MS,
    "idle_in_transaction_session_timeout": 2 * BUSY_MS,  # a frozen process keeps no row locked for longer
    "timezone": "UTC",
}
_LIBPQ = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": BUSY_MS,
    "application_name": "countersign",
}
_POSTGRESQL = "postgresql+psycopg"


def engine_for(url: str) -> AsyncEngine:
    """An engine on the database that this URL names, SQLite or PostgreSQL."""
    return sqlite_engine(url) if url.startswith("sqlite") else postgresql_engine(url)


# SQLite -----------------------------------------------------------------------------------------------------------


class _Cursor(Protocol):
    def execute(self, statement: str, /) -> object: ...
    def close(self) -> None: ...


class _DriverConnection(Protocol):
    isolation_level: str | None

    def cursor(self) -> _Cursor: ...


def sqlite_engine(url: str) -> AsyncEngine:
    """An engine on a SQLite file: WAL, FULL, foreign keys, 30 s of patience, IMMEDIATE where a unit of work writes."""
    engine = create_async_engine(url, **POOL)

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


# PostgreSQL -------------------------------------------------------------------------------------------------------


class _WithoutNul(StrDumper):
    """Text without the character that PostgreSQL's text cannot hold: what a mail or a model says is stored all the
    same, as SQLite does.
    """

    def dump(self, obj: str) -> Any:
        """The text as the server takes it."""
        return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}"))


class _Adapted(Protocol):
    @property
    def driver_connection(self) -> PsycopgConnection[Any]: ...


def postgresql_engine(url: str) -> AsyncEngine:
    """An engine on a PostgreSQL database: writers READ COMMITTED, readers one snapshot, and no wait without an end."""
    options = " ".join(f"-c {name}={value}" for name, value in _SESSION.items())
    engine = create_async_engine(
        make_url(url).set(drivername=_POSTGRESQL),
        **POOL,
        pool_recycle=1800,
        connect_args={**_LIBPQ, "options": options},
    )

    def connected(connection: _Adapted, _record: Any) -> None:
        connection.driver_connection.adapters.register_dumper(str, _WithoutNul)

    def begun(connection: Connection) -> None:
        writes: int = connection.get_execution_options().get(WRITES, BUSY_MS)
        if writes != BUSY_MS:
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {writes}")

    event.listen(engine.sync_engine, "connect", connected)
    event.listen(engine.sync_engine, "begin", begun)
    return engine


def is_postgresql(engine: AsyncEngine) -> bool:
    """Whether several processes may share this database."""
    return engine.dialect.name == "postgresql"
