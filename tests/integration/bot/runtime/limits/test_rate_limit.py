"""The rate of requests where several processes count it."""

from __future__ import annotations

from pathlib import Path

from bot.domain.limits import Limits, Rate
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.runs.intake import Admission, Intake
from bot.store.store import Store
from tests.dispatchers import Nobody
from tests.stores import opened
from tests.unit.bot.runtime.limits.test_rate_limit import asked


async def test_replicas_count_by_one_clock(tmp_path: Path, postgres_url: str) -> None:
    """On PostgreSQL it is the server's: what one replica counted refuses nobody at another whose clock is behind."""
    async with opened(tmp_path, postgresql=postgres_url) as base:
        store = Store(base.database, keyring=base.keyring, clock=base.clock, server_time=True)
        transactions = TransactionFactory(store=store, clock=base.clock, bus=Bus(), dispatcher=Nobody())
        intake = Intake(transactions=transactions, limits=Limits(steps=8), rate=Rate(per_minute=3, burst=3))
        for n, minutes in enumerate([0.5, -0.5, 10, -10]):
            base.clock.advance(minutes * 60)
            admitted = (await intake.message(asked(n))).admission
            assert admitted is (Admission.STARTED if n < 3 else Admission.REFUSED)
