"""What the one writer of a SQLite file knows of its rows, from one transaction to the next.

One process writes, and its units of work run one after the other. So a row that one of them read or wrote stays as it
was left until another one changes it. A unit of work that succeeded says at its end what it knows. What is changed in
any other way is forgotten: by a statement past the known rows, by a commit that failed, and by another connection.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable
from typing import Any

MOST = 1_000
"""Rows of a table that are kept; those used longest ago go first."""


class WriterMemory:
    """Values by their table and their key in it."""

    def __init__(self) -> None:
        self._values: defaultdict[str, OrderedDict[str, Any]] = defaultdict(OrderedDict)
        self._version: object = None
        self._found_in: defaultdict[str, set[str]] = defaultdict(set)

    def get(self, table: str, key: str) -> Any:
        """What is known under this key, or None."""
        values = self._values[table]
        if (found := values.get(key)) is not None:
            values.move_to_end(key)
        return found

    def keep(self, table: str, key: str, value: Any) -> None:
        """From now on this is known."""
        values = self._values[table]
        values[key] = value
        values.move_to_end(key)
        if len(values) > MOST:
            values.popitem(last=False)

    def forget(self, table: str, key: str | None = None) -> None:
        """Of this table nothing is known any more, or only this not."""
        if key is None:
            self._values.pop(table, None)
        else:
            self._values[table].pop(key, None)

    def found_in(self, tables: Iterable[str], name: str) -> None:
        """What is known under this name was found in these tables, so that any new row may change it."""
        for table in tables:
            self._found_in[table].add(name)

    def answers_from(self, table: str) -> Collection[str]:
        """The names of what was found in this table."""
        return self._found_in.get(table, ())

    def clear(self) -> None:
        """Nothing is known any more."""
        self._values.clear()

    def begins(self, version: object) -> None:
        """A transaction begins with this version of the file; another one than the last was made by somebody else."""
        if version != self._version:
            self.clear()
            self._version = version
