"""One process owns a SQLite file: a lock beside it, held by the kernel and freed by the kernel."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from bot.errors import BotError


class DatabaseInUse(BotError):
    """Another process has the file."""

    def __init__(self, path: Path, pid: str) -> None:
        super().__init__(
            f"{path} is in use by another countersign process (pid {pid or 'unknown'}). Stop it first, or give this "
            "one another DATABASE_URL. Several replicas need PostgreSQL."
        )


class DatabaseLinked(BotError):
    """The file has more names than one, and another name has another lock beside it."""

    def __init__(self, path: Path, names: int) -> None:
        super().__init__(
            f"{path} has {names} names (hard links), so another process could open it by another one. Remove the other "
            f"names, or make this one a file of its own: cp {path} {path}.copy && mv {path}.copy {path}"
        )


def is_owned(path: Path) -> bool:
    """Whether a process has the file now."""
    lock = _lock_of(path)
    if not lock.exists():
        return False
    with lock.open("a", encoding="ascii") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False


def _lock_of(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


@contextmanager
def owned(path: Path) -> Generator[None]:
    """Hold the file for as long as the block lasts; raises `DatabaseInUse`, and `DatabaseLinked`."""
    names = path.stat().st_nlink if path.is_file() else 1  # of a folder each folder in it counts
    if names > 1:
        raise DatabaseLinked(path, names)
    with os.fdopen(
        os.open(_lock_of(path), os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "a+", encoding="ascii"
    ) as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            handle.seek(0)
            raise DatabaseInUse(path, handle.read().strip()) from None
        os.fchmod(handle.fileno(), 0o600)  # one that is older may be open to everybody
        handle.truncate(0)
        handle.write(str(os.getpid()))
        handle.flush()
        yield
