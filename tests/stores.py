"""Stores for tests: what was migrated once is copied for every test, and opened as the product opens it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
from psycopg.rows import dict_row
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.secrets import KeyRing, new_key
from bot.store.engine.factory import engine_for, is_postgresql
from bot.store.schema import migrate
from bot.store.store import Store
from tests.builders import HandClock


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A store with what it stands on. `path` is the file of a SQLite database."""

    store: Store
    url: str
    path: Path
    clock: HandClock
    keyring: KeyRing
    engine: AsyncEngine

    @property
    def is_postgresql(self) -> bool:
        return is_postgresql(self.engine)

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
        """The statements that the store makes in the block, each with its parameters."""
        said: list[tuple[str, Any]] = []

        def hear(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool) -> None:
            said.append((statement, parameters))

        event.listen(self.engine.sync_engine, "before_cursor_execute", hear)
        try:
            yield said
        finally:
            event.remove(self.engine.sync_engine, "before_cursor_execute", hear)

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
    folder: Path, *, postgresql: str | None = None, key: str | None = None, engine: AsyncEngine | None = None
) -> AsyncGenerator[Opened]:
    """A migrated, empty store: a SQLite file in this folder, or the PostgreSQL database of a URL, which is migrated.

    An `engine` that stood on the same place before knows the statements that it was asked then.
    """
    path = folder / "store.db"
    if postgresql is None:
        await asyncio.to_thread(path.write_bytes, await _empty())
    url = postgresql or sqlite_url(folder)
    engine = engine or engine_for(url)
    clock, keyring = HandClock(), KeyRing([key or new_key()])
    try:
        store = Store(engine, keyring=keyring, clock=clock)
        yield Opened(store=store, url=url, path=path, clock=clock, keyring=keyring, engine=engine)
    finally:
        await engine.dispose()


def sqlite_url(folder: Path) -> str:
    """The DATABASE_URL of the file in this folder."""
    return f"sqlite+aiosqlite:///{folder / 'store.db'}"


@cache
def _kept() -> dict[str, bytes]:
    """The migrated file, once it was made."""
    return {}


async def _empty() -> bytes:
    if not _kept():
        with TemporaryDirectory() as folder:
            path = Path(folder) / "empty.db"
            engine = engine_for(f"sqlite+aiosqlite:///{path}")
            await migrate(engine)
            await engine.dispose()
            _kept()["empty"] = await asyncio.to_thread(path.read_bytes)
    return _kept()["empty"]
