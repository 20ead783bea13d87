"""Stores for tests: a file that was migrated once is laid out for every test, and opened as the product opens it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.secrets import KeyRing, new_key
from bot.store.engine import sqlite_engine
from bot.store.migrate import migrate
from bot.store.unit_of_work import SqlStore
from tests.builders import HandClock


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A store with what it stands on."""

    store: SqlStore
    path: Path
    clock: HandClock
    keyring: KeyRing
    engine: AsyncEngine

    def rows(self, query: str, *values: object) -> list[dict[str, Any]]:
        """Rows, read past the store."""
        with closing(sqlite3.connect(self.path)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(query, values)]

    async def tamper(self, script: str) -> None:
        """What somebody with the file could do."""
        await asyncio.to_thread(self._execute, script)

    def _execute(self, script: str) -> None:
        with closing(sqlite3.connect(self.path)) as connection:
            connection.executescript(script)


@asynccontextmanager
async def opened(folder: Path) -> AsyncGenerator[Opened]:
    """A migrated, empty store in this folder."""
    path = folder / "store.db"
    await asyncio.to_thread(path.write_bytes, await _empty())
    engine = sqlite_engine(f"sqlite+aiosqlite:///{path}")
    clock, keyring = HandClock(), KeyRing([new_key()])
    try:
        store = SqlStore(engine, keyring=keyring, clock=clock)
        yield Opened(store=store, path=path, clock=clock, keyring=keyring, engine=engine)
    finally:
        await engine.dispose()


@cache
def _kept() -> dict[str, bytes]:
    """The migrated file, once it was made."""
    return {}


async def _empty() -> bytes:
    if not _kept():
        with TemporaryDirectory() as folder:
            path = Path(folder) / "empty.db"
            engine = sqlite_engine(f"sqlite+aiosqlite:///{path}")
            await migrate(engine)
            await engine.dispose()
            _kept()["empty"] = await asyncio.to_thread(path.read_bytes)
    return _kept()["empty"]
