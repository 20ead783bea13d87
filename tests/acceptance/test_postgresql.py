"""The main job with the bot's rows in a real PostgreSQL."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import SecretStr

from bot.clock import SystemClock
from bot.secrets import new_key
from playground.people import DANA, TEAM_ID
from tests.acceptance.mortal import ROOT
from tests.acceptance.world import APPROVE, World


async def test_an_approved_mail_is_sent_once_on_postgresql(postgres_url: str, idle_world: World) -> None:
    """Ask, card, click, effect, answer and a log that verifies: as on SQLite."""
    await idle_world.start_bot(database_url=postgres_url, encryption_keys=SecretStr(new_key()))
    await idle_world.connect(DANA)
    card = await idle_world.card_for(DANA, "Please email helen.marsh@marshgardens.example that Thursday works.")
    await idle_world.click(DANA, card, APPROVE)
    await idle_world.until(lambda: idle_world.sent(DANA), "the mail")
    await idle_world.answer_in(idle_world.dm_of(DANA), "sent")
    await idle_world.audited("run.completed")
    assert len(await idle_world.sent(DANA)) == 1


async def test_a_replica_whose_machine_has_the_wrong_time(
    postgres_url: str, idle_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two days ahead, it shows and keeps times of the database, and goes on looking at that clock."""

    def ahead(self: SystemClock) -> datetime:
        return datetime.now(UTC) + timedelta(days=2)  # noqa: TID251 - the clock of a machine

    monkeypatch.setattr(SystemClock, "now", ahead)
    bot = await idle_world.start_bot(database_url=postgres_url, encryption_keys=SecretStr(new_key()))
    await idle_world.connect(DANA)
    card = await idle_world.card_for(DANA, "Please email helen.marsh@marshgardens.example that Thursday works.")
    (asked,) = await idle_world.read(lambda work: work.questions.open_of(TEAM_ID, DANA.user_id, limit=9))
    assert abs(asked.created_at - datetime.now(UTC)) < timedelta(minutes=5)  # noqa: TID251 - the database's machine
    await idle_world.click(DANA, card, APPROVE)
    await idle_world.until(lambda: idle_world.sent(DANA), "the mail")
    async with idle_world.slack.http.get(f"{bot.url}/readyz") as ready:
        assert '"clock":true' in await ready.text()


async def test_every_part_is_told_of(postgres_url: str, idle_world: World) -> None:
    """The parts that `/readyz` names are those of the table in the docs."""
    bot = await idle_world.start_bot(database_url=postgres_url, encryption_keys=SecretStr(new_key()))
    async with idle_world.slack.http.get(f"{bot.url}/readyz") as ready:
        parts = (await ready.json())["parts"]
    page = (ROOT / "docs/how-to/watch-it.md").read_text(encoding="utf-8")
    table = page.partition("\n## Parts\n")[2].partition("\n## ")[0]
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    assert sorted(parts) == sorted(re.findall(r"`(\w+)`", " ".join(rows)))
