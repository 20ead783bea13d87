"""One transaction as the repositories use it: statements, row locks in one order, and inserts that know when to stop.

Building a statement and finding it among the compiled ones takes longer than the database takes to answer it. So the
statements that a request needs many times are constants of their module, with parameters for the values.

The order of locks is the same everywhere, so that no two transactions wait for each other: the lease, the thread, the
step and what belongs to it; names of our own (`named`) last, in alphabetical order. On SQLite a writer holds the whole
file, so there these methods have nothing to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import (
    Column,
    ColumnElement,
    CursorResult,
    Executable,
    RowMapping,
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
"""What a statement found, rows of any columns."""

Row: TypeAlias = dict[str, Any]
"""The values of a row by their columns' names."""

Parameters: TypeAlias = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
T = TypeVar("T")


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

    async def execute(self, statement: Executable, parameters: Parameters = None) -> Found:
        """Run one statement; with several rows of parameters to its end, though it is cancelled meanwhile.

        psycopg sends those through a pipeline, which fails an assertion when it is cut off as it begins.
        """
        running = self._connection.execute(statement, parameters)
        return await (running if isinstance(parameters, Mapping | None) else run_to_end(running))

    async def all(self, made: Callable[..., T], statement: Executable, parameters: Parameters = None) -> list[T]:
        """What is made of each row; its columns are passed by their names."""
        found = await self.execute(statement, parameters)
        return [made(**_row(row)) for row in found.mappings()]

    async def first(self, made: Callable[..., T], statement: Executable, parameters: Parameters = None) -> T | None:
        """What is made of the only row; None where there is none."""
        row = (await self.execute(statement, parameters)).mappings().one_or_none()
        return None if row is None else made(**_row(row))

    async def the(self, made: Callable[..., T], statement: Executable, parameters: Parameters = None) -> T:
        """What is made of the row, which must exist."""
        return made(**_row((await self.execute(statement, parameters)).mappings().one()))

    async def value(self, statement: Executable, parameters: Parameters = None) -> Any:
        """The only value of the only row; None where there is no row."""
        return (await self.execute(statement, parameters)).scalar_one_or_none()

    async def values(self, statement: Executable, parameters: Parameters = None) -> list[Any]:
        """The first value of each row."""
        return list((await self.execute(statement, parameters)).scalars())

    async def is_done(self, statement: Executable, parameters: Parameters = None) -> bool:
        """Whether a statement that returns the rows it changed found one."""
        return (await self.execute(statement, parameters)).first() is not None

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
        return await self.is_done(statement)

    async def put(self, table: Table, values: Mapping[str, Any], *, kept: Iterable[str] = ()) -> Row:
        """Insert, or change the row with this primary key but for its `kept` columns; the row as it is now."""
        keys = list(table.primary_key.columns)
        fixed = {*kept, *(column.name for column in keys)}
        statement = self._insert(table).values(values)
        changes = {name: statement.excluded[name] for name in values if name not in fixed}
        put = statement.on_conflict_do_update(index_elements=keys, set_=changes)
        return await self.the(dict[str, Any], put.returning(table))

    async def put_where(
        self, table: Table, values: Mapping[str, Any], changes: Mapping[str, Any], condition: ColumnElement[bool]
    ) -> Row | None:
        """Insert, or make these changes to the row with the same key if the condition holds; the row, if either did."""
        statement = self._insert(table).values(values)
        keys = list(table.primary_key.columns)
        changed = statement.on_conflict_do_update(index_elements=keys, set_=dict(changes), where=condition)
        return await self.first(dict[str, Any], changed.returning(table))

    def _insert(self, table: Table) -> sqlite.Insert | postgresql.Insert:
        """Both databases spell ON CONFLICT the same way; SQLAlchemy has it once for each."""
        return postgresql.insert(table) if self.is_shared else sqlite.insert(table)


def _row(row: RowMapping) -> Row:
    return {str(name): value for name, value in row.items()}


class Repository:
    """The rows of one noun, inside one transaction."""

    def __init__(self, session: Session) -> None:
        self._db = session
