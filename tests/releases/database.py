"""Databases of releases, as people have them: filled by the real bot of that release, kept as SQL with their key.

They are written by `tests.releases.make` and loaded here, as if their bot had stopped just now.
"""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import psycopg
from psycopg import sql

from bot.clock import SystemClock
from tests.postgres import PostgresServer

FOLDER = Path(__file__).parent
RELEASES = sorted(path.name for path in FOLDER.glob("v*"))
_SCHEMA = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'memories_index_%' ORDER BY rowid"
_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'memories_index%' ORDER BY name"
"""The index of memories has tables of its own, which it makes, and triggers fill it."""

_OF_PSQL = re.compile(r"^\\.*\n", re.MULTILINE)
"""Commands of psql that pg_dump writes beside SQL."""

_STOPPED = "SELECT max(at) FROM audit"
_MOMENTS_OF_SQLITE = """SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND c.type = 'DATETIME' AND t.name <> 'audit'"""
_MOMENTS_OF_POSTGRESQL = """SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = 'public' AND data_type = 'timestamp without time zone' AND table_name <> 'audit'"""
"""Those of the log are signed, and stay."""

_APPROVALS = "SELECT id, approval FROM actions WHERE approval IS NOT NULL"
_INSTANCE = "SELECT value FROM marks WHERE name = 'instance'"
_FORGET_PLACE = "DELETE FROM marks WHERE name = 'instance'"
"""Else it is a copy of a database that may be at work elsewhere; a file is at home where its id lies beside it."""


# Writing ----------------------------------------------------------------------------------------------------------


def sqlite_script(path: Path) -> str:
    """A SQLite file as SQL."""
    with closing(sqlite3.connect(path)) as connection:
        schema = [f"{made};" for (made,) in connection.execute(_SCHEMA)]
        rows = [row for (table,) in connection.execute(_TABLES).fetchall() for row in _inserts(connection, table)]
    return "\n".join(["BEGIN;", *schema, *rows, "COMMIT;", ""])


def _inserts(connection: sqlite3.Connection, table: str) -> Iterator[str]:
    values = " || ', ' || ".join(
        f'quote("{name}")' for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")
    )
    for (row,) in connection.execute(f"SELECT {values} FROM {table} ORDER BY rowid"):
        yield f"INSERT INTO {table} VALUES ({row});"


def postgresql_script(server: PostgresServer, url: str) -> str:
    """A PostgreSQL database as SQL."""
    command = [server.programs / "pg_dump", "--inserts", "--no-owner", "--no-privileges", f"--dbname={url}"]
    return _OF_PSQL.sub("", subprocess.run(command, check=True, capture_output=True, text=True).stdout)


# Loading ----------------------------------------------------------------------------------------------------------


def key_of(release: str) -> str:
    """What ENCRYPTION_KEYS held."""
    return (FOLDER / release / "key").read_text(encoding="ascii").strip()


@contextmanager
def loaded(release: str, folder: Path, server: PostgresServer | None) -> Generator[str]:
    """The DATABASE_URL of this release's database, a file in the folder or one of the server's; of an empty one without
    a release.
    """
    if server is None:
        path = folder / f"{release or 'empty'}.db"
        if release:
            _load_sqlite(release, path)
        yield f"sqlite+aiosqlite:///{path}"
        return
    with server.database(migrated=False) as url:
        if release:
            _load_postgresql(release, url)
        yield url


def _load_sqlite(release: str, path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript((FOLDER / release / "sqlite.sql").read_text(encoding="utf-8"))
        instance = connection.execute(_INSTANCE).fetchone()[0]
        path.with_name(f"{path.name}.instance").write_text(instance, encoding="ascii")
        away = _since(str(connection.execute(_STOPPED).fetchone()[0]))
        connection.create_function("later", 1, partial(_later, away=away))
        connection.create_function("approved_later", 1, partial(_approved_later, away=away))
        connection.execute("UPDATE actions SET approval = approved_later(approval) WHERE approval IS NOT NULL")
        for table, name in connection.execute(_MOMENTS_OF_SQLITE).fetchall():
            connection.execute(f"UPDATE {table} SET {name} = later({name})")


def _load_postgresql(release: str, url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute((FOLDER / release / "postgresql.sql").read_bytes())
        connection.execute("SET search_path TO public")
        connection.execute(_FORGET_PLACE)
        (stopped,) = connection.execute(_STOPPED).fetchall()[0]
        away = _since(str(stopped))
        for action, approval in connection.execute(_APPROVALS).fetchall():
            values = _approved_later(approval, away=away), action
            connection.execute("UPDATE actions SET approval = %s WHERE id = %s", values)
        for names in connection.execute(_MOMENTS_OF_POSTGRESQL).fetchall():
            later = sql.SQL("UPDATE {0} SET {1} = {1} + %s").format(*map(sql.Identifier, names))
            connection.execute(later, [away])


def _since(stopped: str) -> timedelta:
    """How long ago this was."""
    return SystemClock().now() - _parsed(stopped)


def _later(at: str | None, *, away: timedelta) -> str | None:
    return None if at is None else str(_parsed(at) + away).replace("+00:00", "")


def _parsed(at: str) -> datetime:
    return datetime.fromisoformat(at if at.endswith("+00:00") else f"{at}+00:00")


def _approved_later(approval: str, *, away: timedelta) -> str:
    found: dict[str, str] = json.loads(approval)
    moments = {name: (_parsed(found[name]) + away).isoformat() for name in ("at", "expires_at")}
    return json.dumps(found | moments)
