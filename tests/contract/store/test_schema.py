"""The schema: migrations, SQLite's settings, one owner per file, moments in UTC."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Connection, inspect, text

from bot.store.engine.sqlite import sqlite_engine
from bot.store.file_lock import DatabaseInUse, owned
from bot.store.schema import migrate
from bot.store.store import Store
from bot.store.tables.catalog import metadata
from tests import builders as make
from tests.builders import NOW
from tests.stores import Opened


async def test_migrations_make_the_tables_that_the_repositories_speak_of(base: Opened) -> None:
    """The migrated schema has every table and column of `bot.store.tables`, and a second migration changes nothing."""
    before = await _columns(base)
    await migrate(base.engine)
    assert await _columns(base) == before
    wanted = {table.name: {column.name for column in table.columns} for table in metadata.sorted_tables}
    assert {name: columns for name, columns in before.items() if name in wanted} == wanted


async def test_every_index_is_there(base: Opened) -> None:
    """The migrated schema has every index and unique key of `bot.store.tables`."""
    async with base.engine.connect() as connection:
        for table in metadata.sorted_tables:
            found = await connection.run_sync(_index_names, table.name)
            assert found == {str(index.name) for index in table.indexes}, table.name


def _index_names(connection: Connection, table: str) -> set[str]:
    found = inspect(connection).get_indexes(table)
    return {str(index["name"]) for index in found if "duplicates_constraint" not in index}


async def _columns(base: Opened) -> dict[str, set[str]]:
    def read(connection: Connection) -> dict[str, set[str]]:
        found = inspect(connection)
        return {table: {column["name"] for column in found.get_columns(table)} for table in found.get_table_names()}

    async with base.engine.connect() as connection:
        return await connection.run_sync(read)


async def test_several_starters_migrate_at_once(tmp_path: Path) -> None:
    """Of several engines that start on an empty file one migrates, and the others find it done."""
    engines = [sqlite_engine(f"sqlite+aiosqlite:///{tmp_path / 'new.db'}") for _ in range(3)]
    await asyncio.gather(*(migrate(engine) for engine in engines))
    await asyncio.gather(*(engine.dispose() for engine in engines))
    with closing(sqlite3.connect(tmp_path / "new.db")) as connection:
        assert connection.execute("SELECT count(*) FROM alembic_version").fetchone() == (1,)


async def test_sqlite_is_set_up_as_measured(sqlite: Opened) -> None:
    """Every connection has a write-ahead log that may grow, full synchronisation, foreign keys and thirty seconds of
    patience.
    """
    async with sqlite.engine.connect() as connection:
        found = [
            (await connection.execute(text(f"PRAGMA {name}"))).scalar_one()
            for name in ("journal_mode", "wal_autocheckpoint", "synchronous", "foreign_keys", "busy_timeout")
        ]
    assert found == ["wal", 4_000, 2, 1, 30_000]


def test_one_process_owns_the_file(tmp_path: Path) -> None:
    """A second owner is refused with the first one's process id and a cure; afterwards the file is free again."""
    path = tmp_path / "a.db"
    with owned(path), pytest.raises(DatabaseInUse, match=r"pid \d+.*Stop it first"), owned(path):
        pytest.fail("two owners")
    with owned(path):
        pass


async def test_a_moment_needs_its_zone(store: Store) -> None:
    """A moment without a zone is not stored; one of any zone comes back as the same moment in UTC."""
    there = NOW.astimezone(ZoneInfo("Asia/Kolkata"))
    async with store.write() as work:
        await work.runs.add(make.run(id="run_1", created_at=there))
    async with store.read() as work:
        found = await work.runs.find("run_1")
        assert (found.created_at, found.created_at.tzinfo) == (there, UTC)
    with pytest.raises(ValueError, match="a moment needs its zone"):
        async with store.write() as work:
            await work.runs.add(make.run(created_at=NOW.replace(tzinfo=None)))
