"""What SQLite itself is given: it tells of every statement of every connection (sqlite.org/c3ref/trace_v2.html)."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from aiosqlite.core import Connection

from tests.verification.costs.causes import Causes
from tests.verification.costs.meter import Meter

_CHANGE = re.compile(r"\s*(?:INSERT|UPDATE|DELETE)\b", re.I)
_OF_FTS5 = re.compile(r"\w+ [^']*'main'\.'")
"""What the search index asks of its own tables, whose names it writes like this."""


class _Listener:
    """Hears the connections to one file."""

    def __init__(self, file: Path, meter: Meter, causes: Causes) -> None:
        self._file = str(file)
        self._meter = meter
        self._causes = causes
        self._changes: dict[int, int] = {}
        self._last: dict[int, str] = {}

    def opened(self, connection: sqlite3.Connection, database: object) -> None:
        """A connection was opened to this database."""
        if str(database) == self._file:
            connection.set_trace_callback(lambda text: self._traced(connection, text))

    def _traced(self, connection: sqlite3.Connection, text: str) -> None:
        """Count it. SQLite tells of a change once more, with its values, for each trigger that it sets off."""
        key = id(connection)
        if _OF_FTS5.match(text) or (self._last.get(key) == text and _CHANGE.match(text)):
            return
        self._last[key] = text
        if connection.total_changes != self._changes.get(key, 0):
            self._changes[key] = connection.total_changes
            self._meter.changed(key)
        self._meter.statement(key, text, self._causes.current())


@contextmanager
def heard(file: Path, meter: Meter, causes: Causes) -> Generator[None]:
    """Whatever connections to the file that are opened in this block are given is counted.

    The thread of a connection is not waited for: what it would do is done at once. Else the order in which tasks go on
    would be chance, and with it how often they look whether there is something to do.
    """
    listener = _Listener(file, meter, causes)
    connect: Any = sqlite3.connect

    def connected(database: object, *args: object, **options: object) -> sqlite3.Connection:
        connection = connect(database, *args, **{**options, "check_same_thread": False})
        listener.opened(connection, database)
        return connection

    async def executed(_: Any, work: Callable[..., object], *args: object, **options: object) -> object:
        return work(*args, **options)

    with patch.object(sqlite3, "connect", connected), patch.object(Connection, "_execute", executed):
        yield
