"""What a transaction knows of rows, and what it will change of them: each is read once and written once.

A row is known from when it was read while nobody else could change it: on SQLite always, also to the transactions that
follow, on PostgreSQL once its lock is held. A known row that is moved or changed is written at the end of the
transaction, or before a statement that reads its table, as one guarded UPDATE that names the state in which it was
found.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import Table

from bot.domain.states import LostRace
from bot.store.engine.session import DatabaseSession
from bot.store.rows import as_read, plain, stored

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

V = TypeVar("V", bound="DataclassInstance")


@dataclass(slots=True)
class _Change:
    """Columns to write. `guard` are the values with which a row was found that moves, `to` the state it goes to."""

    guard: dict[str, Any] = field(default_factory=dict[str, Any])
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    to: str = ""


def _changed(value: V, changes: Mapping[str, Any]) -> V:
    """As `dataclasses.replace`, which passes every field through `__init__`: of a run that takes twenty times as long.
    The rows that are known have no slots and compute nothing when they are made.
    """
    after = object.__new__(type(value))
    after.__dict__.update(value.__dict__, **changes)
    return after


class KnownRows(Generic[V]):
    """The rows of one table by their ids.

    `columns` turns one into its columns, `lock` names the lock that keeps others from changing it, and `guarded` are
    the columns that a move is guarded by. Rows that are `over` move no more, and may be large: the transactions that
    follow read them when they need them.
    """

    def __init__(
        self,
        session: DatabaseSession,
        table: Table,
        *,
        columns: Callable[[V], dict[str, Any]],
        lock: Callable[[V], str],
        over: Callable[[V], bool],
        guarded: tuple[str, ...] = ("state",),
    ) -> None:
        self._db = session
        self._table = table
        self._columns = columns
        self._lock = lock
        self._guarded = guarded
        self._over = over
        self._rows: dict[str, V] = {}
        self._added: dict[str, None] = {}
        self._changes: dict[str, _Change] = {}
        self.is_complete = True
        """Whether all that this transaction changed of the table is known."""
        session.write_behind(table.name, self._flush)
        session.at_end(self._learn)

    def get(self, id_: str) -> V | None:
        """The row as this transaction has it, if it is known."""
        known = self._rows.get(id_)
        if known is None and (known := self._db.recall(self._table.name, id_)) is not None:
            self._rows[id_] = known
        return known

    def all(self) -> Collection[V]:
        """All that are known."""
        return self._rows.values()

    def read(self, id_: str, value: V) -> V:
        """The row as it was just read; it is known from now on, if nobody else can change it."""
        if self._db.holds(self._lock(value)):
            self._rows[id_] = value
        return value

    def add(self, id_: str, value: V) -> None:
        """A new row."""
        self._rows[id_] = stored(value)
        self._added[id_] = None
        self._db.falls_behind(self._table.name)

    def change(self, id_: str, changes: Mapping[str, Any], *, to: str = "") -> V:
        """Change a known row; where it moves `to` a state it is guarded by how it was found."""
        before = self._rows[id_]
        after = self._rows[id_] = _changed(before, as_read(changes))
        if id_ not in self._added:
            change = self._changes.setdefault(id_, _Change())
            if to:
                change.guard = change.guard or {name: getattr(before, name) for name in self._guarded}
                change.to = to
            change.values |= plain(**changes)
            self._db.falls_behind(self._table.name)
        return after

    def forget(self, id_: str) -> None:
        """The row was changed in another way: it is to be read again."""
        self.is_complete = False
        self._rows.pop(id_, None)

    def _learn(self) -> None:
        for id_, row in self._rows.items():
            self._db.learn(self._table.name, id_, None if self._over(row) else row)

    async def _flush(self) -> None:
        """Write what was added and changed. Raises `LostRace`."""
        added, changes = list(self._added), self._changes
        self._added, self._changes = {}, {}
        await self._db.insert(self._table, [self._columns(self._rows[id_]) for id_ in added])
        for id_, change in changes.items():
            values = dict(sorted(change.values.items()))  # one statement, in whatever order they were changed
            if await self._db.change(self._table, {"id": id_, **change.guard}, values) != 1:
                raise LostRace(self._table.name.removesuffix("s"), id_, str(change.guard.get("state", "")), change.to)
