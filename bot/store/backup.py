"""Copies of a SQLite database: made of one moment while the bot writes, checked, and put in the place of another.

SQLite's online backup reads a snapshot and blocks nobody (sqlite.org/backup.html). A copy comes into its place whole
or not at all, whenever the process or the power ends. The file that was in that place stays beside it.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bot.clock import SystemClock
from bot.domain.audit import AuditEntry, Checkpoint, CheckpointKind, Head
from bot.domain.runs import FINAL
from bot.errors import BotError
from bot.progress import Progress, unwatched
from bot.store.repositories.metadata import COPIED_AT, COPY

_NOT_WRITTEN = {"SQLITE_FULL", "SQLITE_READONLY", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC"}
_COUNTED = ("runs", "actions", "questions", "messages", "memories", "connections", "audit")
_PAGES = 1_000  # are copied at once
_COPYING = "Copying pages of the database"
_LOG, _INDEX = "-wal", "-shm"
"""What belongs to a database besides its file; the index is made anew from the log (sqlite.org/tempfiles.html)."""


class FileIsThere(BotError):
    """The target exists, and nothing is overwritten."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is there already, and nothing is overwritten. Name another file.")


class BadCopy(BotError):
    """The file is no usable copy."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} is not used: {why}. Nothing was changed.")


class Damaged(BadCopy):
    """The file is damaged, or no SQLite database."""

    def __init__(self, path: Path, how: str) -> None:
        super().__init__(path, f"it is damaged, or no database ({how}); take another backup")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """The size of a copy, and how many rows its tables have."""

    size: int
    rows: Mapping[str, int]


@contextmanager
def _reading(path: Path) -> Generator[sqlite3.Connection]:
    """A read-only connection; raises `BadCopy` for a file that is no database."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
            yield connection
    except sqlite3.OperationalError as error:  # such as a file that is locked
        raise BadCopy(path, str(error)) from error
    except sqlite3.Error as error:
        raise Damaged(path, str(error)) from error


@contextmanager
def _writing(path: Path) -> Generator[sqlite3.Connection]:
    """A connection that writes; raises `OSError` where there is no room, or nothing may be written."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            yield connection
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname not in _NOT_WRITTEN:
            raise
        raise OSError(errno.ENOSPC, str(error)) from error


def copy(
    source: Path, target: Path, *, why: str | None = None, replace: bool = False, progress: Progress = unwatched
) -> None:
    """Write one moment of the source into a file that only its owner can read. Raises `FileIsThere` unless it may
    replace one, `BadCopy` for a source that cannot be read, and `OSError` for a target that cannot be written.

    With a `why` the file is marked as a copy of this moment before it appears, so no bot works on it by mistake.
    """
    if target.exists() and not replace:
        raise FileIsThere(target)
    draft = target.with_name(target.name + ".part")
    draft.unlink(missing_ok=True)
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with _reading(source) as live, _writing(draft) as made:
            live.execute("BEGIN")
            live.execute("SELECT count(*) FROM sqlite_master").fetchone()  # from here on it is one moment for all pages
            live.backup(made, pages=_PAGES, progress=lambda _, left, all_: progress(_COPYING, all_ - left, all_))
            made.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
            if why is not None:
                _mark(made, COPY, why)
                _mark(made, COPIED_AT, SystemClock().now().isoformat())
        _sync(draft)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    _sync(target.parent)


def inspect(path: Path, *, progress: Progress = unwatched) -> Contents:
    """Read the whole file and count its rows; raises `BadCopy` for a damaged or foreign file."""
    progress("Checking every page of the copy")
    with _reading(path) as connection:
        damage = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
        if damage != ["ok"]:
            raise Damaged(path, "; ".join(damage))
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not tables.issuperset({*_COUNTED, "marks", "alembic_version"}):
            raise BadCopy(path, "it is no database of countersign")
        rows = {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in _COUNTED}
    return Contents(size=path.stat().st_size, rows=rows)


def revision_of(path: Path) -> str:
    """The schema that the file has."""
    with _reading(path) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """The log of a copy, and what the other tables say was done, as `bot.runtime.audit.verify.Verifier` takes them."""

    entries: Iterable[AuditEntry]
    attempted: Iterable[tuple[str, int]]
    ended: Iterable[tuple[str, str]]
    heads: Sequence[Head]
    checkpoints: Sequence[Checkpoint]


@contextmanager
def log_of(path: Path) -> Generator[Log]:
    """The log of a file, read while the block lasts; raises `BadCopy`."""
    with _reading(path) as connection:
        yield Log(
            entries=map(AuditEntry._make, connection.execute(f"SELECT {_known(connection)} FROM audit ORDER BY id")),
            attempted=connection.execute("SELECT id, attempt FROM actions WHERE attempt > 0"),
            ended=(row for row in connection.execute("SELECT id, state FROM runs") if row[1] in FINAL),
            heads=[Head(**row) for row in _rows(connection, "audit_heads", "team")],
            checkpoints=[_checkpoint_of(row) for row in _rows(connection, "audit_checkpoints", "team, seq")],
        )


def _known(connection: sqlite3.Connection) -> str:
    """The columns of an entry; NULL for one that the schema of the copy does not have yet."""
    there = {row[1] for row in connection.execute("PRAGMA table_info(audit)")}
    return ", ".join(name if name in there else "NULL" for name in AuditEntry._fields)


def _rows(connection: sqlite3.Connection, table: str, order: str) -> list[dict[str, Any]]:
    """All rows of a small table, by the names of their columns; none where the copy has no such table yet."""
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    if not names:
        return []
    rows = connection.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY {order}")
    return [dict(zip(names, row, strict=True)) for row in rows]


def _checkpoint_of(row: dict[str, Any]) -> Checkpoint:
    del row["kept_at"]
    kind, at = CheckpointKind(row.pop("kind")), datetime.fromisoformat(row.pop("at")).replace(tzinfo=UTC)
    return Checkpoint(kind=kind, at=at, **row)


def mark_as_copy(path: Path, why: str) -> None:
    """Write into a copy that it is one."""
    with closing(sqlite3.connect(path)) as connection:
        _mark(connection, COPY, why)
    _sync(path)


def _mark(connection: sqlite3.Connection, name: str, value: str) -> None:
    with connection:
        connection.execute("INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)", (name, value))


def put_in_place(copy: Path, path: Path, *, at: datetime) -> Path | None:
    """Make the copy the database, and return where the old one is kept. No other process may use it meanwhile.

    At every moment the old database is whole under one of the two names.
    """
    aside: Path | None = None
    if path.exists():
        aside = path.with_name(f"{path.name}.before-{at:%Y%m%dT%H%M%SZ}")
        for name in ("", _LOG):
            if (part := path.with_name(path.name + name)).exists():
                _link(part, aside.with_name(aside.name + name))
        _sync(path.parent)
        _checkpoint(path)  # only now: SQLite throws away a log that it cannot read
    for name in (_LOG, _INDEX):
        path.with_name(path.name + name).unlink(missing_ok=True)
    copy.rename(path)
    _sync(path.parent)
    return aside


def _link(part: Path, name: Path) -> None:
    """Link the file under another name; copy it where the file system has no links."""
    try:
        os.link(part, name)
    except OSError:
        shutil.copy2(part, name)
        _sync(name)


def _checkpoint(path: Path) -> None:
    """Write the write-ahead log into the file, if it can be read."""
    try:
        with closing(sqlite3.connect(path, timeout=1)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error:
        return  # damaged: it stays aside as it is, with its log


def _sync(path: Path) -> None:
    """Sync the file or folder to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
