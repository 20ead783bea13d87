"""Statements that are compiled once: what is bound to them, and how their rows are read, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import bindparam, insert, select, union_all, update
from sqlalchemy.engine import Dialect

from bot.domain.runs import RunState
from bot.store.engine.database import database_for
from bot.store.engine.statements import Parameters, Prepared, portions
from bot.store.tables.conversations import files
from bot.store.tables.runs import runs

AT = datetime(2026, 11, 26, 2, 30, tzinfo=UTC)
STORED: dict[str, Any] = {"sqlite": "2026-11-26 02:30:00.000000", "postgresql": AT.replace(tzinfo=None)}


@pytest.fixture(params=["sqlite+aiosqlite:///nowhere.db", "postgresql://host/db"], ids=["sqlite", "postgresql"])
def dialect(request: pytest.FixtureRequest) -> Dialect:
    return database_for(request.param).dialect


def bound(statement: Prepared, dialect: Dialect, parameters: Parameters) -> tuple[str, list[Any]]:
    """The SQL in one line, and the values in their order."""
    sql, values = statement.compiled(dialect, parameters).bound(parameters)
    return " ".join(sql.split()), list(values.values() if isinstance(values, dict) else values)


@pytest.mark.parametrize("ids", [[], ["a"], ["a", "b"]])
def test_a_list_of_any_length(dialect: Dialect, ids: list[str]) -> None:
    """The same statement takes an empty list, which finds nothing, and longer ones; what stands beside is converted."""
    statement = Prepared(
        select(runs.c.id).where(runs.c.id.in_(bindparam("ids")), runs.c.created_at <= bindparam("now"))
    )
    sql, values = bound(statement, dialect, {"ids": ids, "now": AT})
    assert sorted(map(str, values)) == sorted(map(str, [*ids, STORED[dialect.name]]))
    assert ("1!=1" in sql.replace(" ", "")) == (not ids)


def test_lists_of_several_lengths_in_turn(dialect: Dialect) -> None:
    """One statement takes lists of other lengths, and other values, each time that it is run."""
    statement = Prepared(
        select(runs.c.id).where(
            runs.c.id.in_(bindparam("ids")),
            runs.c.created_at <= bindparam("now"),
            runs.c.state.in_(bindparam("states")),
        )
    )
    states = [RunState.QUEUED, RunState.PLANNING]
    for ids, some in ((["a"], states), (["b", "c"], states[:1]), (["d"], states[::-1]), ([], states), (["e"], states)):
        sql, values = bound(statement, dialect, {"ids": ids, "now": AT, "states": some})
        given = {*ids, STORED[dialect.name], *(state.value for state in some)}
        assert (set(values), len(values)) == (given, len(given))
        assert sql.count("?" if dialect.name == "sqlite" else "$") == len(given)


def test_members_of_a_list_are_converted(dialect: Dialect) -> None:
    """A word of an enumeration is stored as its word, in a list that is given and in one of the statement's own."""
    statement = Prepared(select(runs.c.id).where(runs.c.state.in_(bindparam("states"))))
    states = [RunState.QUEUED, RunState.PLANNING]
    _, values = bound(statement, dialect, {"states": states})
    assert values == ["queued", "planning"]
    assert bound(Prepared(select(runs.c.id).where(runs.c.state.in_(states))), dialect, {})[1] == values


def test_one_value_at_several_places(dialect: Dialect) -> None:
    """A parameter that stands twice in a statement is given once."""
    later = update(runs).where(runs.c.not_before < bindparam("at")).values(not_before=bindparam("at"))
    _, values = bound(Prepared(later), dialect, {"at": AT})
    assert set(values) == {STORED[dialect.name]}


def test_an_insert_has_the_columns_that_are_given(dialect: Dialect) -> None:
    """None is a value; what is not named stays with the database. A name that is no column is a defect."""
    statement = Prepared(insert(files))
    sql, values = bound(statement, dialect, {"id": "f1", "content": None})
    assert sql.startswith("INSERT INTO files (id, content) VALUES")
    assert values == ["f1", None]
    assert bound(statement, dialect, {"id": "f1"})[0].startswith("INSERT INTO files (id) VALUES")
    with pytest.raises(AssertionError, match="nonsense"):
        bound(statement, dialect, {"id": "f1", "nonsense": 1})


def test_what_lacks_a_value_is_not_run(dialect: Dialect) -> None:
    with pytest.raises(KeyError, match="now"):
        bound(Prepared(select(runs.c.id).where(runs.c.created_at <= bindparam("now"))), dialect, {})


def test_rows_are_read_by_the_types_of_their_columns(dialect: Dialect) -> None:
    """Also those of several selects in one."""
    one = select(runs.c.state, runs.c.created_at)
    row = ("queued", STORED[dialect.name])
    for statement in (Prepared(one), Prepared(union_all(one, one))):
        form = statement.compiled(dialect, {})
        assert [list(read) for read in form.rows([row])] == [[RunState.QUEUED, AT]]
        assert form.names == ["state", "created_at"]


@pytest.mark.parametrize("width", [1, 6, 40, 200])
def test_rows_of_any_number_are_portions_of_a_few_sizes(width: int) -> None:
    """A statement is compiled for each size of a portion. All rows are in one, in their order."""
    sizes = set[int]()
    for count in range(300):
        rows = [{f"column{n}": (at, n) for n in range(width)} for at in range(count)]
        some = list(portions(rows))
        assert [row for each in some for row in each] == rows
        sizes |= {len(each) for each in some}
    assert len(sizes) <= 10
    assert max(sizes) == max(1, 128 // width)


def test_a_few_rows_are_one_portion() -> None:
    """As what a step adds to a table is one statement."""
    assert [len(list(portions([{"a": 1}] * count))) for count in range(6)] == [0, 1, 1, 1, 1, 2]
