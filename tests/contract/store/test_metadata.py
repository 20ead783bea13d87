"""Where a server's database comes from: its tables know their place, and what a dump made of them is a copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.dispatch.local import LocalDispatcher
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.operations.database_copy import DatabaseCopy, IsACopy
from bot.store.engine.session import DatabaseSession
from bot.store.repositories.metadata import Metadata
from tests.postgres import PostgresServer
from tests.stores import Opened, opened

_MADE_ANEW = """
CREATE TABLE made_anew (LIKE marks INCLUDING ALL);
INSERT INTO made_anew SELECT * FROM marks;
DROP TABLE marks;
ALTER TABLE made_anew RENAME TO marks
"""
"""What `pg_restore --clean` does."""


async def _confirmed(base: Opened) -> None:
    """The original is gone."""
    transactions = TransactionFactory(
        store=base.store, clock=base.clock, bus=Bus(), dispatcher=LocalDispatcher(base.store)
    )
    await DatabaseCopy(store=base.store, beside=None).original_is_gone(transactions)


async def test_another_database_with_the_same_rows_is_a_copy(postgres: PostgresServer, tmp_path: Path) -> None:
    """The original goes on as often as it likes; the other one does nothing until the original is said to be gone."""
    with postgres.database() as url:
        async with opened(tmp_path, postgresql=url) as base:
            for _ in range(2):
                await DatabaseCopy(store=base.store, beside=None).claim()
        with postgres.database(like=url) as other:
            async with opened(tmp_path, postgresql=other) as copy:
                origin = DatabaseCopy(store=copy.store, beside=None)
                with pytest.raises(IsACopy, match="from a dump or a copy"):
                    await origin.claim()
                await _confirmed(copy)
                await origin.claim()
        async with opened(tmp_path, postgresql=url) as base:
            await DatabaseCopy(store=base.store, beside=None).claim()


async def test_a_dump_that_is_restored_into_its_own_place_is_a_copy(postgresql: Opened) -> None:
    """What was done since the dump was made is nowhere known there."""
    origin = DatabaseCopy(store=postgresql.store, beside=None)
    await origin.claim()
    await postgresql.tamper(_MADE_ANEW)
    with pytest.raises(IsACopy):
        await origin.claim()


async def test_who_may_not_ask_for_the_server_is_told_the_rest(postgresql: Opened) -> None:
    """Where the cluster's own number is kept from us, the numbers of the database and its table are the place."""
    async with postgresql.store.read() as work:
        whole = await work.metadata.place()
    await postgresql.tamper("""
        REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC;
        CREATE ROLE plain_one; GRANT SELECT ON marks TO plain_one; SET ROLE plain_one
    """)
    try:
        async with postgresql.database.reading(None, long=False) as connection:
            await connection.run("SET LOCAL ROLE plain_one", ())
            session = DatabaseSession(connection, dialect=postgresql.database.dialect, is_shared=True)
            place = await Metadata(session).place()
    finally:
        await postgresql.tamper("""
            GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC; REVOKE ALL ON marks FROM plain_one;
            DROP ROLE plain_one
        """)
    assert whole is not None
    assert place == f"/{whole.partition('/')[2]}"


async def test_a_file_has_no_place_in_a_server(sqlite: Opened) -> None:
    """It has a file beside it."""
    async with sqlite.store.read() as work:
        assert await work.metadata.place() is None
