"""A connection as the store uses it: whole results, one transaction at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from bot.store.engine.statements import Bound

Told: TypeAlias = Callable[[], None]
"""Called once a transaction is durable."""


class Answer(NamedTuple):
    """What the driver returned: all rows, the names of their columns, and how many rows were changed."""

    rows: Sequence[Sequence[Any]]
    names: Sequence[str]
    changed: int


class Connection(Protocol):
    """A connection in a transaction."""

    async def run(self, sql: str, values: Bound) -> Answer:
        """Run one statement, and take all of its rows."""
        ...


class BrokenOff(Exception):
    """The connection was lost while the server committed: it may have done so, and may still."""


class TooBusy(Exception):
    """Other writers, or all connections, were busy for too long."""
