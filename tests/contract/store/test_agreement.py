"""Replicas go by the clock of the database that they share, whatever their machines' clocks say."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.clock import SyncedClock, SystemClock
from bot.dispatch.local import LocalDispatcher
from bot.domain.questions import QuestionState
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.operations.clock_sync import ClockSync
from bot.runtime.questions import expiry
from bot.store.store import Store
from tests import builders as make
from tests.stores import Opened

DAYS = timedelta(days=2)


@pytest.fixture
async def replica(postgresql: Opened, monkeypatch: pytest.MonkeyPatch) -> ClockSync:
    """One whose machine's clock is two days ahead."""

    def ahead(self: SystemClock) -> datetime:
        return datetime.now(UTC) + DAYS  # noqa: TID251 - the clock of a machine

    monkeypatch.setattr(SystemClock, "now", ahead)
    clock = SyncedClock()
    store = Store(postgresql.database, keyring=postgresql.keyring, clock=clock, server_time=True)
    return ClockSync(store=store, clock=clock)


def _moment_of(base: Opened) -> datetime:
    return base.rows("SELECT clock_timestamp() AS now")[0]["now"]


async def test_the_databases_clock_counts(postgresql: Opened, replica: ClockSync) -> None:
    """Two days ahead before it looked, and with the database's clock afterwards."""
    assert replica.clock.now() - _moment_of(postgresql) > DAYS / 2
    await replica.look()
    assert abs(replica.clock.now() - _moment_of(postgresql)) < timedelta(seconds=5)


async def test_nothing_expires_for_a_machine_that_is_ahead(postgresql: Opened, replica: ClockSync) -> None:
    """A question of a day stays open for a day."""
    await replica.look()
    run, step = make.run(), make.step()
    asked = make.question(run_id=run.id, step_id=step.id, expires_at=_moment_of(postgresql) + DAYS / 2)
    async with replica.store.write() as work:
        await work.threads.ensure(make.thread())
        await work.runs.add(run)
        await work.steps.add(step)
        await work.questions.add(asked)
    dispatcher = LocalDispatcher(replica.store)
    transactions = TransactionFactory(store=replica.store, clock=replica.clock, bus=Bus(), dispatcher=dispatcher)
    await expiry.tick(transactions)
    async with replica.store.read() as work:
        found = await work.questions.find(asked.id)
    assert (found and found.state) is QuestionState.OPEN
