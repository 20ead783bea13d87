"""Accounts that are kept on one replica while another takes them away, on PostgreSQL: none is left behind."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.runtime.connections import Tokens
from tests.builders import DANA, TEAM
from tests.unit.bot.runtime.house import house
from tests.unit.bot.runtime.test_connecting import account, office


async def test_an_account_kept_while_the_app_is_removed_goes_with_it(tmp_path: Path, postgres_url: str) -> None:
    """Whoever takes everything away waits for the attempt that is just keeping an account, and finds what it kept."""
    async with house(tmp_path, postgresql=postgres_url) as home:
        made = office(home, account())
        await made.leave()
        kept = made.connecting.connections.sealed(
            TEAM,
            DANA,
            account="sub-1",
            email="d",
            scopes=frozenset({"mail"}),
            tokens=Tokens(access_token="a", refresh_token="r"),
        )
        async with home.base.store.write() as work:
            (attempt,) = [await work.connects.find(row["id"]) for row in home.base.rows("SELECT id FROM connects")]
            assert attempt is not None
            assert await work.connects.end(attempt, at=home.base.clock.at)
            removed = asyncio.create_task(made.ways_out.forget_workspace(TEAM))
            await asyncio.sleep(0.1)  # it waits for this transaction, in the database
            assert not removed.done()
            await work.connections.save(kept, at=home.base.clock.at)
        assert [item.user for item in await removed] == [DANA]
        assert made.connected() == []
        assert await made.given_back() == ["r"]
