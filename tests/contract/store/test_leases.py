"""Leases: one holder, and fences for who lost it."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.domain.states import LostRace
from bot.store.engine.database import database_for
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from tests import builders as make
from tests.builders import NOW
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened

LATER = NOW + timedelta(hours=1)


async def test_one_worker_holds_a_lease(work: UnitOfWork) -> None:
    """While one holds it nobody else takes it; released or run out it is taken with a higher epoch."""
    soon = NOW + timedelta(seconds=31)
    assert await work.leases.take("l", "a", now=NOW, seconds=30) == 1
    assert await work.leases.take("l", "b", now=NOW, seconds=30) is None
    assert await work.leases.take("l", "a", now=NOW, seconds=30) == 2
    assert await work.leases.take("l", "b", now=soon, seconds=30) == 3
    await work.leases.release("l", "b", 3)
    assert await work.leases.take("l", "a", now=soon, seconds=30) == 4
    await work.leases.release("l", "b", 3)
    assert await work.leases.take("l", "b", now=soon, seconds=30) is None


async def test_a_lease_is_held_until_it_is_given_back_or_over(work: UnitOfWork) -> None:
    """By whom does not matter to who asks."""
    over = NOW + timedelta(seconds=31)
    assert not await work.leases.is_held("l", now=NOW)
    await work.leases.take("l", "a", now=NOW, seconds=30)
    assert await work.leases.is_held("l", now=NOW)
    assert not await work.leases.is_held("l", now=over)
    assert not await work.leases.is_held("m", now=NOW)
    await work.leases.release("l", "a", 1)
    assert not await work.leases.is_held("l", now=NOW)


async def test_a_lease_is_renewed_by_its_holder_only(work: UnitOfWork) -> None:
    """Renewing lengthens the lease of this epoch; who lost it is told."""
    later = NOW + timedelta(seconds=50)
    await work.leases.take("l", "a", now=NOW, seconds=30)
    assert await work.leases.renew("l", "a", 1, now=NOW + timedelta(seconds=25), seconds=30)
    assert await work.leases.take("l", "b", now=later, seconds=30) is None
    assert not await work.leases.renew("l", "b", 1, now=NOW, seconds=30)
    assert not await work.leases.renew("l", "a", 2, now=NOW, seconds=30)


async def test_a_frozen_worker_is_fenced_out(store: Store) -> None:
    """A worker whose lease was taken over meanwhile commits nothing."""
    async with store.write() as work:
        await work.leases.take("l", "a", now=NOW, seconds=30)
        await work.leases.hold("l", "a", 1)
        await work.leases.take("l", "b", now=LATER, seconds=30)

    async def thaws() -> None:
        async with store.write() as work:
            await work.runs.add(make.run(id="run_1"))
            await work.leases.hold("l", "a", 1)

    with pytest.raises(LostRace):
        await thaws()
    async with store.read() as work:
        assert await work.runs.live("thr_1") == []


async def test_commits_of_one_holder_wait_for_each_other_no_more_than_the_renewal(postgresql: Opened) -> None:
    """Fenced commits go on at once and the lease is renewed meanwhile; who takes it over waits for them."""
    store = postgresql.store
    async with store.write() as work:
        await work.leases.take("l", "a", now=NOW, seconds=30)

    async def take_over() -> int | None:
        async with store.write() as work:
            return await work.leases.take("l", "b", now=LATER, seconds=30)

    async with (
        asyncio.timeout(PATIENCE_SECONDS),
        store.write() as one,
        store.write() as other,
        store.write() as renewal,
    ):
        await one.leases.hold("l", "a", 1)
        await other.leases.hold("l", "a", 1)
        assert await renewal.leases.renew("l", "a", 1, now=NOW, seconds=30)
        taking = asyncio.create_task(take_over())
        await asyncio.sleep(0.1)
        assert not taking.done()
    assert await taking == 2


async def test_a_start_ends_every_lease(work: UnitOfWork) -> None:
    """Voiding all leases frees them at once and fences their holders."""
    await work.leases.take("l", "a", now=NOW, seconds=3000)
    await work.leases.void_all()
    with pytest.raises(LostRace):
        await work.leases.hold("l", "a", 1)
    assert await work.leases.take("l", "b", now=NOW, seconds=30) == 3


async def test_a_clock_that_went_back_keeps_nobody_waiting(work: UnitOfWork) -> None:
    """A lease that ends later than one of its kind can was taken before the clock went back, and is free."""
    assert await work.leases.take("l", "a", now=LATER, seconds=30) == 1
    assert await work.leases.take("l", "b", now=NOW, seconds=30) == 2


async def test_replicas_share_the_clock_of_their_database(postgresql: Opened) -> None:
    """A replica whose own clock is an hour ahead takes over from nobody who is well."""
    database = database_for(postgresql.url)
    replicas = Store(database, keyring=postgresql.keyring, clock=postgresql.clock, server_time=True)
    async with replicas.write() as work:
        assert await work.leases.take("l", "a", now=NOW, seconds=30) == 1
    async with replicas.write() as work:
        assert await work.leases.renew("l", "a", 1, now=NOW, seconds=30)
        assert await work.leases.take("l", "b", now=LATER, seconds=30) is None
    await database.dispose()
