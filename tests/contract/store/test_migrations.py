"""Migrations: every database of a release reaches the newest schema whole, or stays as it is with the cure in words."""

from __future__ import annotations

import asyncio
import re
import resource
import shutil
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Inspector, inspect, text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.runtime.audit.verify import verified
from bot.secrets import KeyRing
from bot.store import backup
from bot.store.engine.database import Database, database_for
from bot.store.schema import VERSIONS, MigrationFailed, NotBackedUp, SchemaTooNew, migrate, newest, revisions
from bot.store.store import Store
from tests.builders import HandClock
from tests.postgres import PostgresServer
from tests.releases.database import RELEASES, key_of, loaded, postgresql_script, sqlite_script

Json = dict[str, Any]
_PRINTED_OTHERWISE = re.compile(r"::(text|character varying)|[()\[\]]")
"""PostgreSQL prints an expression with other casts and brackets once it was dumped and read again."""

_NEXT = """
from alembic import op

revision = "9999"
down_revision = "{newest}"


def upgrade():
    op.execute("ALTER TABLE runs ADD COLUMN half_made text")
    op.execute("UPDATE runs SET half_made = 'yes', partial = 'changed'")
    {end}
"""
_AT_COMMIT = """op.execute("CREATE TABLE parent (id integer PRIMARY KEY)")
    op.execute("CREATE TABLE child (id integer REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)")
    op.execute("INSERT INTO child VALUES (1)")"""
"""COMMIT finds it: a row whose parent is not there."""
_TRIGGERS = {
    "sqlite": "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
    "postgresql": """SELECT tgname, pg_get_triggerdef(t.oid) || pg_get_functiondef(tgfoid) FROM pg_trigger t
        WHERE NOT tgisinternal AND tgname NOT LIKE 'procrastinate%'""",
}


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest) -> PostgresServer | None:
    return None if request.param == "sqlite" else request.getfixturevalue("postgres")


@asynccontextmanager
async def filled(release: str, folder: Path, server: PostgresServer | None) -> AsyncGenerator[AsyncEngine]:
    """An engine on the database of this release, or on an empty one."""
    with loaded(release, folder, server) as url:
        async with _used(url) as database:
            yield database.engine


@asynccontextmanager
async def _used(url: str) -> AsyncGenerator[Database]:
    database = database_for(url)
    try:
        yield database
    finally:
        await database.dispose()


def with_next(folder: Path, end: str) -> Path:
    """The migrations and one more, which changes rows and ends like this."""
    versions = folder / "versions"
    shutil.copytree(VERSIONS, versions, ignore=shutil.ignore_patterns("__pycache__"))
    (versions / "v9999_next.py").write_text(_NEXT.format(newest=newest(), end=end), encoding="utf-8")
    return versions


def up_to(folder: Path, revision: str) -> Path:
    """The migrations as they were when this was the newest."""
    versions = folder / revision
    versions.mkdir()
    for path in VERSIONS.glob("v*.py"):
        if path.name[1:5] <= revision:
            shutil.copy(path, versions)
    return versions


async def script_of(engine: AsyncEngine, server: PostgresServer | None) -> str:
    """Everything in the database."""
    if server is None:
        return await asyncio.to_thread(sqlite_script, file_of(engine))
    return await asyncio.to_thread(
        postgresql_script, server, engine.url.set(drivername="postgresql").render_as_string()
    )


def file_of(engine: AsyncEngine) -> Path:
    return Path(str(engine.url.database))


async def schema_of(engine: AsyncEngine) -> Json:
    """Tables with their columns, keys and indexes, and triggers."""
    async with engine.connect() as connection:
        return await connection.run_sync(_schema)


def _schema(connection: Connection) -> Json:
    found = inspect(connection)
    triggers = connection.execute(text(_TRIGGERS[connection.dialect.name])).all()
    return {
        "triggers": sorted(_bare(f"{name}: {made}") for name, made in triggers),
        **{name: _table(found, name) for name in _tables(connection)},
    }


def _tables(connection: Connection) -> list[str]:
    """Ours; the queue's are made by procrastinate."""
    return [name for name in inspect(connection).get_table_names() if not name.startswith("procrastinate")]


def _table(found: Inspector, name: str) -> list[str]:
    parts = [*found.get_columns(name), *found.get_indexes(name), *found.get_unique_constraints(name)]
    shown = [{**part, "dialect_options": _shown(part.get("dialect_options", {}))} for part in parts]
    return sorted(_bare(part) for part in [*shown, found.get_pk_constraint(name)])


def _shown(options: Mapping[str, object]) -> dict[str, str]:
    """The condition of a partial index is no plain value."""
    return {name: str(option) for name, option in options.items()}


def _bare(part: object) -> str:
    return _PRINTED_OTHERWISE.sub("", str(part))


def test_the_files_are_one_line_of_revisions() -> None:
    """What is read from the names of the files is what Alembic finds in them, without branches."""
    config = Config()
    config.set_main_option("script_location", str(VERSIONS.parent))
    found = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert [*reversed(found)] == revisions()
    assert newest() == found[0]


@pytest.mark.parametrize("release", RELEASES)
async def test_a_release_has_rows_in_every_table(release: str, server: PostgresServer | None, tmp_path: Path) -> None:
    """What a migration may break is there to be broken."""
    async with filled(release, tmp_path, server) as engine, engine.connect() as connection:
        tables = [name for name in await connection.run_sync(_tables) if not name.startswith("memories_index_")]
        counts = {
            name: (await connection.execute(text(f"SELECT count(*) FROM {name}"))).scalar_one() for name in tables
        }
        assert [name for name, count in counts.items() if not count] == []


@pytest.mark.parametrize("by_steps", [False, pytest.param(True, marks=pytest.mark.deep)], ids=["at once", "by steps"])
@pytest.mark.parametrize("release", RELEASES)
async def test_a_release_reaches_every_schema(
    release: str, by_steps: bool, server: PostgresServer | None, tmp_path: Path
) -> None:
    """Migration by migration it gets the schema that an empty database gets, and its log verifies at the end."""
    async with filled(release, tmp_path, server) as engine, filled("", tmp_path, server) as fresh:
        async with engine.connect() as connection:
            found = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one()
        for revision in revisions()[revisions().index(found) :] if by_steps else revisions()[-1:]:
            versions = up_to(tmp_path, revision)
            await migrate(engine, versions=versions)
            await migrate(fresh, versions=versions)
            assert await schema_of(engine) == await schema_of(fresh)
        keyring = KeyRing([key_of(release)])
        async with _used(engine.url.render_as_string(hide_password=False)) as database:
            report = await verified(Store(database, keyring=keyring, clock=HandClock()), keyring)
        assert report.entries > 100
        assert report.problems == []


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("end", ["raise ValueError('half-way')", "op.execute('SELECT 1 FROM nowhere')", _AT_COMMIT])
async def test_a_migration_that_fails_leaves_nothing(
    release: str, end: str, server: PostgresServer | None, tmp_path: Path
) -> None:
    """Not a column and not a row of it is there; the error names the backup, or how to make one."""
    async with filled(release, tmp_path, server) as engine:
        await migrate(engine)
        before = await script_of(engine, server)
        with pytest.raises(MigrationFailed, match=r"(?i)half-way|nowhere|foreign key") as failed:
            await migrate(engine, versions=with_next(tmp_path, end))
        assert await script_of(engine, server) == before
        if server is not None:
            assert "pg_dump --format=custom" in str(failed.value)
            return
        copy = file_of(engine).with_name(f"{release}.db.schema-{newest()}")
        assert f"A backup from before the upgrade is {copy}." in str(failed.value)
        assert backup.inspect(copy).rows == backup.inspect(file_of(engine)).rows
        assert backup.revision_of(copy) == newest()


@pytest.mark.parametrize("release", RELEASES)
async def test_a_file_is_backed_up_before_it_is_upgraded(release: str, tmp_path: Path) -> None:
    """The copy has the old schema, says that it is one, and is made anew by the next upgrade, not by a mere start."""
    async with filled(release, tmp_path, None) as engine:
        await migrate(engine)
        copy = file_of(engine).with_name(f"{release}.db.schema-{newest()}")
        copy.write_text("an older backup", encoding="ascii")
        versions = with_next(tmp_path, "pass")
        await migrate(engine, versions=versions)
        assert backup.revision_of(copy) == newest()
        assert "'its backup from before the upgrade" in sqlite_script(copy)
        assert "half_made" not in sqlite_script(copy)
        copy.unlink()
        await migrate(engine, versions=versions)
        assert not copy.exists()


@pytest.mark.parametrize("release", RELEASES)
async def test_without_room_for_the_backup_nothing_is_upgraded(release: str, tmp_path: Path) -> None:
    """The older backup stays, and the error says what to do."""
    async with filled(release, tmp_path, None) as engine:
        await migrate(engine)
        before = sqlite_script(file_of(engine))
        copy = file_of(engine).with_name(f"{release}.db.schema-{newest()}")
        copy.write_text("an older backup", encoding="ascii")
        versions = with_next(tmp_path, "pass")
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_of(engine).stat().st_size // 2, limits[1]))
        try:
            with pytest.raises(NotBackedUp, match=rf"its backup {copy} cannot be written: .*Make room"):
                await migrate(engine, versions=versions)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert copy.read_text(encoding="ascii") == "an older backup"
        assert sqlite_script(file_of(engine)) == before


@pytest.mark.parametrize("release", RELEASES)
async def test_a_newer_schema_is_refused(release: str, server: PostgresServer | None, tmp_path: Path) -> None:
    """A program that does not know it changes nothing, and says which program is needed."""
    async with filled(release, tmp_path, server) as engine:
        await migrate(engine, versions=with_next(tmp_path, "pass"))
        before = await script_of(engine, server)
        with pytest.raises(SchemaTooNew, match=r"schema 9999.*Install the newer one again, or restore"):
            await migrate(engine)
        assert await script_of(engine, server) == before
