"""The ground of walks that are taken one after the other: each finds an empty database at the same place."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store.engine.factory import engine_for
from tests.folders import in_memory
from tests.postgres import PostgresServer
from tests.stores import Opened, opened, sqlite_url

_NAME = "walks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """One engine for all of them: to compile its statements anew takes a good part of a walk's time."""

    folder: Path
    engine: AsyncEngine
    server: PostgresServer | None

    @property
    def database(self) -> str:
        """Which kind it is."""
        return self.engine.dialect.name

    @asynccontextmanager
    async def store(self) -> AsyncGenerator[Opened]:
        """An empty store."""
        with self.server.database(name=_NAME) if self.server else nullcontext() as url:
            async with opened(self.folder, postgresql=url, engine=self.engine) as base:
                yield base


@contextmanager
def ground(server: PostgresServer | None) -> Generator[Ground]:
    """On a server, or on SQLite."""
    with TemporaryDirectory(dir=in_memory(), ignore_cleanup_errors=True) as name:
        folder = Path(name)
        url = server.url(_NAME) if server else sqlite_url(folder)
        yield Ground(folder=folder, engine=engine_for(url), server=server)
