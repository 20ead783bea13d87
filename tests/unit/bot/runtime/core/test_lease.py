"""A thread's lease: held while it is served, and every commit fenced by it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.domain.events import RunMoved
from bot.domain.runs import RunState
from bot.domain.states import LostRace
from bot.runtime.core.lease import SPREAD, leased, pause_of
from bot.runtime.core.transaction import LEASE_SECONDS, TransactionFactory
from tests import builders as make
from tests.dispatchers import Nobody
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened


async def test_one_serves_a_thread(transactions: TransactionFactory) -> None:
    """While one holds it another gets nothing; afterwards it is free at once, with a higher epoch."""
    async with leased(transactions, "thr_1", "a") as mine:
        assert mine is not None
        async with leased(transactions, "thr_1", "b") as theirs:
            assert theirs is None
        async with leased(transactions, "thr_2", "b") as other:
            assert other is not None
    async with leased(transactions, "thr_1", "b") as theirs:
        assert theirs is not None
        assert theirs.epoch > mine.epoch


async def test_who_was_taken_over_commits_nothing(transactions: TransactionFactory, base: Opened) -> None:
    """A frozen worker that thaws finds its commits refused."""
    async with leased(transactions, "thr_1", "a") as mine:
        assert mine is not None
        base.clock.advance(LEASE_SECONDS + 1)
        async with leased(transactions, "thr_1", "b"):
            with pytest.raises(LostRace):
                async with mine.write() as tx:
                    await tx.work.runs.add(make.run())
    assert base.rows("SELECT id FROM runs") == []


async def test_a_lease_is_renewed_while_it_is_held(transactions: TransactionFactory, base: Opened) -> None:
    """However long the work takes, nobody takes it over; a store in trouble meanwhile is waited for."""
    async with leased(replace(transactions, renew_seconds=0.01), "thr_1", "a"):
        await base.tamper("CREATE TRIGGER broken BEFORE UPDATE ON leases BEGIN SELECT RAISE(ABORT, 'disk'); END")
        await asyncio.sleep(0.05)
        await base.tamper("DROP TRIGGER broken")
        base.clock.advance(LEASE_SECONDS - 1)
        until = base.rows("SELECT expires_at FROM leases")
        async with asyncio.timeout(PATIENCE_SECONDS):
            while base.rows("SELECT expires_at FROM leases") == until:
                await asyncio.sleep(0.01)
        base.clock.advance(LEASE_SECONDS - 1)
        async with leased(transactions, "thr_1", "b") as theirs:
            assert theirs is None


def test_renewals_of_many_do_not_come_together() -> None:
    """Threads that begin in one moment would keep everything else waiting in one moment, too."""
    pauses = sorted(pause_of(f"thread:thr_{number}", 10.0) for number in range(100))
    assert pauses[0] >= 10 * (1 - SPREAD)
    assert pauses[-1] <= 10
    assert max(sum(begin <= pause < begin + 0.1 for pause in pauses) for begin in pauses) < 12


async def test_who_could_not_renew_hears_of_it(transactions: TransactionFactory, base: Opened) -> None:
    """A lost lease ends the work, and is no crash: its new holder is left alone."""
    async with leased(replace(transactions, renew_seconds=0.01), "thr_1", "a") as lease:
        assert lease
        await base.tamper("UPDATE leases SET epoch = epoch + 1, holder = 'b'")
        async with asyncio.timeout(PATIENCE_SECONDS):
            await lease.lost.wait()
        with pytest.raises(LostRace):
            async with lease.write():
                pass
    assert [row["holder"] for row in base.rows("SELECT holder FROM leases")] == ["b"]


async def test_what_is_told_is_told_after_the_commit(transactions: TransactionFactory) -> None:
    """Events and wake-ups of a transaction are sent once it is durable, and not at all when it failed."""

    async def fails() -> None:
        async with transactions.write() as tx:
            tx.publish(RunMoved("run_1", RunState.QUEUED))
            raise KeyError

    async with transactions.bus.subscribe() as heard:
        with pytest.raises(KeyError):
            await fails()
        assert heard.empty()
        async with transactions.write() as tx:
            tx.publish(RunMoved("run_1", RunState.QUEUED))
            tx.wake("thr_1")
            assert heard.empty()
        assert heard.get_nowait() == RunMoved("run_1", RunState.QUEUED)
        assert isinstance(transactions.dispatcher, Nobody)
        assert transactions.dispatcher.woken == ["thr_1"]
