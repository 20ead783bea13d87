"""Connections to PostgreSQL: what the URL says of them, and what becomes of them when the server ends them."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url, text

from bot.store.engine.database import database_for
from bot.store.errors import MaybeSaved, NotRead, NotSaved
from bot.store.store import Store
from tests.lost_commits import Lost, way_to
from tests.stores import Opened, opened

_END_ALL = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


async def _at_once(store: Store, most: int) -> list[BaseException | None]:
    """So many read at the same time, each on a connection of its own."""
    met = asyncio.Barrier(most)

    async def read() -> None:
        async with store.read() as work:
            await met.wait()
            await work.runs.live("thr_1")

    return await asyncio.gather(*(read() for _ in range(most)), return_exceptions=True)


async def test_a_server_that_came_back_is_used_at_once(postgresql: Opened) -> None:
    """Connections that ended while nobody used them are not lent: nobody hears of a server that was started anew."""
    assert await _at_once(postgresql.store, 4) == [None] * 4
    await postgresql.tamper(_END_ALL)
    assert [await _at_once(postgresql.store, 1) for _ in range(4)] == [[None]] * 4


async def test_a_connection_that_ends_in_the_middle_of_a_write(postgresql: Opened) -> None:
    """Nothing is saved or told, and the next one writes."""
    told = list[str]()

    async def ended() -> None:
        async with postgresql.store.write() as work:
            work.after_commit(lambda: told.append("never"))
            await work.metadata.set("mark", "lost")
            await postgresql.tamper(_END_ALL)

    with pytest.raises(NotSaved):
        await ended()
    async with postgresql.store.write() as work:
        assert await work.metadata.find("mark") is None
        await work.metadata.set("mark", "kept")
    assert told == []
    assert postgresql.rows("SELECT value FROM marks WHERE name = 'mark'") == [{"value": "kept"}]


async def test_a_statement_without_values_is_sent_as_it_is(postgresql: Opened) -> None:
    """A percent sign is one, whether there are values or none."""
    async with postgresql.store.read() as work:
        assert await work.session.value(text("SELECT '5%'")) == "5%"


@pytest.mark.parametrize("hosts", ["host={}&host={}", "host={},{}"], ids=["SQLAlchemy's", "libpq's"])
async def test_several_servers_in_one_url(postgresql: Opened, hosts: str) -> None:
    """Both ways to name several servers work: the first that answers is used."""
    url = make_url(postgresql.url)
    (here,) = {url.host, url.query.get("host")} - {None}
    rest = "&".join(f"{name}={value}" for name, value in url.query.items() if name != "host")
    at = f"{url.username}:{url.password}@" if url.password else f"{url.username}@"
    several = f"postgresql://{at}/{url.database}?{hosts.format(here, '/nowhere')}&{rest}".rstrip("&")
    database = database_for(several)
    try:
        async with database.reading(None, long=False) as connection:
            assert (await connection.run("SELECT 1", ())).rows == [(1,)]
    finally:
        await database.dispose()


async def test_what_libpq_does_not_know_is_told_where_it_is_used(postgresql: Opened) -> None:
    """A URL with an unknown option names a database all the same; it cannot be read."""
    separator = "&" if "?" in postgresql.url else "?"
    database = database_for(f"{postgresql.url}{separator}nonsense=1")
    store = Store(database, keyring=postgresql.keyring, clock=postgresql.clock)
    try:
        with pytest.raises(NotRead, match="nonsense"):
            async with store.read() as work:
                await work.runs.live("thr_1")
    finally:
        await database.dispose()


async def test_a_password_may_have_any_characters(postgresql: Opened) -> None:
    """What the URL says of user and password reaches the server as it is."""
    name, password = "us@er", "p@ss /w:rd?+100%'\\ü"
    await postgresql.tamper(f"""
        DROP ROLE IF EXISTS "{name}"; CREATE ROLE "{name}" LOGIN PASSWORD $${password}$$
    """)
    url = make_url(postgresql.url).set(username=name, password=password)
    database = database_for(url.render_as_string(hide_password=False))
    try:
        async with database.reading(None, long=False) as connection:
            assert (await connection.run("SELECT current_user", ())).rows == [(name,)]
    finally:
        await database.dispose()
        await postgresql.tamper(f'DROP ROLE "{name}"')


async def test_a_transaction_that_failed_is_not_saved(postgresql: Opened) -> None:
    """The server answers COMMIT with ROLLBACK once a statement has failed: nothing is told, and who wrote hears it."""
    told = list[str]()

    async def goes_on() -> None:
        async with postgresql.store.write() as work:
            work.after_commit(lambda: told.append("never"))
            await work.metadata.set("mark", "lost")
            with suppress(psycopg.DataError):
                await work.session.value(text("SELECT 1 / 0"))

    with pytest.raises(NotSaved) as caught:
        await goes_on()
    assert not isinstance(caught.value, MaybeSaved)
    assert (told, postgresql.rows("SELECT value FROM marks WHERE name = 'mark'")) == ([], [])


@pytest.mark.parametrize("lost", Lost)
async def test_a_connection_that_is_lost_while_the_server_commits(
    postgres_url: str, tmp_path: Path, lost: Lost
) -> None:
    """It may have been saved, and may not: nothing is told, and who wrote hears that it is not known."""
    told = list[str]()
    async with way_to(postgres_url, tmp_path) as way, opened(tmp_path, postgresql=way.url) as base:

        async def written() -> None:
            async with base.store.write() as work:
                work.after_commit(lambda: told.append("never"))
                await work.metadata.set("mark", "here")
                way.lost = lost

        with pytest.raises(MaybeSaved):
            await written()
        async with base.store.read() as work:
            assert await work.metadata.find("mark") == ("here" if lost is Lost.ANSWER else None)
    assert not told


async def test_a_commit_that_the_server_refuses_is_not_saved(postgresql: Opened) -> None:
    """It says so, and goes on: this is known."""
    await postgresql.tamper("""
        CREATE TABLE checked (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)
    """)

    async def doubled() -> None:
        async with postgresql.store.write() as work:
            await work.session.value(text("INSERT INTO checked VALUES (1), (1) RETURNING n"))

    with pytest.raises(NotSaved) as caught:
        await doubled()
    assert not isinstance(caught.value, MaybeSaved)
    assert postgresql.lent == 0
