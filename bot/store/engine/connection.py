"""A connection as the store uses it: whole results, one transaction at a time. And what those of both kinds of database
share: how long a lock is waited for, and the options of SQLAlchemy's engine for migrations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from bot.store.engine.statements import Bound

WRITES = "countersign_writes"
"""The execution option of a connection that writes."""

BUSY_MS = 30_000
POOL = {"pool_size": 1, "hide_parameters": True}
"""Errors carry no parameters: these are people's data, and errors reach the log."""

Told: TypeAlias = Callable[[], None]
"""Called once a transaction is durable."""


class DriverResult(NamedTuple):
    """What the driver returned: all rows, the names of their columns, and how many rows were changed."""

    rows: Sequence[Sequence[Any]]
    names: Sequence[str]
    changed: int


class DatabaseConnection(Protocol):
    """A connection in a transaction."""

    async def run(self, sql: str, values: Bound) -> DriverResult:
        """Run one statement, and take all of its rows."""
        ...


class BrokenOff(Exception):
    """The connection was lost while the server committed: it may have done so, and may still."""


class TooBusy(Exception):
    """Other writers, or all connections, were busy for too long."""


class Cursor(Protocol):
    """A driver's cursor, as the `connect` event hands it out."""

    def execute(self, statement: str, /) -> object: ...
    def close(self) -> None: ...
