"""The sealer: what is written wakes it, and one failed look at the log does not end it."""

from __future__ import annotations

import asyncio

from structlog.testing import capture_logs

from bot.domain.audit import AuditCode, AuditEvent
from bot.runtime.audit.sealer import Sealer
from tests.builders import TEAM
from tests.stores import Opened


async def test_a_store_that_cannot_be_read_is_waited_for(base: Opened) -> None:
    """Sealing goes on when the log can be read again."""
    async with base.store.write() as work:
        await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor="agent"))
    await base.tamper("ALTER TABLE audit RENAME TO away")
    with capture_logs() as logs:
        task = asyncio.create_task(Sealer(store=base.store, keyring=base.keyring, tick_seconds=0.01).run())
        while not logs:
            await asyncio.sleep(0.01)
    assert (logs[0]["event"], "exc_info" in logs[0]) == ("audit.not_sealed", False)
    await base.tamper("ALTER TABLE away RENAME TO audit")
    async with asyncio.timeout(5):
        while not base.rows("SELECT * FROM audit WHERE seq IS NOT NULL"):
            await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_what_is_written_is_sealed_at_once(base: Opened) -> None:
    """The sealer waits for no tick when its own process wrote; what writes nothing into the log does not wake it."""
    sealer = Sealer(store=base.store, keyring=base.keyring, tick_seconds=30.0, seal_seconds=0.01)
    base.store.on_commit(sealer.committed)
    task = asyncio.create_task(sealer.run())
    for n in (1, 2):
        async with base.store.write() as work:
            await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor="agent"))
        async with asyncio.timeout(5):
            while len(base.rows("SELECT * FROM audit WHERE seq IS NOT NULL")) < n:
                await asyncio.sleep(0.01)
    async with asyncio.timeout(5):
        while sealer.heartbeat.age() < 0.1:  # its last round is over
            await asyncio.sleep(0.01)
    async with base.store.write():
        pass
    await asyncio.sleep(0.1)
    assert sealer.heartbeat.age() >= 0.2
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
