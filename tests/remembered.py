"""Whatever a transaction knows from an earlier one is compared with the rows, each time that it is used."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import is_dataclass
from typing import Any

import pytest
from sqlalchemy import insert

from bot.domain.audit import NO_MARK, mark
from bot.store.engine.session import DatabaseSession
from bot.store.engine.sqlite_driver import SqliteConnection
from bot.store.engine.statements import Prepared
from bot.store.repositories.people import STANDING, STANDS, Standing, standing_of
from bot.store.rows import columns_of, run_columns
from bot.store.tables.runs import actions, runs, steps

_TABLES: dict[str, tuple[Prepared, Callable[[Any], dict[str, Any]]]] = {
    runs.name: (Prepared(insert(runs)), run_columns),
    steps.name: (Prepared(insert(steps)), columns_of),
    actions.name: (Prepared(insert(actions)), columns_of),
}
"""An INSERT converts values as the row has them; each is compiled once."""


@contextmanager
def compared_with_rows() -> Generator[None]:
    """In the block it is an error to know what is not so."""
    recall = DatabaseSession.recall

    def compared(session: DatabaseSession, table: str, key: str) -> Any:
        known = recall(session, table, key)
        if known is not None:
            _compare(session, table, key, known)
        return known

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(DatabaseSession, "recall", compared)
        yield


def _compare(session: DatabaseSession, table: str, key: str, known: Any) -> None:
    connection = session._connection  # pyright: ignore[reportPrivateUsage] - the test asks past the session
    assert isinstance(connection, SqliteConnection), "several writers remember nothing"

    def asked(sql: str, *values: object) -> list[Any]:
        return connection._raw.execute(sql, values).fetchall()  # pyright: ignore[reportPrivateUsage] - as above

    if is_dataclass(known):
        expected, found = _as_columns(session, table, known, key, asked)
    elif table == actions.name:
        expected = sorted(known)
        found = sorted(id_ for (id_,) in asked("SELECT id FROM actions WHERE step_id = ?", key.removeprefix("all of ")))
    elif table == "leases":
        expected, found = [known], asked("SELECT holder, epoch FROM leases WHERE name = ?", key)
    elif table == "keys of people":
        expected, found = [(1,)], asked("SELECT count(*) FROM person_keys WHERE team || ' ' || user = ?", key)
    elif table == STANDS:
        expected, found = known, _standing(session, key, asked)
    elif "numbers" in table:
        expected, found = [(known,)], asked("SELECT max(number) FROM audit WHERE scope = ?", key)
    else:
        heads = asked("SELECT seq, hash FROM audit_heads WHERE team = ?", key)
        expected, found = known, mark(*heads[0]) if heads else NO_MARK
    assert found == expected, f"{table} {key}: known as {expected}, but it is {found}"


def _standing(session: DatabaseSession, key: str, asked: Callable[..., list[Any]]) -> Standing:
    length, _, person = key.partition(" ")
    team, user = person[: int(length)], person[int(length) + 1 :]
    values = {"team": team, "user": user}
    form = STANDING.compiled(session._dialect, values)  # pyright: ignore[reportPrivateUsage] - as above
    sql, bound = form.bound(values)
    return standing_of(team, form.rows(asked(sql, *bound)))


def _as_columns(
    session: DatabaseSession, name: str, known: Any, key: str, asked: Callable[..., list[Any]]
) -> tuple[list[Any], list[Any]]:
    stored, columns = _TABLES[name]
    values = columns(known)
    form = stored.compiled(session._dialect, values)  # pyright: ignore[reportPrivateUsage] - as above
    names = ", ".join(f'"{parameter}"' for _, parameter, _ in form.binds)
    _, bound = form.bound(values)
    (row,) = asked(f"SELECT {names} FROM {name} WHERE id = ?", key)
    return [str(value) for value in bound], [str(value) for value in row]
