"""Stores for tests: what was migrated once is copied for every test, and opened as the product opens it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.secrets import KeyRing, new_key
from bot.store.engine.connection import DriverResult
from bot.store.engine.database import Database, database_for
from bot.store.engine.sqlite_driver import SqliteConnection
from bot.store.engine.statements import Bound
from bot.store.schema import migrate
from bot.store.store import Store
from tests.builders import HandClock
from tests.remembered import compared_with_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A store with what it stands on. `path` is the file of a SQLite database."""

    store: Store
    url: str
    path: Path
    clock: HandClock
    keyring: KeyRing
    database: Database

    @property
    def is_postgresql(self) -> bool:
        return self.database.is_shared

    @property
    def engine(self) -> AsyncEngine:
        """The schema's."""
        return self.database.engine

    def rows(self, query: str, *values: object) -> list[dict[str, Any]]:
        """Rows, read past the store."""
        if self.is_postgresql:
            with psycopg.connect(self.url) as connection, connection.cursor(row_factory=dict_row) as cursor:
                return cursor.execute(query.replace("?", "%s").encode(), values or None).fetchall()
        with closing(sqlite3.connect(self.path)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(query, values)]

    @contextmanager
    def heard(self) -> Generator[list[tuple[str, Any]]]:
        """The statements that a store makes in the block, as its driver gets them, each with its parameters."""
        said: list[tuple[str, Any]] = []
        kind = self.connections
        run = kind.run

        async def one(connection: Any, sql: str, values: Bound) -> DriverResult:
            said.append((sql, values))
            return await run(connection, sql, values)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(kind, "run", one)
            yield said

    @property
    def connections(self) -> type[Any]:
        """What its connections are."""
        if not self.is_postgresql:
            return SqliteConnection
        from bot.store.engine.postgresql_driver import PostgresqlConnection  # the driver takes a while to load

        return PostgresqlConnection

    @property
    def lent(self) -> int:
        """How many connections are in use."""
        return sum(pool.lent for pool in self.database.pools)

    async def tamper(self, script: str) -> None:
        """What somebody with the database could do."""
        await asyncio.to_thread(self._execute, script)

    def _execute(self, script: str) -> None:
        if self.is_postgresql:
            with psycopg.connect(self.url, autocommit=True) as connection:
                connection.execute(script.encode())
            return
        with closing(sqlite3.connect(self.path)) as connection:
            connection.executescript(script)


@asynccontextmanager
async def opened(
    folder: Path, *, postgresql: str | None = None, key: str | None = None, compares: bool = True
) -> AsyncGenerator[Opened]:
    """A migrated, empty store: a SQLite file in this folder, or the PostgreSQL database of a URL, which is migrated.

    What a transaction knows is compared with the rows, unless somebody plays so much that this takes too long.
    """
    path = folder / "store.db"
    if postgresql is None:
        await asyncio.to_thread(path.write_bytes, await _empty())
    url = postgresql or f"sqlite+aiosqlite:///{path}"
    database = database_for(url)
    clock, keyring = HandClock(), KeyRing([key or new_key()])
    try:
        store = Store(database, keyring=keyring, clock=clock)
        with compared_with_rows() if compares else nullcontext():
            yield Opened(store=store, url=url, path=path, clock=clock, keyring=keyring, database=database)
    finally:
        await database.dispose()


@cache
def _kept() -> dict[str, bytes]:
    """The migrated file, once it was made."""
    return {}


async def _empty() -> bytes:
    if not _kept():
        with TemporaryDirectory() as folder:
            path = Path(folder) / "empty.db"
            database = database_for(f"sqlite+aiosqlite:///{path}")
            await migrate(database.engine)
            await database.dispose()
            _kept()["empty"] = await asyncio.to_thread(path.read_bytes)
    return _kept()["empty"]
