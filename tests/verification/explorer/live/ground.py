"""The ground of walks that are taken one after the other: each finds an empty database at the same place."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.folders import in_memory
from tests.postgres import PostgresServer
from tests.stores import Opened, opened

_NAME = "walks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Where their databases are made."""

    folder: Path
    server: PostgresServer | None

    @property
    def database(self) -> str:
        """Which kind it is."""
        return "postgresql" if self.server else "sqlite"

    @asynccontextmanager
    async def store(self) -> AsyncGenerator[Opened]:
        """An empty store."""
        with self.server.database(name=_NAME) if self.server else nullcontext() as url:
            async with opened(self.folder, postgresql=url) as base:
                yield base


@contextmanager
def ground(server: PostgresServer | None) -> Generator[Ground]:
    """On a server, or on SQLite."""
    with TemporaryDirectory(dir=in_memory(), ignore_cleanup_errors=True) as name:
        yield Ground(folder=Path(name), server=server)
