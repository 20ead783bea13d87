"""PostgreSQL: writers READ COMMITTED, readers one snapshot, and no wait without an end.

The settings follow the chapters “Client Connection Defaults” and “Lock Management” of PostgreSQL's documentation, and
libpq's connection parameters. The engine is for migrations; units of work use psycopg's connections as they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, LiteralString, Protocol, cast

import psycopg
from psycopg import AsyncConnection as PsycopgConnection
from psycopg.types.string import StrDumper
from sqlalchemy import event, make_url
from sqlalchemy.dialects.postgresql.psycopg import PGDialectAsync_psycopg
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.engine.connection import BUSY_MS, POOL, BrokenOff, Cursor, Told
from bot.store.engine.pool import Pool
from bot.store.engine.postgresql_driver import Begin, PostgresqlConnection
from bot.store.engine.shield import run_to_end

WAIT_MS = 10_000
"""For a lock: less than a transaction may take, since the server ends the connection with that."""

LONGEST_MS = 12_000
"""A whole transaction. A process that stops while it sends a statement leaves the server waiting for the rest of it,
where neither the timeout of a statement nor that of an idle transaction applies. Servers before 17 have no such limit.
"""

_SESSION = {
    "lock_timeout": WAIT_MS,
    "statement_timeout": BUSY_MS,
    "idle_in_transaction_session_timeout": 10_000,  # a frozen process keeps no row locked for longer
    "tcp_keepalives_idle": 10,
    "tcp_keepalives_interval": 5,
    "tcp_keepalives_count": 3,  # a machine that is gone keeps none either
    "timezone": "UTC",
    "datestyle": "ISO",  # the log's moments are compared as text
}
_SET = "SELECT " + ", ".join(f"set_config('{name}', '{value}', false)" for name, value in _SESSION.items())
_NO_END = ("SET LOCAL transaction_timeout = 0", ())
_LIBPQ = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": BUSY_MS,
    "application_name": "countersign",
    "client_encoding": "UTF8",  # whatever the environment or the database has
}
_POSTGRESQL = "postgresql+psycopg"
_WRITE: Begin = [("BEGIN", ())]
_READ: Begin = [("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ())]
_PATIENCE = "SELECT set_config('lock_timeout', $1, true)"
_SOONER_MS = 50
"""The server gives up in time, which leaves the connection usable."""

_NUMBERED = PGDialectAsync_psycopg(paramstyle="numeric_dollar")
"""Statements have `$1`, as the server takes them."""

CONNECTIONS = 16


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

    def cursor(self) -> Cursor: ...
    def commit(self) -> None: ...


def postgresql_engine(url: str) -> AsyncEngine:
    """An engine on a PostgreSQL database: writers READ COMMITTED, and no wait without an end."""
    address = make_url(url).set(drivername=_POSTGRESQL)
    engine = create_async_engine(address, **POOL, pool_recycle=1800, connect_args=_LIBPQ)

    def connected(connection: _Adapted, _record: Any) -> None:
        connection.driver_connection.adapters.register_dumper(str, _WithoutNul)
        cursor = connection.cursor()
        cursor.execute(_SET)
        cursor.close()
        connection.commit()

    event.listen(engine.sync_engine, "connect", connected)
    return engine


class PostgresqlDatabase:
    """Implements `Database` on a server that several processes may share."""

    is_shared = True
    memory = None
    errors = (psycopg.Error,)
    connections = PostgresqlConnection

    def __init__(self, url: str, *, longest_ms: int = LONGEST_MS) -> None:
        self.engine = postgresql_engine(url)
        self.dialect: Dialect = _NUMBERED
        self._options: dict[str, Any] = {**self.engine.dialect.create_connect_args(self.engine.url)[1], **_LIBPQ}
        self._pool = Pool(self._opened, size=CONNECTIONS)
        self.pools = (self._pool,)
        self._end = f"SET transaction_timeout = {longest_ms}"

    @asynccontextmanager
    async def writing(
        self, end: float | None, told: Told, *, long: bool = False
    ) -> AsyncGenerator[PostgresqlConnection]:
        """See the protocol."""
        async with self._transaction(_writes(end), end, long=long) as connection:
            yield connection
            await run_to_end(_commit(connection, told))

    @asynccontextmanager
    async def reading(self, end: float | None, *, long: bool = False) -> AsyncGenerator[PostgresqlConnection]:
        """See the protocol."""
        async with self._transaction(_READ, end, long=long) as connection:
            yield connection
            connection.leave()

    @asynccontextmanager
    async def _transaction(
        self, begin: Begin, end: float | None, *, long: bool
    ) -> AsyncGenerator[PostgresqlConnection]:
        async with self._pool.connection(end) as connection:
            try:
                await connection.begin([*begin, _NO_END] if long and connection.is_limited else begin)
                yield connection
            except BaseException:
                await run_to_end(_rolled_back(connection))
                raise

    async def _opened(self) -> PostgresqlConnection:
        driver = await PsycopgConnection.connect(**self._options, autocommit=True)
        try:
            await driver.execute(cast("LiteralString", _SET))
            connection = self.connections(driver)
            await connection.limit(self._end)
        except BaseException:
            await driver.close()
            raise
        return connection

    async def dispose(self) -> None:
        """See the protocol."""
        await self._pool.dispose()
        await self.engine.dispose()


def _writes(end: float | None) -> Begin:
    """The begin of a writing transaction that waits for a lock until then."""
    if end is None:
        return _WRITE
    left = max(1, int((end - asyncio.get_running_loop().time()) * 1000) - _SOONER_MS)
    return [*_WRITE, (_PATIENCE, [str(left)])]


async def _commit(connection: PostgresqlConnection, told: Told) -> None:
    """A server that refuses the commit and goes on has rolled back; from one that is gone nothing is known."""
    try:
        await connection.commit()
    except psycopg.Error as error:
        if connection.is_lost:
            raise BrokenOff(str(error)) from error
        raise
    told()


async def _rolled_back(connection: PostgresqlConnection) -> None:
    """A connection on which even that fails is not usable, and so is closed."""
    try:
        await connection.rollback()
    except psycopg.Error:
        return
