"""The schema: migrations, applied at start in one transaction, or an error that says what to do.

The files in `migrations/versions` are numbered in the order in which they are applied.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.errors import BotError, Misconfigured
from bot.progress import Progress, unwatched
from bot.store import backup as copies
from bot.store.engine.connection import WRITES

VERSIONS = Path(__file__).parent / "migrations" / "versions"
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(hashtextextended('countersign migrates', 0))")
_REVISION = text("SELECT version_num FROM alembic_version")


class SchemaTooNew(Misconfigured):
    """A newer program made the tables."""

    def __init__(self, found: str, newest: str) -> None:
        super().__init__(
            f"DATABASE_URL names a database with schema {found}, which a newer countersign wrote; this one knows "
            f"{newest} at the most. Install the newer one again, or restore the backup from before its upgrade. "
            "Nothing was changed."
        )


class MigrationFailed(BotError):
    """A migration raised an error, and all that was done since the start was rolled back."""

    def __init__(self, found: str, newest: str, error: Exception, backup: str) -> None:
        reason = " ".join(str(error.orig if isinstance(error, DBAPIError) else error).split()).rstrip(".")
        super().__init__(
            f"The upgrade of the database from schema {found} to {newest} failed ({type(error).__name__}: {reason}). "
            "The database is as it was before: go on with the countersign that you had, and report this. " + backup
        )


class NotBackedUp(BotError):
    """The backup before an upgrade cannot be written."""

    def __init__(self, backup: Path, error: OSError) -> None:
        super().__init__(
            f"The database was not upgraded, since its backup {backup} cannot be written: {error.strerror or error}. "
            "Make room, or let this user write there. Nothing was changed."
        )


async def migrate(engine: AsyncEngine, *, versions: Path = VERSIONS, progress: Progress = unwatched) -> None:
    """Bring the database to the newest schema, in one writing transaction: of several starters one does it, the others
    find it done. Of a SQLite file with an older schema a copy is made before.

    Raises `SchemaTooNew`, `NotBackedUp` or `MigrationFailed`; nothing was changed then.
    """
    async with engine.connect() as plain:
        connection = await plain.execution_options(**{WRITES: True})
        async with connection.begin() as transaction:
            if _is_postgresql(engine):  # two starters would both find no table, and one would crash
                await connection.execute(_ONE_AT_A_TIME)
            found, newest_known = await connection.run_sync(_revision), revisions(versions)[-1]
            if found > newest_known:
                raise SchemaTooNew(found, newest_known)
            is_old = bool(found) and found != newest_known
            backup = await asyncio.to_thread(_backed_up, engine, found, progress) if is_old else ""
            try:
                await _upgrade(connection, versions, found=found, progress=progress)
                await transaction.commit()
            except Exception as error:  # a migration is a program of its own, and some of it is checked at COMMIT
                if not is_old:
                    raise
                raise MigrationFailed(found, newest_known, error, backup) from error


def _is_postgresql(engine: AsyncEngine) -> bool:
    return engine.dialect.name == "postgresql"


async def _upgrade(connection: AsyncConnection, versions: Path, *, found: str, progress: Progress) -> None:
    if found != revisions(versions)[-1]:
        progress("Upgrading the database to schema " + revisions(versions)[-1])
        await connection.run_sync(_apply, versions)
    if _is_postgresql(connection.engine):
        from bot.store.jobs_schema import upgrade_jobs  # only several replicas need a queue

        await connection.run_sync(upgrade_jobs)


def _revision(connection: Connection) -> str:
    """The schema that the database has; empty where it has none."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return str(connection.execute(_REVISION).scalar_one_or_none() or "")


def _apply(connection: Connection, versions: Path) -> None:
    from alembic import command  # takes a while to load, and most starts need none of it
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(VERSIONS.parent))
    config.set_main_option("version_locations", str(versions))
    config.set_main_option("path_separator", "newline")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _backed_up(engine: AsyncEngine, found: str, progress: Progress) -> str:
    """Copy a SQLite file beside itself, in the place of an older copy with the same schema; where the backup is, in
    words.
    """
    if _is_postgresql(engine):
        url = engine.url.set(drivername="postgresql").render_as_string()
        return f"Before the next try make a backup: pg_dump --format=custom --file=countersign.dump '{url}'"
    path = Path(engine.url.database or "")
    backup = path.with_name(f"{path.name}.schema-{found}")
    try:
        why = f"its backup from before the upgrade of schema {found}"
        copies.copy(path, backup, why=why, replace=True, progress=progress)
    except OSError as error:
        raise NotBackedUp(backup, error) from error
    return f"A backup from before the upgrade is {backup}."


def revisions(versions: Path = VERSIONS) -> Sequence[str]:
    """Every schema that this program knows, oldest first."""
    return sorted(path.name[1:5] for path in versions.glob("v[0-9][0-9][0-9][0-9]_*.py"))


def newest() -> str:
    """The revision that `migrate` brings a database to."""
    return revisions()[-1]


def is_too_new(revision: str) -> bool:
    """Whether only a newer program knows this schema."""
    return revision > newest()
