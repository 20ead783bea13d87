"""Databases that have been in use for long: copies of a request as it really was, each with names of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from bot.store.tables.catalog import metadata

_NAMES: Mapping[str, frozenset[str]] = {
    "threads": frozenset({"id", "root_ts"}),
    "messages": frozenset({"id", "thread_id", "run_id", "root_ts", "ts"}),
    "runs": frozenset({"id", "thread_id", "source_key", "message_id"}),
    "steps": frozenset({"id", "run_id"}),
    "contents": frozenset({"run_id"}),
    "actions": frozenset({"id", "run_id", "step_id", "thread_id"}),
    "questions": frozenset({"id", "run_id", "step_id", "action_id", "thread_id"}),
    "outbox": frozenset({"lane", "subject"}),
    "posts": frozenset({"run_id", "slot", "ts"}),
}
"""The columns of each table that name a row of the request, or a message in Slack."""

_NUMBERS = {"messages": "n", "questions": "n", "outbox": "id"}
"""What SQLite numbers by itself."""


def copy_request(file: Path, run_id: str, count: int) -> None:
    """Put so many copies of this run into the database, with all that belongs to it. Old ones have lost their
    instruction, as retention leaves them.
    """
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA synchronous=OFF")
        (thread_id,) = connection.execute("SELECT thread_id FROM runs WHERE id = ?", (run_id,)).fetchone()
        for table in _NAMES:
            connection.execute(_statement(table), {"run": run_id, "thread": thread_id, "count": count})
        connection.execute("ANALYZE")


def _statement(table: str) -> str:
    columns = [column.name for column in metadata.tables[table].columns if column.name != _NUMBERS.get(table)]
    listed = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(_value(table, column) for column in columns)
    numbers = "WITH RECURSIVE numbers(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM numbers WHERE k < :count)"
    return f"{numbers} INSERT INTO {table} ({listed}) SELECT {values} FROM {table}, numbers WHERE {_of_run(table)}"


def _value(table: str, column: str) -> str:
    if column in _NAMES[table]:
        return f"\"{column}\" || '-' || k"
    return "''" if column == "instruction" else f'"{column}"'


def _of_run(table: str) -> str:
    """Which of its rows are the request's."""
    own = {
        "threads": "id = :thread",
        "runs": "id = :run",
        "messages": "thread_id = :thread",
        "outbox": "lane = :thread",
    }
    return own.get(table, "run_id = :run")
