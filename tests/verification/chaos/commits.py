"""What a commit is named by: the audit entries in it, else the tables that it changes; one that only read is none.

Units of work that share a commit have their names one after the other, so that a name does not depend on who was ready
at the same moment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from bot.store.engine.connection import DriverResult
from bot.store.engine.postgresql_driver import PostgresqlConnection
from bot.store.engine.sqlite_driver import SqliteConnection
from bot.store.engine.statements import Bound

_CHANGES = re.compile(r"\s*(INSERT INTO|UPDATE|DELETE FROM)\s+\"?(\w+)\"?\s*(?:\(([^)]*)\))?", re.I)


class _Units:
    """What the transaction of each connection has written, unit by unit."""

    def __init__(self) -> None:
        self._units: WeakKeyDictionary[Any, list[list[str]]] = WeakKeyDictionary()

    def begin(self, connection: object) -> None:
        self._units[connection] = [[]]

    def another(self, connection: object) -> None:
        self._units[connection].append([])

    def undone(self, connection: object) -> None:
        self._units[connection].pop()

    def wrote(self, connection: object, names: Sequence[str]) -> None:
        if connection in self._units:
            self._units[connection][-1].extend(names)

    def ended(self, connection: object) -> list[str]:
        """The names of the units that wrote something."""
        return [_named(written) for written in self._units.pop(connection, []) if written]


def around_commits(passing: Callable[[str], None]) -> None:
    """Pass a point before and after each commit."""
    units = _Units()
    for kind in (SqliteConnection, PostgresqlConnection):
        _around(kind, units, passing)
    _before(SqliteConnection, "savepoint", units.another)
    _before(SqliteConnection, "undo", units.undone)


def _around(kind: type[Any], units: _Units, passing: Callable[[str], None]) -> None:
    begin, run, commit = kind.begin, kind.run, kind.commit

    async def beginning(connection: Any, how: Any) -> None:
        units.begin(connection)
        await begin(connection, how)

    async def running(connection: Any, sql: str, values: Bound) -> DriverResult:
        units.wrote(connection, _names(sql, values))
        return await run(connection, sql, values)

    async def committing(connection: Any) -> None:
        names = units.ended(connection)
        for name in names:
            passing(f"commit:{name}:before")
        await commit(connection)
        for name in names:
            passing(f"commit:{name}:after")

    kind.begin, kind.run, kind.commit = beginning, running, committing


def _before(kind: type[Any], name: str, call: Callable[[object], None]) -> None:
    method = getattr(kind, name)

    def calling(connection: Any) -> None:
        call(connection)
        method(connection)

    setattr(kind, name, calling)


def _names(sql: str, values: Bound) -> list[str]:
    """`=<code>` for each entry of the log that is written, else the table."""
    change = _CHANGES.match(sql)
    if change is None:
        return []
    if change[2] != "audit" or change[1].upper() != "INSERT INTO":
        return [change[2]]
    columns = [column.strip() for column in change[3].split(",")]
    in_order = list(values.values() if isinstance(values, Mapping) else values)
    return [f"={code}" for code in in_order[columns.index("code") :: len(columns)]]


def _named(written: Sequence[str]) -> str:
    codes = [name[1:] for name in written if name.startswith("=")]
    return "+".join(dict.fromkeys(codes or sorted(set(written))))
