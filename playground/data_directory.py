"""The directory of the demo: the agent's database and key, and the logs of all processes."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from pathlib import Path
from types import TracebackType
from typing import Self

from playground.errors import BotAtWork, DataInUse, NotOurs

MARK = ".playground"
"""A file that marks the directory as a playground's. It is locked while one runs, and the kernel frees the lock."""

DATABASE = "countersign.db"
LOCK = f"{DATABASE}.lock"
"""Locked by the process that uses the database."""


class DataDirectory:
    """Made, marked and locked by `with`. Refuses a directory that another playground uses, or that is not ours."""

    def __init__(self, path: Path, *, reset: bool = False) -> None:
        self.path = path.absolute()
        self.fresh = False
        self._reset = reset
        self._lock: int | None = None

    @property
    def database(self) -> Path:
        return self.path / DATABASE

    @property
    def key_file(self) -> Path:
        """The key of the emulated Google's service account."""
        return self.path / "service_account.json"

    def log(self, name: str) -> Path:
        return self.path / "logs" / f"{name}.log"

    def __enter__(self) -> Self:
        self._refuse_foreign()
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = self._locked()
        if self._reset:
            self._empty()
        self.fresh = not self.database.exists()
        shutil.rmtree(self.path / "logs", ignore_errors=True)
        (self.path / "logs").mkdir()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._free()

    def _free(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _refuse_foreign(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise NotOurs(self.path, "it is a file")
        if self.path.is_dir() and any(self.path.iterdir()) and not (self.path / MARK).exists():
            raise NotOurs(self.path, "it holds files that no playground made")

    def _locked(self) -> int:
        lock = os.open(self.path / MARK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(lock, 32).decode(errors="replace").strip()
            os.close(lock)
            raise DataInUse(self.path, owner) from None
        os.truncate(lock, 0)
        os.write(lock, f"{os.getpid()}\n".encode())
        return lock

    def _empty(self) -> None:
        """Empties the directory while it holds the database's lock. Raises `BotAtWork` if a bot uses the database."""
        with (self.path / LOCK).open("a+", encoding="ascii") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self._free()
                lock.seek(0)
                raise BotAtWork(self.database, lock.read().strip()) from None
            self._delete()

    def _delete(self) -> None:
        for entry in self.path.iterdir():
            if entry.name == MARK:
                continue
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                with contextlib.suppress(FileNotFoundError):
                    entry.unlink()
