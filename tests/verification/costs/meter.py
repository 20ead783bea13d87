"""What reaches a database, counted where the driver hands it over: no way of the program's leads past that."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

_CONTROL = re.compile(r"\s*(BEGIN|COMMIT|ROLLBACK)\b", re.I)
_SETTINGS = re.compile(r"\s*(?:PRAGMA\b|SELECT set_config\(|SAVEPOINT\b|RELEASE\b)", re.I)
"""What a connection is told about itself, and the marks between units that share a commit: how often depends on which
one of the pool is taken, and on who is ready at the same moment."""
_PERSON = re.compile(r"\s*SELECT users\.team,.+\bFROM\b.+\bLEFT OUTER JOIN workspaces\b", re.I | re.S)
"""Who somebody is, with their rules: it is kept until somebody else writes, which is a matter of who comes first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Statements, and transactions by whether they changed a row: only those that did wait for the disk."""

    statements: int = 0
    reading: int = 0
    writing: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            statements=self.statements + other.statements,
            reading=self.reading + other.reading,
            writing=self.writing + other.writing,
        )


@dataclass(slots=True)
class _Transaction:
    """One under way: how many statements each cause gave it, and which of these changed a row."""

    cause: str
    statements: Counter[str] = field(default_factory=Counter[str])
    written: set[str] = field(default_factory=set[str])
    latest: str = ""

    def tallies(self) -> Iterator[tuple[str, Tally]]:
        """Who only read beside others, because all were ready at the same moment, would have read alone otherwise."""
        own = {self.cause, *self.written}
        statements = sum(count for cause, count in self.statements.items() if cause in own)
        yield self.cause, Tally(statements=statements, reading=not self.written, writing=bool(self.written))
        for cause, count in self.statements.items():
            if cause not in own:
                yield cause, Tally(statements=count, reading=1)


@dataclass(slots=True)
class Meter:
    """Counts by cause. A connection is any number that stands for it."""

    _under_way: dict[int, _Transaction] = field(default_factory=dict[int, _Transaction])
    _ended: list[tuple[str, Tally]] = field(default_factory=list[tuple[str, Tally]])

    def statement(self, connection: int, text: str, cause: str) -> None:
        """The connection is given this statement."""
        control = _CONTROL.match(text)
        if control is None:
            self._count(connection, text, cause)
        elif control[1].upper() == "BEGIN":
            self._under_way[connection] = _Transaction(cause)
        elif (ended := self._under_way.pop(connection, None)) is not None:
            self._ended += ended.tallies()

    def changed(self, connection: int) -> None:
        """The connection's transaction changed a row."""
        if (transaction := self._under_way.get(connection)) is not None:
            transaction.written.add(transaction.latest)

    def _count(self, connection: int, text: str, cause: str) -> None:
        if _SETTINGS.match(text) or _PERSON.match(text):
            return
        transaction = self._under_way.get(connection)
        if transaction is None:
            self._ended.append((cause, Tally(statements=1)))
        else:
            transaction.statements[cause] += 1
            transaction.latest = cause

    @property
    def is_quiet(self) -> bool:
        """Whether no transaction is under way."""
        return not self._under_way

    def taken(self) -> list[tuple[str, Tally]]:
        """The transactions that ended since the last time, each with its cause."""
        ended, self._ended = self._ended, []
        return ended
