"""The instruments of the costs: nothing that reaches a database gets around them."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import aiosqlite
import psycopg

from tests.verification.costs import postgresql_wire, sqlite_wire
from tests.verification.costs.causes import Causes
from tests.verification.costs.meter import Meter, Tally
from tests.verification.costs.traffic import Traffic


async def test_sqlite_tells_of_every_connection(tmp_path: Path) -> None:
    """Whatever opened it: a statement past our own driver counts, and a transaction that changed no row only read."""
    meter, causes = Meter(), Causes()
    with causes.noted(), sqlite_wire.heard(tmp_path / "it.db", meter, causes):
        with closing(sqlite3.connect(tmp_path / "it.db", isolation_level=None)) as plain:
            plain.execute("CREATE TABLE things (name TEXT)")
            plain.execute("CREATE TRIGGER noticed AFTER INSERT ON things BEGIN UPDATE things SET name = name; END")
        assert meter.taken() == [("", Tally(statements=1))] * 2
        async with aiosqlite.connect(tmp_path / "it.db", isolation_level=None) as other:
            await other.execute("BEGIN IMMEDIATE")
            await other.executemany("INSERT INTO things VALUES (?)", [("a",), ("b",)])
            await other.execute("COMMIT")
            await other.execute("BEGIN")
            await other.execute("UPDATE things SET name = 'c' WHERE name = 'nobody'")
            await other.execute("COMMIT")
    assert meter.taken() == [("", Tally(statements=2, writing=1)), ("", Tally(statements=1, reading=1))]


async def test_libpq_tells_of_every_connection(postgres_url: str) -> None:
    """The same of PostgreSQL, also of a statement that was prepared, and of one with a line break."""
    meter, causes, traffic = Meter(), Causes(), Traffic()
    with causes.noted(), postgresql_wire.heard(meter, causes, traffic):
        async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as connection:
            for number in range(7):
                await connection.execute("SELECT %s::int,\n 'a \"name\"'", [number])
            assert meter.taken() == [("", Tally(statements=1))] * 7
            async with connection.transaction():
                await connection.execute("CREATE TEMPORARY TABLE things (name text)")
                await connection.execute("INSERT INTO things VALUES ('a')")
            async with connection.transaction():
                await connection.execute("DELETE FROM things WHERE name = 'nobody'")
    assert meter.taken() == [("", Tally(statements=2, writing=1)), ("", Tally(statements=1, reading=1))]


def test_a_look_that_shares_a_commit_stands_alone() -> None:
    """On a busy machine one is ready when somebody else writes: it counts as it would have alone. What writes counts
    with whom it shares the commit.
    """
    meter = Meter()
    meter.statement(1, "BEGIN", "model")
    for text, cause in (("INSERT", "model"), ("SELECT", "thread"), ("SELECT", "relay"), ("UPDATE", "relay")):
        meter.statement(1, text, cause)
        if text != "SELECT":
            meter.changed(1)
    meter.statement(1, "COMMIT", "model")
    assert meter.taken() == [
        ("model", Tally(statements=3, writing=1)),
        ("thread", Tally(statements=1, reading=1)),
    ]


async def test_a_statement_is_caused_by_the_nearest_named_task(tmp_path: Path) -> None:
    """Also where a task without a name makes it, as one does whose end is awaited although it is cancelled."""
    meter, causes = Meter(), Causes()

    async def write() -> None:
        async with aiosqlite.connect(tmp_path / "it.db", isolation_level=None) as connection:
            await asyncio.create_task(connection.execute("CREATE TABLE things (name TEXT)"))

    with causes.noted(), sqlite_wire.heard(tmp_path / "it.db", meter, causes):
        await asyncio.create_task(write(), name="model of run_0123456789abcdefghij")
    assert meter.taken() == [("model of #", Tally(statements=1))]
