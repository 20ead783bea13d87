"""A service account that acts for the domain, end to end: no consent, no card to connect, the same cards to approve."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from playground.people import DANA
from tests.acceptance.world import APPROVE, World, text_of


@pytest.fixture
async def delegated(idle_world: World, tmp_path: Path) -> World:
    """A bot with a service account; nobody has connected anything."""
    await _started(idle_world, tmp_path, google_client_id=None)
    return idle_world


@pytest.fixture
async def both(idle_world: World, tmp_path: Path) -> World:
    """The same, and people of other domains can connect accounts."""
    google = idle_world.google.url
    await _started(
        idle_world,
        tmp_path,
        public_url="http://127.0.0.1:0",
        google_oauth_auth_url=f"{google}/o/oauth2/v2/auth",
    )
    return idle_world


async def _started(idle_world: World, tmp_path: Path, **settings: Any) -> None:
    url = f"{idle_world.google.url}/__admin/service_account"
    async with aiohttp.ClientSession() as http, http.get(url) as answer:
        key = await answer.text()
    file = tmp_path / "robot.json"
    await asyncio.to_thread(_prepare, idle_world.settings.sqlite_path, file, key)
    await idle_world.start_bot(
        google_service_account_file=str(file), google_delegated_domains="fernhill.example", **settings
    )


def _prepare(database: Path, file: Path, key: str) -> None:
    """The key file is there, and no connection is."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("DELETE FROM connections")
        connection.commit()
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as out:
        out.write(key)


async def test_nobody_connects_and_everybody_approves(delegated: World) -> None:
    """A mail is asked about, sent once from the person's own account after Approve, and no connection was made."""
    card = await delegated.card_for(DANA, "Please email helen.marsh@marshgardens.example that Thursday works.")
    assert "helen.marsh@marshgardens.example" in text_of(card)
    assert await delegated.sent(DANA) == []
    await delegated.click(DANA, card, APPROVE)
    await delegated.until(lambda: delegated.sent(DANA), "the mail")
    await delegated.answer_in(delegated.dm_of(DANA), "sent")
    await delegated.audited("run.completed")
    assert len(await delegated.sent(DANA)) == 1
    async with delegated.base.store.read() as work:
        assert await work.connections.of("T0FERNHILL", DANA.user_id) == []


async def test_what_was_not_allowed_is_told_and_nothing_waits(delegated: World) -> None:
    """The person is told what an administrator has to allow; no question stays open."""
    async with (
        aiohttp.ClientSession() as http,
        http.post(f"{delegated.google.url}/__admin/oauth", json={"delegated": []}) as answer,
    ):
        assert answer.status == 200
    await delegated.say(DANA, "Please email helen.marsh@marshgardens.example that Thursday works.")
    await delegated.audited("run.completed")
    async with delegated.base.store.read() as work:
        assert await work.questions.open_of("T0FERNHILL", DANA.user_id, limit=5) == []
    assert await delegated.sent(DANA) == []
    assert "question.asked" not in await delegated.audit_codes()
    with closing(sqlite3.connect(delegated.settings.sqlite_path)) as connection:
        told = [str(row) for row in connection.execute("SELECT response FROM actions")]
    assert any("delegation_missing" in text and "113000000000000000001" in text for text in told)


async def test_whoever_need_not_connect_is_told_so(both: World) -> None:
    """The people of the domain get no link that leads nowhere, although others could connect accounts here."""
    assert "nothing for you to connect" in await both.command(DANA, "connect google")
    assert "connect.offered" not in await both.audit_codes()
