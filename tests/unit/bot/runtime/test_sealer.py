"""The sealer: one failed look at the log does not end it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.domain.audit import Fact
from bot.runtime.sealer import Sealer
from tests.builders import TEAM
from tests.stores import opened


async def test_a_store_that_cannot_be_read_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sealing goes on when the log can be read again."""
    monkeypatch.setattr("bot.runtime.sealer._TICK_SECONDS", 0.01)
    async with opened(tmp_path) as base:
        async with base.store.write() as work:
            await work.audit.record(Fact(team=TEAM, code="run.queued", actor="agent"))
        await base.tamper("ALTER TABLE audit RENAME TO away")
        task = asyncio.create_task(Sealer(store=base.store, keyring=base.keyring).run())
        await asyncio.sleep(0.05)
        await base.tamper("ALTER TABLE away RENAME TO audit")
        async with asyncio.timeout(5):
            while not base.rows("SELECT * FROM audit WHERE seq IS NOT NULL"):
                await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
