"""Statements compiled once: SQL text, what is bound to it, and how its rows are read.

SQLAlchemy builds, hashes and looks up a statement for several times as long as SQLite takes to answer it. So what a
request needs is prepared: a constant of its module, with parameters for all values, compiled at its first use for the
dialect of the database (docs.sqlalchemy.org, “SQL Compilation” and “TypeEngine”).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias, cast

from sqlalchemy import (
    BindParameter,
    Column,
    Executable,
    Insert,
    SelectBase,
    Subquery,
    Table,
    UpdateBase,
    bindparam,
    select,
    union_all,
)
from sqlalchemy.dialects.sqlite.dml import OnConflictDoNothing
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ClauseElement

Parameters: TypeAlias = Mapping[str, Any]
Bound: TypeAlias = Sequence[Any] | Mapping[str, Any]
"""The values as a driver takes them: in order for SQLite, by name for psycopg."""

_Convert: TypeAlias = Callable[[Any], Any] | None

_Place: TypeAlias = tuple[str, str, int | None, _Convert]
"""The name of a value in the SQL, its parameter, its place in that where it is a list, and what converts it."""

_Expanded: TypeAlias = tuple[str, Sequence[_Place]]

_DIALECTS = ("sqlite", "postgresql")

MOST_EXPANDED = 32
"""Ways to write one statement that are kept: most lists have a few lengths, and some have any."""

MOST_VALUES = 128
"""Values of rows that are given to one statement: it is compiled once for each number of rows, which takes longer the
more values there are, and holds up the loop.
"""

_FEW_ROWS = 4
"""So many rows at most are one statement whatever their number; of more there are statements for a few numbers alone.
"""


class Prepared:
    """A statement that is compiled once for each dialect; an INSERT once for each set of columns besides.

    SQLAlchemy has ON CONFLICT once for each dialect: such a statement is given by the names of the dialects.
    """

    def __init__(self, statement: Executable | Mapping[str, Executable]) -> None:
        by_dialect = statement if isinstance(statement, Mapping) else dict.fromkeys(_DIALECTS, statement)
        self._by_dialect = cast("Mapping[str, Executable]", by_dialect)
        self._compiled: dict[tuple[str, tuple[str, ...]], CompiledStatement] = {}

    def compiled(self, dialect: Dialect, parameters: Parameters) -> CompiledStatement:
        """As this dialect takes it."""
        statement = self._by_dialect[dialect.name]
        key = (dialect.name, tuple(parameters) if isinstance(statement, Insert) else ())
        found = self._compiled.get(key)
        if found is None:
            found = self._compiled[key] = compiled(statement, dialect, parameters)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledStatement:
    """SQL, the values that it takes, and what turns the columns of its rows into values of Python.

    `binds` have, in the order of the SQL, the name there, that of the parameter, and what converts a value for the
    driver; `own` are the values that the statement has itself. `names` are those of the columns, where it knows them.
    `words` are all words of the SQL, the names of its tables among them; among `changes` are the tables of which it
    changes or deletes rows, and among `writes` those to which it may add some besides. `lists` are the parameters that
    are lists, and `expanded` how it is written for so many values of each.
    """

    compiled: SQLCompiler
    words: frozenset[str]
    changes: frozenset[str]
    writes: frozenset[str]
    binds: Sequence[tuple[str, str, _Convert]]
    own: Parameters
    names: Sequence[str] | None
    converters: Sequence[tuple[int, Callable[[Any], Any]]]
    lists: Sequence[str]
    expanded: dict[tuple[int, ...], _Expanded] = field(default_factory=dict[tuple[int, ...], "_Expanded"])

    def bound(self, parameters: Parameters) -> tuple[str, Bound]:
        """The SQL and its values, as the driver takes them; raises `KeyError` where one is missing."""
        if self.lists:
            return self._expanded(parameters)
        given = {**self.own, **parameters} if self.own else parameters
        values = [given[key] if convert is None else convert(given[key]) for _, key, convert in self.binds]
        if self.compiled.positional:
            return self.compiled.string, values
        return self.compiled.string, dict(zip([name for name, *_ in self.binds], values, strict=True))

    def _expanded(self, parameters: Parameters) -> tuple[str, Bound]:
        """The same of a statement with lists (`IN`), whose SQL has a place for each of their values. SQLAlchemy takes
        longer to write it than SQLite to answer it, so it is kept for as many values.
        """
        given = {**self.own, **parameters}
        lists = {name: list(given[name]) for name in self.lists}
        counts = tuple(map(len, lists.values()))
        form = self.expanded.get(counts)
        if form is None:
            form = self._written(parameters)
            if len(self.expanded) < MOST_EXPANDED:
                self.expanded[counts] = form
        sql, places = form
        given |= lists
        values = [_converted(given[key] if at is None else given[key][at], convert) for _, key, at, convert in places]
        if self.compiled.positional:
            return sql, values
        return sql, dict(zip([name for name, *_ in places], values, strict=True))

    def _written(self, parameters: Parameters) -> _Expanded:
        """The SQL for lists that are as long as these, and where its values stand."""
        state = self.compiled.construct_expanded_state(dict(parameters))
        places: dict[str, _Place] = {name: (name, key, None, convert) for name, key, convert in self.binds}
        for name, expanded in state.parameter_expansion.items():
            key = places[name][1]
            places |= {one: (one, key, at, state.processors.get(one)) for at, one in enumerate(expanded)}
        names = (state.positiontup or ()) if self.compiled.positional else list(state.parameters)
        return state.statement, [places[name] for name in names]

    def rows(self, found: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
        """The driver's rows, as values of Python."""
        return [self._row(row) for row in found] if self.converters else found

    def _row(self, found: Sequence[Any]) -> Sequence[Any]:
        row = list(found)
        for at, convert in self.converters:
            row[at] = convert(row[at])
        return row


def compiled(statement: Executable, dialect: Dialect, parameters: Parameters) -> CompiledStatement:
    """Compile it, an INSERT for the columns that these parameters name; it takes all of them."""
    assert isinstance(statement, ClauseElement), "what is executed can be compiled"
    columns = list(parameters) if isinstance(statement, Insert) and parameters else None
    made = statement.compile(dialect=dialect, column_keys=columns)
    assert isinstance(made, SQLCompiler)
    binds = {name: bind for bind, name in made.bind_names.items()}
    unknown = parameters.keys() - {bind.key for bind in binds.values()}
    assert not unknown, f"the statement does not take {unknown}"
    order = (made.positiontup or []) if made.positional else list(binds)
    read = _columns(statement)
    names = [getattr(column, "name", None) for column in read or ()]
    converters = [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in read or ()]
    words = frozenset(re.findall(r"\w+", made.string))
    return CompiledStatement(
        compiled=made,
        words=words,
        changes=_changed_tables(statement, words),
        writes=_written_tables(statement, words),
        binds=[
            (name, binds[name].key, binds[name].type.dialect_impl(dialect).bind_processor(dialect)) for name in order
        ],
        own={bind.key: bind.effective_value for bind in binds.values() if not bind.required},
        names=[name for name in names if name] if all(names) else None,
        converters=[(at, convert) for at, convert in enumerate(converters) if convert is not None],
        lists=sorted(bind.key for bind in made.post_compile_params),
    )


def _changed_tables(statement: Executable, words: frozenset[str]) -> frozenset[str]:
    """That of an UPDATE or DELETE, or of an INSERT that may become an UPDATE; any that SQL written by hand names."""
    is_insert = isinstance(statement, Insert) and _only_adds(statement)
    return frozenset() if is_insert else _written_tables(statement, words)


def _written_tables(statement: Executable, words: frozenset[str]) -> frozenset[str]:
    """The same, and that of any INSERT."""
    if isinstance(statement, SelectBase):
        return frozenset()
    return frozenset({cast("Table", statement.table).name}) if isinstance(statement, UpdateBase) else words


def _only_adds(statement: Insert) -> bool:
    """Whether rows that are there stay as they are."""
    on_conflict = getattr(statement, "_post_values_clause", None)
    return on_conflict is None or isinstance(on_conflict, OnConflictDoNothing)


def _columns(statement: Executable) -> Sequence[Any] | None:
    """The columns of its rows; None of SQL that was written by hand."""
    if isinstance(statement, SelectBase):
        return list(statement.selected_columns)
    return list(statement.exported_columns) if isinstance(statement, UpdateBase) else None


def _converted(value: Any, convert: _Convert) -> Any:
    return value if convert is None else convert(value)


# Several rows in one statement -------------------------------------------------------------------------------------


def portions(rows: Sequence[Parameters]) -> Iterator[Sequence[Parameters]]:
    """As many of the rows as one statement takes, then the next ones. Of how many rows there are statements is the same
    whatever their number, so that each is soon compiled.
    """
    most, at = max(1, MOST_VALUES // len(rows[0])) if rows else 1, 0
    while at < len(rows):
        count = _portion(len(rows) - at, most)
        yield rows[at : at + count]
        at += count


def _portion(left: int, most: int) -> int:
    """Of so many rows the first: all of a few, else the largest power of two, or as many as a statement takes."""
    if left >= most or left <= _FEW_ROWS:
        return min(left, most)
    return 1 << (left.bit_length() - 1)


def numbered(rows: Sequence[Parameters]) -> Parameters:
    """What a statement for so many rows is given: each value under its column and the number of its row."""
    columns = tuple(rows[0])
    return dict(zip(_numbered(columns, len(rows)), [row[name] for row in rows for name in columns], strict=True))


@cache
def _numbered(columns: tuple[str, ...], count: int) -> tuple[str, ...]:
    return tuple(f"{name}_{n}" for n in range(count) for name in columns)


def places_of(columns: Sequence[Column[Any]], count: int) -> list[dict[str, BindParameter[Any]]]:
    """Where the values of so many rows go; `numbered` has them."""
    return [{each.name: bindparam(f"{each.name}_{n}", type_=each.type) for each in columns} for n in range(count)]


def table_of(columns: Sequence[Column[Any]], count: int) -> Subquery:
    """So many rows that are given, as a table with these columns. SQLite has no names for the columns of VALUES."""
    rows = [select(*(place.label(name) for name, place in row.items())) for row in places_of(columns, count)]
    return union_all(*rows).subquery("given")
