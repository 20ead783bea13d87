"""One transaction as the repositories use it: statements, row locks in one order, and inserts that know when to stop.

Building a statement and finding it among the compiled ones takes longer than the database takes to answer it. So the
statements that a request needs many times are constants of their module, with parameters for the values.

The order of locks is the same everywhere, so that no two transactions wait for each other: the lease, the thread, the
step and what belongs to it; names of our own (`named`) last, in alphabetical order. On SQLite a writer holds the whole
file, so there these methods have nothing to do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import (
    Column,
    ColumnElement,
    Executable,
    Table,
    Text,
    and_,
    bindparam,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect

from bot.store.engine.connection import DatabaseConnection
from bot.store.engine.memory import WriterMemory
from bot.store.engine.statements import (
    CompiledStatement,
    Parameters,
    Prepared,
    compiled,
    numbered,
    places_of,
    portions,
)
from bot.store.tables.conversations import threads

Row: TypeAlias = dict[str, Any]
"""The values of a row by their columns' names."""

Statement: TypeAlias = Prepared | Executable
"""One that is not prepared is compiled anew each time, which takes longer than to run it: not for what is frequent."""

T = TypeVar("T")

_NONE: Parameters = {}


class StatementResult(NamedTuple):
    """What a statement found: rows of any columns, their names, and how many rows were changed."""

    rows: Sequence[Sequence[Any]]
    names: Sequence[str]
    changed: int

    def by_name(self) -> list[Row]:
        """Each row's values by their columns' names."""
        return [dict(zip(self.names, row, strict=True)) for row in self.rows]


def given(*columns: Column[Any]) -> ColumnElement[bool]:
    """These columns have the values that are passed under their names."""
    return and_(*(column == bindparam(column.name) for column in columns))


def with_id(table: Table) -> Prepared:
    """The row of this table that has the `id`."""
    return Prepared(select(table).where(given(table.c.id)))


def among(column: Column[Any], words: Iterable[Enum]) -> ColumnElement[bool]:
    """The column has one of these words, written out: partial indexes are known by that, a parameter could be any."""
    return column.in_([literal_column(f"'{word.value}'") for word in words])


def being(column: Column[Any], word: Enum) -> ColumnElement[bool]:
    """The column has this word, written out as in `among`."""
    return column == literal_column(f"'{word.value}'")


_LOCK_THREAD = Prepared(select(threads.c.id).where(given(threads.c.id)).with_for_update())
_LOCK_NAME = Prepared(select(func.pg_advisory_xact_lock(func.hashtextextended(bindparam("name", type_=Text), 0))))

THREAD_LEASE = "thread:"
"""What the names of threads' leases begin with."""


def thread_lock(thread_id: str) -> str:
    """The lock under which the rows of a thread's runs are changed."""
    return f"thread {thread_id}"


def step_lock(step_id: str) -> str:
    """The lock of a step; who holds it holds its thread's, too."""
    return f"step {step_id}"


class DatabaseSession:
    """A connection inside its transaction."""

    def __init__(
        self,
        connection: DatabaseConnection,
        *,
        dialect: Dialect,
        is_shared: bool,
        is_snapshot: bool = False,
        memory: WriterMemory | None = None,
    ) -> None:
        self._connection = connection
        self._memory = memory
        self._learners: list[Callable[[], None]] = []
        self._learned: dict[tuple[str, str], Any] = {}
        self._outdated: set[str | tuple[str, str]] = set()
        self._writes_known = False
        self._dialect = dialect
        self._is_stable = is_snapshot or not is_shared
        self._locked: set[str] = set()
        self._writers: dict[str, Callable[[], Awaitable[None]]] = {}
        self._behind: set[str] = set()
        self.is_shared = is_shared
        """Whether other transactions write at the same time."""

    # What is written later ------------------------------------------------------------------------------------

    def write_behind(self, table: str, write: Callable[[], Awaitable[None]]) -> None:
        """Have this write what is to be written of a table: before a statement about it, and at the end."""
        self._writers[table] = write

    def falls_behind(self, table: str) -> None:
        """There is something to be written of this table."""
        self._behind.add(table)

    async def flush(self) -> None:
        """Write everything; raises `LostRace`."""
        await self._catch_up(list(self._writers))

    async def _catch_up(self, tables: Iterable[str]) -> None:
        for table in tables:
            if table in self._behind:
                self._behind.discard(table)
                self._writes_known = True
                try:
                    await self._writers[table]()
                finally:
                    self._writes_known = False

    # What is known --------------------------------------------------------------------------------------------

    def recall(self, table: str, key: str) -> Any:
        """What this transaction or one before it learned, if it is still so; None where that is not known."""
        if self._memory is None or table in self._outdated or (table, key) in self._outdated:
            return None
        return self._learned.get((table, key)) or self._memory.get(table, key)

    def learn(self, table: str, key: str, value: Any) -> None:
        """Have the next transactions know this, if this one succeeds; None is to be forgotten."""
        if self._memory is not None:
            self._learned[table, key] = value

    def learn_answer(self, name: str, tables: Iterable[str], key: str, value: Any) -> None:
        """The same of what was found in several tables, until a row of one of them is written, in whatever way. It is
        recalled by its name in the place of a table's.
        """
        if self._memory is not None:
            self._memory.found_in(tables, name)
            self.learn(name, key, value)

    def _outdate_answers(self, tables: Iterable[str]) -> None:
        if self._memory is not None:
            for name in {name for table in tables for name in self._memory.answers_from(table)}:
                self._outdated.add(name)
                self._memory.forget(name)

    def at_end(self, learn: Callable[[], None]) -> None:
        """Call this when the transaction is at its end, so that it has learned what it knows."""
        self._learners.append(learn)

    def _outdate(self, tables: Iterable[str], key: str | None = None) -> None:
        """Rows are changed past what is known of them: for this transaction, and for those after it."""
        if self._memory is None or self._writes_known:
            return
        for table in tables:
            self._outdated.add(table if key is None else (table, key))
            self._memory.forget(table, key)

    def remember(self) -> None:
        """The transaction is at its end: what it learned is known from now on."""
        if self._memory is None:
            return
        for learn in self._learners:
            learn()
        for (table, key), value in self._learned.items():
            if value is None:
                self._memory.forget(table, key)
            elif table not in self._outdated and (table, key) not in self._outdated:
                self._memory.keep(table, key, value)

    def end(self) -> None:
        """Let go of who was to be called: they hold this session, too, and would be left to Python's collector."""
        self._writers.clear()
        self._learners.clear()

    # Statements -----------------------------------------------------------------------------------------------

    async def execute(
        self, statement: Statement, parameters: Parameters = _NONE, *, only: str | None = None
    ) -> StatementResult:
        """Run one statement, after what is to be written of its tables; `only` is the id of the one row it changes."""
        form = self._form(statement, parameters)
        self._outdate(form.changes, only)
        self._outdate_answers(form.writes)
        if self._behind and not self._behind.isdisjoint(form.words):
            await self._catch_up([table for table in self._writers if table in form.words])
        sql, values = form.bound(parameters)
        answer = await self._connection.run(sql, values)
        return StatementResult(form.rows(answer.rows), form.names or answer.names, answer.changed)

    def _form(self, statement: Statement, parameters: Parameters) -> CompiledStatement:
        if isinstance(statement, Prepared):
            return statement.compiled(self._dialect, parameters)
        return compiled(statement, self._dialect, parameters)

    async def all(self, made: Callable[..., T], statement: Statement, parameters: Parameters = _NONE) -> list[T]:
        """What is made of each row; its columns are passed by their names."""
        return [made(**row) for row in (await self.execute(statement, parameters)).by_name()]

    async def first(self, made: Callable[..., T], statement: Statement, parameters: Parameters = _NONE) -> T | None:
        """What is made of the only row; None where there is none."""
        found = await self.all(made, statement, parameters)
        assert len(found) <= 1, "the statement names one row"
        return found[0] if found else None

    async def the(self, made: Callable[..., T], statement: Statement, parameters: Parameters = _NONE) -> T:
        """What is made of the row, which must exist."""
        (found,) = await self.all(made, statement, parameters)
        return found

    async def value(self, statement: Statement, parameters: Parameters = _NONE) -> Any:
        """The only value of the only row; None where there is no row."""
        rows = (await self.execute(statement, parameters)).rows
        return rows[0][0] if rows else None

    async def values(self, statement: Statement, parameters: Parameters = _NONE) -> list[Any]:
        """The first value of each row."""
        return [row[0] for row in (await self.execute(statement, parameters)).rows]

    async def is_done(self, statement: Statement, parameters: Parameters = _NONE) -> bool:
        """Whether a statement that returns the rows it changed found one."""
        return bool((await self.execute(statement, parameters)).rows)

    # Locks ----------------------------------------------------------------------------------------------------

    async def lock_thread(self, thread_id: str) -> None:
        """Hold the thread's row until the transaction ends."""
        if self.is_to_lock(thread_lock(thread_id)):
            await self.execute(_LOCK_THREAD, {"id": thread_id})

    def holds(self, what: str) -> bool:
        """Whether nobody else can change what this lock is about."""
        return self._is_stable or what in self._locked

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

    # Changes --------------------------------------------------------------------------------------------------

    async def insert(self, table: Table, rows: Sequence[Row]) -> None:
        """Insert rows, which have the same columns, in their order."""
        if len(rows) == 1:
            await self.execute(_insert_one(table), rows[0])
            return
        for some in portions(rows):
            await self.execute(_insert(table, tuple(some[0]), len(some)), numbered(some))

    async def insert_new(self, table: Table, values: Row) -> bool:
        """Insert unless a unique key exists; whether it was new. Waits for a transaction that inserts the same."""
        return await self.is_done(_insert_new(table), values)

    async def put(self, table: Table, values: Row, *, kept: Iterable[str] = ()) -> Row:
        """Insert, or change the row with this primary key but for its `kept` columns; the row as it is now."""
        return await self.the(dict[str, Any], _put(table, tuple(values), frozenset(kept)), values)

    async def change(self, table: Table, where: Row, values: Row) -> int:
        """Change these columns of the rows that have the values of `where`; how many there were."""
        statement, parameters = _changed(table, where, values, returning=False)
        return (await self.execute(statement, parameters, only=where.get("id"))).changed

    async def changed(self, made: Callable[..., T], table: Table, where: Row, values: Row) -> T | None:
        """The same with one row at most; what is made of it, as it is then."""
        statement, parameters = _changed(table, where, values, returning=True)
        rows = (await self.execute(statement, parameters, only=where.get("id"))).by_name()
        assert len(rows) <= 1, "the condition names one row"
        return made(**rows[0]) if rows else None


def upsert(
    table: Table,
    changes: Callable[[Any], Mapping[str, Any]],
    *,
    where: Callable[[Any], ColumnElement[bool]] | None = None,
    count: int = 0,
) -> Prepared:
    """Insert, or make these changes to the row with the same primary key where the condition holds; the row, if either
    was done. Changes and condition are made from the row that was to be inserted. With a `count` it takes so many whole
    rows, `numbered`.
    """
    keys = list(table.primary_key.columns)

    def of(new: Any) -> Executable:
        new = new.values(places_of(list(table.columns), count)) if count else new
        condition = where and where(new.excluded)
        changed = new.on_conflict_do_update(index_elements=keys, set_=changes(new.excluded), where=condition)
        return changed.returning(table)

    return Prepared({"sqlite": of(sqlite.insert(table)), "postgresql": of(postgresql.insert(table))})


@cache
def _insert_one(table: Table) -> Prepared:
    return Prepared(insert(table))


@cache
def _insert(table: Table, names: tuple[str, ...], count: int) -> Prepared:
    return Prepared(insert(table).values(places_of([table.c[name] for name in names], count)))


@cache
def _insert_new(table: Table) -> Prepared:
    (key, *_) = table.primary_key.columns
    return Prepared(
        {
            "sqlite": sqlite.insert(table).on_conflict_do_nothing().returning(key),
            "postgresql": postgresql.insert(table).on_conflict_do_nothing().returning(key),
        }
    )


@cache
def _put(table: Table, names: tuple[str, ...], kept: frozenset[str]) -> Prepared:
    fixed = kept | {column.name for column in table.primary_key.columns}
    return upsert(table, lambda new: {name: new[name] for name in names if name not in fixed})


def _changed(table: Table, where: Row, values: Row, *, returning: bool) -> tuple[Prepared, Parameters]:
    parameters = {f"is_{name}": value for name, value in where.items()} | {f"to_{n}": v for n, v in values.items()}
    return _change(table, tuple(where), tuple(values), returning), parameters


@cache
def _change(table: Table, where: tuple[str, ...], names: tuple[str, ...], returning: bool) -> Prepared:
    same = and_(*(table.c[name] == bindparam(f"is_{name}", type_=table.c[name].type) for name in where))
    changed = update(table).where(same).values({n: bindparam(f"to_{n}", type_=table.c[n].type) for n in names})
    return Prepared(changed.returning(table) if returning else changed)


class Repository:
    """The rows of one noun, inside one transaction."""

    def __init__(self, session: DatabaseSession) -> None:
        self._db = session
