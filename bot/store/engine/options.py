"""What both kinds of database share: how long a lock is waited for, and SQLAlchemy's engine for migrations."""

from __future__ import annotations

from typing import Protocol

WRITES = "countersign_writes"
"""The execution option of a connection that writes."""

BUSY_MS = 30_000
POOL = {"pool_size": 1, "hide_parameters": True}
"""Errors carry no parameters: these are people's data, and errors reach the log."""


class Cursor(Protocol):
    """A driver's cursor, as the `connect` event hands it out."""

    def execute(self, statement: str, /) -> object: ...
    def close(self) -> None: ...
