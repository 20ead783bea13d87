"""The database that a URL names, SQLite or PostgreSQL, as the store uses it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from sqlalchemy.engine import Dialect
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store.engine.connection import DatabaseConnection, Told
from bot.store.engine.memory import WriterMemory
from bot.store.engine.pool import Pool
from bot.store.engine.sqlite import SqliteDatabase


class Database(Protocol):
    """Opens transactions. `errors` is what its driver raises."""

    @property
    def engine(self) -> AsyncEngine:
        """SQLAlchemy's engine, for the schema."""
        ...

    @property
    def dialect(self) -> Dialect:
        """For which statements are compiled."""
        ...

    @property
    def is_shared(self) -> bool:
        """Whether several processes may write at the same time."""
        ...

    @property
    def pools(self) -> Sequence[Pool[Any]]:
        """Where its connections are kept."""
        ...

    @property
    def memory(self) -> WriterMemory | None:
        """What its one writer knows of rows; None where several write."""
        ...

    @property
    def errors(self) -> tuple[type[Exception], ...]: ...

    def writing(
        self, end: float | None, told: Told, *, long: bool = False
    ) -> AbstractAsyncContextManager[DatabaseConnection]:
        """A writing transaction, committed where the block ends without an exception; then `told` is called, before a
        cancellation. A `long` one holds up the loop with none of its statements. Raises `TooBusy` where it cannot begin
        by `end` of the loop's clock, and `BrokenOff` where it is not known whether it was committed.
        """
        ...

    def reading(self, end: float | None, *, long: bool = False) -> AbstractAsyncContextManager[DatabaseConnection]:
        """One snapshot. `long` and what it raises are as for `writing`."""
        ...

    async def dispose(self) -> None:
        """Close all connections; it can be used again."""
        ...


def database_for(url: str) -> Database:
    """The database that this URL names."""
    if url.startswith("sqlite"):
        return SqliteDatabase(url)
    from bot.store.engine.postgresql import PostgresqlDatabase  # the driver takes a while to load

    return PostgresqlDatabase(url)
