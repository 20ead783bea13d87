"""Migrations, applied at start: the newest schema, or an error that says what to do."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store.engine import BUSY_MS, WRITES, is_postgresql


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


def upgrade(connection: Connection) -> None:
    """Bring this connection's database to the newest schema, inside its transaction."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(hashtextextended('countersign migrates', 0))")


async def migrate(engine: AsyncEngine) -> None:
    """Upgrade in one writing transaction: of several starters one does it, the others find it done.

    SQLite's writers wait for each other anyway; on PostgreSQL two would both find no table, and one would crash.
    """
    async with engine.connect() as plain:
        connection = await plain.execution_options(**{WRITES: BUSY_MS})
        async with connection.begin():
            if is_postgresql(engine):
                await connection.execute(_ONE_AT_A_TIME)
            await connection.run_sync(upgrade)
            if is_postgresql(engine):
                from bot.store.jobs_schema import upgrade_jobs  # only several replicas need a queue

                await connection.run_sync(upgrade_jobs)


def newest() -> str:
    """The revision that `migrate` brings a database to."""
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


def is_known(revision: str) -> bool:
    """Whether this program knows the schema; that of a newer program it does not."""
    return any(script.revision == revision for script in ScriptDirectory.from_config(_config()).walk_revisions())
