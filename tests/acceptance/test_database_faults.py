"""When the database is locked, full, slow or gone: nothing that is not saved is acknowledged, nothing is done twice."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from pydantic import SecretStr

from bot.runtime.audit.verify import verified
from bot.secrets import new_key
from bot.store.engine.sqlite_driver import SqliteConnection
from playground.people import DANA
from tests.acceptance.slack_side import MAIL_HELEN, at_rest, change, clicked_until_it_counts, final, replies, reply_in
from tests.acceptance.world import APPROVE, HURRIED, PATIENT, Json, World, button_ids
from tests.patience import PATIENCE_SECONDS

_LOCK = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""
PLENTY = 2**30  # pages
IMPATIENT: Mapping[str, Any] = {"patience_seconds": 0.6, "trouble_pause": 0.1, "relay_pause": 0.05}
"""Thirty seconds of trouble take one: everybody waits for less."""
QUICK = replace(PATIENT, sweep_seconds=0.5, **IMPATIENT)


@pytest.fixture
async def here(idle_world: World) -> World:
    """A bot on SQLite."""
    await idle_world.start_bot(timings=QUICK)
    return idle_world


@asynccontextmanager
async def locked(path: Path) -> AsyncGenerator[None]:
    """Another process is in the middle of a write. The bot is in this one: it goes on while that one begins."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", _LOCK, str(path), stdin=PIPE, stdout=PIPE)
    assert process.stdout is not None
    try:
        assert await process.stdout.readline() == b"locked\n"
        yield
    finally:
        await process.communicate(b"")


async def envelopes(here: World, direction: str) -> list[Json]:
    """What went over the sockets this way: events out, acknowledgements in."""
    return [e for e in await here.slack.log() if e["method"] == "WS" and e["direction"] == direction]


async def delivered_again(here: World, times: int) -> None:
    """Wait until Slack has missed so many acknowledgements."""

    async def again() -> bool:
        sent = [e["request"].get("retry_attempt", 0) for e in await envelopes(here, "out")]
        return sum(attempt > 0 for attempt in sent) >= times

    await here.until(again, f"{times} redeliveries")


async def slack_tries_soon(here: World) -> None:
    """Slack's patience, shortened like ours, but for how often it tries: that it gives up is not the question here."""
    await change(here, ack_seconds=1.0, retry_seconds=0.2, retries=200)


async def answered_once(here: World, root: str) -> None:
    """One run, one answer, and a log that verifies."""
    await reply_in(here, here.dm_of(DANA), root, "Hello Dana")
    await at_rest(here, DANA, runs=1)
    assert len(await replies(here, here.dm_of(DANA), root)) == 1
    assert not (await verified(here.base.store, here.base.keyring)).problems


# SQLite -----------------------------------------------------------------------------------------------------------


async def test_security_input_53_a_locked_database(here: World) -> None:
    """What cannot be saved is not acknowledged; Slack brings it again, and it is answered once."""
    await slack_tries_soon(here)
    async with locked(here.settings.sqlite_path):
        root = (await here.say(DANA, "hello"))["ts"]
        await delivered_again(here, 2)
        assert await envelopes(here, "in") == []
    await answered_once(here, root)


async def test_security_input_53_a_click_on_a_locked_database(here: World) -> None:
    """A press that cannot be saved changes nothing, and counts when it is made again."""
    await slack_tries_soon(here)
    card = await here.card_for(DANA, MAIL_HELEN)
    await at_rest(here, DANA, runs=1)
    async with locked(here.settings.sqlite_path):
        await here.click(DANA, card, APPROVE)
    (still,) = await here.cards(here.dm_of(DANA))
    assert APPROVE in button_ids(still)
    assert await here.sent(DANA) == []
    await clicked_until_it_counts(here, DANA, card)
    await final(here, card, "✓ Done.")
    assert len(await here.sent(DANA)) == 1


async def test_security_input_52_a_full_disk(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not fit is not acknowledged; once there is room again it is answered once."""
    await slack_tries_soon(here)
    with only_pages(monkeypatch, 1):
        root = (await here.say(DANA, f"hello {'and so on ' * 3_000}"))["ts"]
        await delivered_again(here, 2)
        assert await envelopes(here, "in") == []
    await reply_in(here, here.dm_of(DANA), root)
    await at_rest(here, DANA, runs=1)
    assert len(await replies(here, here.dm_of(DANA), root)) == 1


async def test_security_input_52_a_disk_that_is_full_when_the_mail_is_out(idle_world: World) -> None:
    """A result that does not fit is written down when there is room: found at Google, and not sent again."""
    here = idle_world
    await here.start_bot(timings=replace(HURRIED, **IMPATIENT))
    await slack_tries_soon(here)
    card = await here.card_for(DANA, MAIL_HELEN)
    await here.google.fault("hold", path="*users/me/drafts/send?*", seconds=30)
    await clicked_until_it_counts(here, DANA, card)
    await here.until(lambda: here.sent(DANA), "the mail")
    async with broken_writes(here, "actions"):
        await here.mend()
        await asyncio.sleep(0.4)
    await final(here, card, "✓ Done.")
    await at_rest(here, DANA, runs=1)
    assert len(await here.sent(DANA)) == 1
    assert not (await verified(here.base.store, here.base.keyring)).problems


@pytest.mark.deep
async def test_a_slow_database(idle_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every statement delayed the same happens, later, and no event has to be sent again."""
    here = idle_world
    await here.start_bot(timings=replace(QUICK, patience_seconds=PATIENCE_SECONDS))
    run = SqliteConnection.run

    async def late(connection: SqliteConnection, sql: str, values: Any) -> Any:
        await asyncio.sleep(0.02)
        return await run(connection, sql, values)

    with monkeypatch.context() as slow:
        slow.setattr(SqliteConnection, "run", late)
        card = await here.card_for(DANA, MAIL_HELEN)
        await here.click(DANA, card, APPROVE)
        await final(here, card, "✓ Done.")
        await at_rest(here, DANA, runs=1)
    assert not any(e["request"].get("retry_attempt") for e in await envelopes(here, "out"))
    assert len(await here.sent(DANA)) == 1


@contextmanager
def only_pages(monkeypatch: pytest.MonkeyPatch, pages: int) -> Generator[None]:
    """The database may not grow over so many pages, which it has already (`PRAGMA max_page_count`)."""
    begin, most = SqliteConnection.begin, pages

    async def limited(connection: SqliteConnection, end: float | None) -> None:
        await begin(connection, end)
        await connection.run(f"PRAGMA max_page_count={most}", ())

    monkeypatch.setattr(SqliteConnection, "begin", limited)
    try:
        yield
    finally:
        most = PLENTY


@asynccontextmanager
async def broken_writes(here: World, table: str, kind: str = "UPDATE") -> AsyncGenerator[None]:
    """Nothing more fits into this table, by statements of this kind."""
    path = here.settings.sqlite_path
    full = f"CREATE TRIGGER full BEFORE {kind} ON {table} BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
    await asyncio.to_thread(_execute, path, full)
    yield
    await asyncio.to_thread(_execute, path, "DROP TRIGGER full")


def _execute(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, timeout=PATIENCE_SECONDS, isolation_level=None)) as database:
        database.execute(statement)


# PostgreSQL -------------------------------------------------------------------------------------------------------


@pytest.fixture
async def shared(idle_world: World, postgres_url: str) -> AsyncGenerator[World]:
    """A bot on PostgreSQL; it leaves before its database does."""
    await idle_world.start_bot(timings=QUICK, database_url=postgres_url, encryption_keys=SecretStr(new_key()))
    await idle_world.connect(DANA)
    yield idle_world
    await idle_world.stop_bot()


def _operator(url: str) -> psycopg.Connection:
    """A connection from outside of the database in question."""
    return psycopg.connect(url.replace(_database(url), "postgres", 1), autocommit=True)


def _database(url: str) -> str:
    return url.partition("@/")[2].partition("?")[0]


def _terminate(url: str) -> int:
    """End every connection to this database; how many there were."""
    with _operator(url) as operator:
        ended = operator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (_database(url),)
        )
        return len(ended.fetchall())


async def test_connections_that_are_cut_all_the_time(shared: World, postgres_url: str) -> None:
    """While the server ends every connection again and again the main job is done, once. It rests a little longer each
    time: a slow machine gets on, too.
    """
    await slack_tries_soon(shared)

    async def cut() -> None:
        for times in count(1):
            await asyncio.to_thread(_terminate, postgres_url)
            await asyncio.sleep(0.4 + times / 10)

    cutting = asyncio.create_task(cut())
    card = await shared.card_for(DANA, MAIL_HELEN)
    await clicked_until_it_counts(shared, DANA, card)
    cutting.cancel()
    await asyncio.gather(cutting, return_exceptions=True)
    await final(shared, card, "✓ Done.")
    await at_rest(shared, DANA, runs=1)
    assert len(await shared.sent(DANA)) == 1
    assert shared.bot is not None
    assert not any(task.done() for task in shared.bot.tasks)
    assert not (await verified(shared.base.store, shared.base.keyring)).problems


async def test_a_server_that_is_away(shared: World, postgres_url: str) -> None:
    """While PostgreSQL takes nobody nothing is acknowledged; the process waits, and answers once afterwards."""
    await slack_tries_soon(shared)
    with away(postgres_url):
        root = (await shared.say(DANA, "hello"))["ts"]
        await delivered_again(shared, 3)
        assert await envelopes(shared, "in") == []
    await answered_once(shared, root)
    assert shared.bot is not None
    assert not any(task.done() for task in shared.bot.tasks)


@contextmanager
def away(url: str) -> Generator[None]:
    """The server refuses every connection to this database, old and new."""
    allow = sql.SQL("ALTER DATABASE {} WITH ALLOW_CONNECTIONS {}")
    name = sql.Identifier(_database(url))
    with _operator(url) as operator:
        operator.execute(allow.format(name, sql.SQL("false")))
        _terminate(url)
        try:
            yield
        finally:
            operator.execute(allow.format(name, sql.SQL("true")))
