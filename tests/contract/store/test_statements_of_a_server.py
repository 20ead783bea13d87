"""Statements to PostgreSQL: libpq is spoken to without a cursor, so what a cursor would see to is looked at here."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime
from typing import Any, cast

import psycopg
import pytest
from psycopg.pq import ConnStatus

from bot.domain.runs import RunState
from bot.store.engine.postgresql import PostgresqlDatabase
from bot.store.engine.postgresql_driver import Statement
from tests.stores import Opened

_LONG = 3_000_000


async def _asked(base: Opened, sql: str, *values: Any) -> list[Any]:
    """The first column of what a transaction of this statement alone finds."""
    async with base.database.writing(None, lambda: None) as connection:
        return [row[0] for row in (await connection.run(sql, values)).rows]


async def test_the_loop_goes_on_while_the_server_works(postgresql: Opened) -> None:
    """A statement that takes long holds up nobody else, also where half of its answer is there: here it waits for what
    the loop does next.
    """
    rows = "SELECT repeat('a', 20000), pg_advisory_xact_lock(n * $1::bigint) FROM generate_series(1, 2) AS n"
    async with postgresql.database.writing(None, lambda: None) as holding:
        await holding.run("SELECT pg_advisory_xact_lock(2)", ())
        asking = asyncio.create_task(_asked(postgresql, rows, 1))
        while not postgresql.rows("SELECT 1 AS one FROM pg_locks WHERE NOT granted"):
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.05)  # the first row arrives
        assert not asking.done()
    assert await asking == ["a" * 20_000] * 2


@pytest.mark.parametrize("times", [1, 3], ids=["unprepared", "prepared"])
async def test_values_arrive_as_they_are(postgresql: Opened, times: int) -> None:
    """Whatever a column may have, also where the statement came before and is prepared."""
    for sql, value in (
        ("SELECT $1::text", 'a "b" \\ %s {c}, ü 🙂'),
        ("SELECT $1::bigint", -(2**63)),
        ("SELECT $1::boolean", True),
        ("SELECT $1::boolean", False),
        ("SELECT $1::float", -0.1),
        ("SELECT $1::timestamp", datetime(2026, 11, 29, 23, 59, 59, 1)),
        ("SELECT $1::bytea", bytes(range(256))),
        ("SELECT $1::text[]", ["a", '"b"', "\\c", "{d,e}", "", "NULL"]),
        ("SELECT $1::text", None),
    ):
        for _ in range(times):
            assert await _asked(postgresql, sql, value) == [value]
    assert await _asked(postgresql, "SELECT $1::text", RunState.QUEUED) == ["queued"]
    assert await _asked(postgresql, "SELECT $1::text", "a\0b") == ["a\N{REPLACEMENT CHARACTER}b"]
    with pytest.raises(TypeError, match="no column has"):
        await _asked(postgresql, "SELECT $1::text", object())


async def test_text_is_utf_8_whatever_the_environment_says(postgresql: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """libpq takes another encoding from its environment, and a database may have one."""
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    database = PostgresqlDatabase(postgresql.url)
    async with database.reading(None) as connection:
        assert (await connection.run("SELECT $1::text, octet_length($1::text)", ["ü"])).rows == [("ü", 2)]
    await database.dispose()


async def test_a_long_text_is_written_and_read(postgresql: Opened) -> None:
    """One that is sent in several parts, and answered while it is."""
    texts = ["a" * _LONG, "ü" * _LONG]
    assert await asyncio.gather(*(_asked(postgresql, "SELECT $1::text", text) for text in texts)) == [
        [text] for text in texts
    ]


async def test_a_statement_that_was_cut_off_leaves_its_connection(postgresql: Opened) -> None:
    """The server gives it up, and the next transaction has the same connection."""
    (before,) = await _asked(postgresql, "SELECT pg_backend_pid()")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await _asked(postgresql, "SELECT pg_sleep(3600)")
    assert await _asked(postgresql, "SELECT pg_backend_pid()") == [before]


async def test_a_table_that_changed_is_read_anew(postgresql: Opened) -> None:
    """What was prepared for it as it was fails once, and then no more, on the same connection."""
    await _asked(postgresql, "CREATE TABLE changing AS SELECT 1 AS n")
    for _ in range(3):
        assert await _asked(postgresql, "SELECT n FROM changing") == [1]
    (before,) = await _asked(postgresql, "SELECT pg_backend_pid()")
    await postgresql.tamper("ALTER TABLE changing ALTER n TYPE text")
    with pytest.raises(psycopg.NotSupportedError):
        await _asked(postgresql, "SELECT n FROM changing")
    for _ in range(3):
        assert await _asked(postgresql, "SELECT n FROM changing") == ["1"]
    assert await _asked(postgresql, "SELECT pg_backend_pid()") == [before]


async def test_nothing_runs_behind_a_begin_that_failed(postgresql: Opened) -> None:
    """A caller that goes on after an error has no transaction: its next statement would be one of its own."""
    await _asked(postgresql, "CREATE TABLE kept (n int)")
    with pytest.raises(psycopg.errors.InFailedSqlTransaction):
        await _goes_on(cast("PostgresqlDatabase", postgresql.database))
    assert postgresql.rows("SELECT n FROM kept") == []


async def _goes_on(database: PostgresqlDatabase) -> None:
    async with database.writing(None, lambda: None) as connection:
        await connection.begin([("BEGIN ISOLATION LEVEL NONE", ())])
        with suppress(psycopg.errors.SyntaxError):
            await connection.run("SELECT 1", ())
        await connection.run("INSERT INTO kept VALUES (1)", ())


async def test_a_socket_that_libpq_closed_is_watched_by_nobody(postgresql: Opened) -> None:
    """The server goes while a long text is handed to libpq, which notices and closes the socket. Its number is that of
    the next one: whoever opens that could not watch it, or would be called for it.
    """
    async with cast("PostgresqlDatabase", postgresql.database).reading(None) as connection:
        (row,) = (await connection.run("SELECT pg_backend_pid()", ())).rows
        number = connection.libpq.socket
        with psycopg.connect(postgresql.url, autocommit=True) as other:  # nobody else has a turn meanwhile
            other.execute("SELECT pg_terminate_backend(%s, 5000)", row)
        long: Statement = ("SELECT $1::text", ["a" * _LONG])
        await connection.begin([long, long])
        with pytest.raises(psycopg.OperationalError):
            await connection.run(*long)
        assert connection.libpq.status != ConnStatus.OK
        assert not asyncio.get_running_loop().remove_reader(number)


async def test_a_transaction_that_read_is_over_though_nobody_waits_for_that(postgresql: Opened) -> None:
    """Its connection, lent again, sees what was written since."""
    pids = set[int]()
    for n in range(3):
        await _asked(postgresql, "CREATE TABLE IF NOT EXISTS counted (n int)")
        await postgresql.tamper(f"INSERT INTO counted VALUES ({n})")
        async with postgresql.database.reading(None) as connection:
            rows = (await connection.run("SELECT count(*), pg_backend_pid() FROM counted", ())).rows
            pids.add(rows[0][1])
            assert rows[0][0] == n + 1
    assert len(pids) == 1
