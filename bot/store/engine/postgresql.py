"""The engine on PostgreSQL: writers READ COMMITTED, readers one snapshot, and no wait without an end.

The settings follow the chapters “Client Connection Defaults” and “Lock Management” of PostgreSQL's documentation, and
libpq's connection parameters.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, Self

from psycopg import AsyncConnection as PsycopgConnection
from psycopg import AsyncCursor
from psycopg.abc import Params
from psycopg.types.string import StrDumper
from sqlalchemy import Connection, event, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.engine.options import BUSY_MS, POOL, WRITES, Cursor

_SESSION = {
    "lock_timeout": BUSY_MS,
    "statement_timeout": BUSY_MS,
    "idle_in_transaction_session_timeout": 10_000,  # a frozen process keeps no row locked for longer
    "tcp_keepalives_idle": 10,
    "tcp_keepalives_interval": 5,
    "tcp_keepalives_count": 3,  # a machine that is gone keeps none either
    "timezone": "UTC",
    "datestyle": "ISO",  # the log's moments are compared as text
}
_SET = "SELECT " + ", ".join(f"set_config('{name}', '{value}', false)" for name, value in _SESSION.items())
_LIBPQ = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": BUSY_MS,
    "application_name": "countersign",
}
_POSTGRESQL = "postgresql+psycopg"


class _WithoutNul(StrDumper):
    """Text without the character that PostgreSQL's text cannot hold: what a mail or a model says is stored all the
    same, as SQLite does.
    """

    def dump(self, obj: str) -> Any:
        """The text as the server takes it."""
        return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}"))


class _OneByOne(AsyncCursor[Any]):
    """Several rows are several statements. Psycopg sends them in a pipeline, and ends it with a Sync.

    A process that stops before its Sync leaves the server within a command that has no end: neither the timeout of a
    statement nor that of an idle transaction applies there, and what it locked stays locked. After a statement of its
    own the session is idle, so the second one applies (PostgreSQL's documentation, “Pipeline Mode”).
    """

    _changed: int | None = None

    async def execute(self, *arguments: Any, **options: Any) -> Self:
        """One statement."""
        self._changed = None
        return await super().execute(*arguments, **options)

    async def executemany(self, query: Any, params_seq: Iterable[Params], *, returning: bool = False) -> None:
        """The same statement for each of these, one after the other."""
        changed = 0
        for params in params_seq:
            changed += (await self.execute(query, params)).rowcount
        self._changed = changed

    @property
    def rowcount(self) -> int:
        """How many rows the last call changed."""
        return super().rowcount if self._changed is None else self._changed


class _Adapted(Protocol):
    @property
    def driver_connection(self) -> PsycopgConnection[Any]: ...

    def cursor(self) -> Cursor: ...
    def commit(self) -> None: ...


def postgresql_engine(url: str) -> AsyncEngine:
    """An engine on a PostgreSQL database: writers READ COMMITTED, readers one snapshot, and no wait without an end."""
    address = make_url(url).set(drivername=_POSTGRESQL)
    engine = create_async_engine(address, **POOL, pool_recycle=1800, connect_args=_LIBPQ)

    def connected(connection: _Adapted, _record: Any) -> None:
        connection.driver_connection.adapters.register_dumper(str, _WithoutNul)
        connection.driver_connection.cursor_factory = _OneByOne
        cursor = connection.cursor()
        cursor.execute(_SET)
        cursor.close()
        connection.commit()

    def begun(connection: Connection) -> None:
        writes: int = connection.get_execution_options().get(WRITES, BUSY_MS)
        if writes != BUSY_MS:
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {writes}")

    event.listen(engine.sync_engine, "connect", connected)
    event.listen(engine.sync_engine, "begin", begun)
    return engine
