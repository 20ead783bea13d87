"""The bytes that are stored: triggers note the length of each row as it is inserted or changed.

A database writes the whole row anew, whichever of its columns changed. The instruction is counted by how often it is
written, because its length changes with its words.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Column, Table

from bot.store.tables.catalog import metadata
from bot.store.tables.columns import Json, Worded, Words

INSTRUCTION = "instruction"
_NUMBER_BYTES = 8
_BY_THE_CLOCK = {"leases"}
_TEXTS = (Words, Json, Worded)

Rows = Callable[[str], Sequence[Sequence[Any]]]
"""Reads rows past the bot and every count."""


@dataclass(slots=True)
class Written:
    """What was written since the last look."""

    rows: Rows
    _seen: int = 0

    def taken(self) -> Counter[str]:
        """Bytes of each table, and how often the instruction was written."""
        found: Counter[str] = Counter()
        for n, place, size, instructed in self.rows(f"SELECT * FROM written WHERE n > {self._seen} ORDER BY n"):
            self._seen = n
            found[place] += size
            found[INSTRUCTION] += bool(instructed)
        return +found


@contextmanager
def in_sqlite(file: Path) -> Generator[Written]:
    """Note it in this file from now on."""
    with closing(sqlite3.connect(f"file:{file}", uri=True, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE written (n INTEGER PRIMARY KEY, place, bytes, instructed)")
        for table in _tables():
            note = _note(table, "length(CAST({} AS BLOB))")
            for change in ("INSERT", "UPDATE"):
                name = f"written_{change}_{table.name}"
                connection.execute(f"CREATE TRIGGER {name} AFTER {change} ON {table.name} BEGIN {note} END")
        yield Written(lambda query: connection.execute(query).fetchall())


@contextmanager
def in_postgresql(url: str) -> Generator[Written]:
    """Note it in this database from now on."""
    with psycopg.connect(url, autocommit=True) as connection:

        def rows(query: str) -> Sequence[Sequence[Any]]:
            return connection.execute(query.encode()).fetchall()

        connection.execute("CREATE TABLE written (n bigserial, place text, bytes bigint, instructed bool)")
        for table in _tables():
            for statement in _postgresql_trigger(table):
                connection.execute(statement.encode())
        yield Written(rows)


def _postgresql_trigger(table: Table) -> Iterator[str]:
    body = f"BEGIN {_note(table, 'octet_length({})')} RETURN NULL; END"
    name = f"note_{table.name}()"
    yield f"CREATE FUNCTION {name} RETURNS trigger LANGUAGE plpgsql AS $${body}$$"
    yield f"CREATE TRIGGER written AFTER INSERT OR UPDATE ON {table.name} FOR EACH ROW EXECUTE FUNCTION {name}"


def _tables() -> Iterator[Table]:
    return (table for name, table in metadata.tables.items() if name not in _BY_THE_CLOCK)


def _note(table: Table, octets: str) -> str:
    """The statement that notes a new row; `octets` is how this database spells the bytes of a text."""
    instructed = f"new.{INSTRUCTION} <> ''" if INSTRUCTION in table.columns else "false"
    length = " + ".join(_length(column, octets) for column in table.columns if column.name != INSTRUCTION)
    return f"INSERT INTO written (place, bytes, instructed) VALUES ('{table.name}', {length}, {instructed});"


def _length(column: Column[Any], octets: str) -> str:
    """Of a text its bytes; numbers and moments have one length, however many digits they have."""
    if not isinstance(column.type, _TEXTS):
        return str(_NUMBER_BYTES)
    name = f'new."{column.name}"'
    return f"coalesce({octets.format(name)}, 0)"
