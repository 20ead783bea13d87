"""What both kinds of engine share: how long a lock is waited for, and the connections of one process."""

from __future__ import annotations

from typing import Protocol

WRITES = "countersign_writes"
"""The execution option of a connection that writes: the milliseconds to wait for a lock."""

BUSY_MS = 30_000
POOL = {"pool_size": 16, "max_overflow": 0, "pool_use_lifo": True, "hide_parameters": True}
"""The connections of one process, made when they are needed and kept: work comes in bursts, and to open one costs more
than what it is used for. Errors carry no parameters: these are people's mails, and errors reach the log.
"""


class Cursor(Protocol):
    """A driver's cursor, as the `connect` event hands it out."""

    def execute(self, statement: str, /) -> object: ...
    def close(self) -> None: ...
