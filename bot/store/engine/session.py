"""One transaction as the repositories use it: statements, row locks in one order, and inserts that know when to stop.

Building a statement and finding it among the compiled ones takes longer than the database takes to answer it. So the
statements that a request needs many times are constants of their module, with parameters for the values.

The order of locks is the same everywhere, so that no two transactions wait for each other: the lease, the thread, the
step and what belongs to it; names of our own (`named`) last, in alphabetical order. On SQLite a writer holds the whole
file, so there these methods have nothing to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, TypeAlias

from sqlalchemy import (
    Column,
    ColumnElement,
    CursorResult,
    Executable,
    Table,
    Text,
    and_,
    bindparam,
    func,
    literal_column,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.engine.shield import run_to_end
from bot.store.tables.conversations import threads

Found: TypeAlias = CursorResult[*tuple[Any, ...]]
"""What a statement found, a row of any columns."""


def given(*columns: Column[Any]) -> ColumnElement[bool]:
    """These columns have the values that are passed under their names."""
    return and_(*(column == bindparam(column.name) for column in columns))


def among(column: Column[Any], words: Iterable[Enum]) -> ColumnElement[bool]:
    """The column has one of these words, written out: partial indexes are known by that, a parameter could be any."""
    return column.in_([literal_column(f"'{word.value}'") for word in words])


def being(column: Column[Any], word: Enum) -> ColumnElement[bool]:
    """The column has this word, written out as in `among`."""
    return column == literal_column(f"'{word.value}'")


_LOCK_THREAD = select(threads.c.id).where(given(threads.c.id)).with_for_update()
_LOCK_NAME = select(func.pg_advisory_xact_lock(func.hashtextextended(bindparam("name", type_=Text), 0)))

THREAD_LEASE = "thread:"
"""What the names of threads' leases begin with."""


class Session:
    """A connection inside its transaction."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self._locked: set[str] = set()
        self.is_shared = connection.dialect.name == "postgresql"
        """Whether other transactions write at the same time."""

    async def execute(
        self, statement: Executable, parameters: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None
    ) -> Found:
        """Run one statement; with several rows of parameters to its end, though it is cancelled meanwhile.

        psycopg sends those through a pipeline, which fails an assertion when it is cut off as it begins.
        """
        running = self._connection.execute(statement, parameters)
        return await (running if isinstance(parameters, Mapping | None) else run_to_end(running))

    # Locks ----------------------------------------------------------------------------------------------------

    async def lock_thread(self, thread_id: str) -> None:
        """Hold the thread's row until the transaction ends."""
        if self.is_to_lock(f"thread {thread_id}"):
            await self.execute(_LOCK_THREAD, {"id": thread_id})

    def is_to_lock(self, what: str) -> bool:
        """Whether this transaction has still to lock this; the caller locks it then."""
        new = self.is_shared and what not in self._locked
        self._locked.add(what)
        return new

    async def lock_names(self, names: Iterable[str]) -> None:
        """Hold names that have no row, in their order, until the transaction ends."""
        for name in sorted(names):
            if self.is_to_lock(name):
                await self.execute(_LOCK_NAME, {"name": name})

    # Inserts --------------------------------------------------------------------------------------------------

    async def insert_new(self, table: Table, values: Mapping[str, Any]) -> bool:
        """Insert unless a unique key exists; whether it was new. Waits for a transaction that inserts the same."""
        (key, *_) = table.primary_key.columns
        statement = self._insert(table).values(values).on_conflict_do_nothing().returning(key)
        return (await self.execute(statement)).first() is not None

    async def put(self, table: Table, values: Mapping[str, Any], *, kept: Iterable[str] = ()) -> Found:
        """Insert, or change the row with this primary key but for its `kept` columns; the row as it is now."""
        return await self.execute(self._put(table, values, frozenset(kept)).returning(table))

    async def put_where(
        self, table: Table, values: Mapping[str, Any], changes: Mapping[str, Any], condition: ColumnElement[bool]
    ) -> Found:
        """Insert, or make these changes to the row with the same key if the condition holds; the row, if either did."""
        statement = self._insert(table).values(values)
        keys = list(table.primary_key.columns)
        changed = statement.on_conflict_do_update(index_elements=keys, set_=dict(changes), where=condition)
        return await self.execute(changed.returning(table))

    def _put(self, table: Table, values: Mapping[str, Any], kept: frozenset[str]) -> sqlite.Insert | postgresql.Insert:
        keys = list(table.primary_key.columns)
        fixed = kept | {column.name for column in keys}
        statement = self._insert(table).values(values)
        changes = {name: statement.excluded[name] for name in values if name not in fixed}
        return statement.on_conflict_do_update(index_elements=keys, set_=changes)

    def _insert(self, table: Table) -> sqlite.Insert | postgresql.Insert:
        """Both databases spell ON CONFLICT the same way; SQLAlchemy has it once for each."""
        return postgresql.insert(table) if self.is_shared else sqlite.insert(table)
