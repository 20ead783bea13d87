"""Copies of a SQLite database: made of one moment while the bot writes, checked, and put in the place of another.

SQLite's online backup reads a snapshot and holds up nobody (sqlite.org/backup.html). A copy comes into its place whole
or not at all, whenever the process or the power ends; and what was in that place stays beside it.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from bot.domain.audit import EVERY_TEAM, AuditEntry, Head
from bot.errors import BotError
from bot.runtime.audit.chain import Report, Verifier, is_signed
from bot.runtime.core.ports import Keyring
from bot.runtime.operations.database_copy import COPY
from bot.store.audit import entry_of
from bot.store.records import FINAL

_COUNTED = ("runs", "actions", "questions", "messages", "memories", "connections", "audit")
_LOG, _INDEX = "-wal", "-shm"
"""What belongs to a database besides its file; the index is made anew from the log (sqlite.org/tempfiles.html)."""


class FileIsThere(BotError):
    """Nothing is overwritten."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is there already, and nothing is overwritten. Name another file.")


class BadCopy(BotError):
    """The file is no whole database of ours."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} is not used: {why}. Nothing was changed.")


class Damaged(BadCopy):
    """What SQLite wrote is not there any more, or never was."""

    def __init__(self, path: Path, how: str) -> None:
        super().__init__(path, f"it is damaged, or no database ({how}); take another backup")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What is in a copy: its size, and how many rows of what."""

    size: int
    rows: Mapping[str, int]


@contextmanager
def _reading(path: Path) -> Generator[sqlite3.Connection]:
    """A connection that only reads; raises `BadCopy` for what is no database."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
            yield connection
    except sqlite3.OperationalError as error:  # such as a file that is locked
        raise BadCopy(path, str(error)) from error
    except sqlite3.Error as error:
        raise Damaged(path, str(error)) from error


def copied(source: Path, target: Path, *, why: str | None = None) -> None:
    """One moment of the source as a file of its own, for its owner only. Raises `FileIsThere` or `BadCopy`.

    With a `why` it says of itself that it is a copy before it comes into its place, so that it does nothing however it
    is put to use.
    """
    if target.exists():
        raise FileIsThere(target)
    draft = target.with_name(target.name + ".part")
    draft.unlink(missing_ok=True)
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with _reading(source) as live, closing(sqlite3.connect(draft)) as copy:
            live.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
            if why is not None:
                _mark(copy, why)
        _durable(draft)
        draft.rename(target)
    finally:
        draft.unlink(missing_ok=True)
    _durable(target.parent)


def inspected(path: Path) -> Contents:
    """Read the whole file and count; raises `BadCopy` for one that is damaged, or that is none of ours."""
    with _reading(path) as connection:
        damage = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
        if damage != ["ok"]:
            raise Damaged(path, "; ".join(damage))
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not tables.issuperset({*_COUNTED, "marks", "alembic_version"}):
            raise BadCopy(path, "it is no database of countersign")
        rows = {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in _COUNTED}
    return Contents(size=path.stat().st_size, rows=rows)


def revision(path: Path) -> str:
    """The schema that the file has."""
    with _reading(path) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def log_of(path: Path, keyring: Keyring) -> tuple[Report, Sequence[Head]]:
    """Verify the log of a file, as `countersign audit verify` does; and the signed heads of its chains."""
    verifier = Verifier(keyring)
    names = [field.name for field in fields(AuditEntry)]
    with _reading(path) as connection:
        for row in connection.execute(f"SELECT {', '.join(names)} FROM audit ORDER BY id"):
            verifier.check(entry_of(row))
        verifier.check_attempts(connection.execute("SELECT id, attempt FROM actions WHERE attempt > 0"))
        verifier.check_ends(row for row in connection.execute("SELECT id, state FROM runs") if row[1] in FINAL)
        rows = connection.execute("SELECT team, seq, hash, key_id, mac FROM audit_heads ORDER BY team").fetchall()
    heads = [Head(team=row[0], seq=row[1], hash=row[2], key_id=row[3], mac=row[4]) for row in rows]
    return verifier.end(heads), [head for head in heads if head.team != EVERY_TEAM and is_signed(keyring, head)]


def marked_as_copy(path: Path, why: str) -> None:
    """Write into a copy that it is one."""
    with closing(sqlite3.connect(path)) as connection:
        _mark(connection, why)
    _durable(path)


def _mark(copy: sqlite3.Connection, why: str) -> None:
    with copy:
        copy.execute("INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)", (COPY, why))


def put_in_place(copy: Path, path: Path, *, at: datetime) -> Path | None:
    """Make the copy the database; where the old one was put, if there was one. Nobody else may use it meanwhile.

    At every moment the old database is whole under one of the two names.
    """
    aside: Path | None = None
    if path.exists():
        aside = path.with_name(f"{path.name}.before-{at:%Y%m%dT%H%M%SZ}")
        for name in ("", _LOG):
            if (part := path.with_name(path.name + name)).exists():
                _kept(part, aside.with_name(aside.name + name))
        _durable(path.parent)
        _emptied_log(path)  # only now: SQLite throws away a log that it cannot read
    for name in (_LOG, _INDEX):
        path.with_name(path.name + name).unlink(missing_ok=True)
    copy.rename(path)
    _durable(path.parent)
    return aside


def _kept(part: Path, name: Path) -> None:
    """The same file under another name as well; a copy where the file system knows no second names."""
    try:
        os.link(part, name)
    except OSError:
        shutil.copy2(part, name)
        _durable(name)


def _emptied_log(path: Path) -> None:
    """Bring what is only in the write-ahead log into the file, if it is still good for that."""
    try:
        with closing(sqlite3.connect(path, timeout=1)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error:
        return  # damaged: it stays aside as it is, with its log


def _durable(path: Path) -> None:
    """Have the kernel write it down."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
