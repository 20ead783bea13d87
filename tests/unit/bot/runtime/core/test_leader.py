"""Duties: one does them at a time, every commit says so, and who stood still does nothing more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import Delivery, DeliveryKind
from bot.domain.events import LeaseTakenOver
from bot.domain.states import LostRace
from bot.runtime.audit.sealer import Sealer
from bot.runtime.core.leader import LeaderLease, SingleProcess
from bot.runtime.core.lock import LONGEST_SECONDS, LeasedLock, NullLock
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.delivery.relay import Relay
from bot.store.errors import NotSaved
from integrations.base import Tool
from integrations.calendar.tools.create import CalendarEventCreate
from integrations.gmail.tools.send import GmailSend
from tests.builders import NOW, TEAM
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened
from tests.unit.bot.runtime.runtime_harness import until


class Work:
    """What the duty is about: under way, or not."""

    def __init__(self) -> None:
        self.begun = 0
        self.now = False
        self.error: Exception | None = None

    async def __call__(self) -> None:
        self.begun, self.now = self.begun + 1, True
        try:
            if self.error:
                raise self.error
            await asyncio.Event().wait()
        finally:
            self.now = False


@asynccontextmanager
async def running(work: Coroutine[None, None, None]) -> AsyncGenerator[None]:
    """It runs, until the block ends."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def kept(duty: LeaderLease | SingleProcess, work: Work) -> AbstractAsyncContextManager[None]:
    """Somebody keeps the duty."""
    return running(duty.keep(work))


async def test_one_does_it_and_the_next_takes_over(transactions: TransactionFactory, base: Opened) -> None:
    """While one keeps it another waits; given back at the end, it is the other's at once."""
    first, second = Work(), Work()
    mine, theirs = (LeaderLease(name="relay", transactions=transactions, holder=holder, seconds=0.9) for holder in "ab")
    async with kept(theirs, second):
        async with kept(mine, first):
            await until(lambda: first.now or second.now)
            busy, idle = (first, second) if first.now else (second, first)
            for _ in range(2):  # together longer than the lease: it is renewed
                before = _lease_of(base)
                base.clock.advance(0.6)
                await until(lambda before=before: _lease_of(base) != before)
            assert (busy.now, idle.begun) == (True, 0)
        await until(lambda: second.now)
    assert (first.now, second.now) == (False, False)


async def test_the_duty_of_the_dead_is_taken_over(transactions: TransactionFactory, base: Opened) -> None:
    """Once its lease is over; that is told."""
    heard: list[object] = []
    transactions.bus.attend(heard.append)
    async with base.store.write() as rows:
        await rows.leases.take("relay", "dead", now=base.clock.now(), seconds=0.5)
    work, duty = Work(), LeaderLease(name="relay", transactions=transactions, holder="b", seconds=0.3)
    async with kept(duty, work):
        await asyncio.sleep(0.15)
        assert work.begun == 0
        assert not duty.held
        base.clock.advance(1)
        await until(lambda: work.now)
    assert heard == [LeaseTakenOver("relay")]


async def test_a_lease_that_looks_free_is_asked_for_at_once(transactions: TransactionFactory, base: Opened) -> None:
    """Whoever looks for it says so; without that it would be asked for only after its whole time."""
    async with base.store.write() as rows:
        epoch = await rows.leases.take("relay", "other", now=base.clock.now(), seconds=60)
        assert epoch is not None
    work, duty = Work(), LeaderLease(name="relay", transactions=transactions, holder="b", seconds=600)
    asked = list[object]()
    base.store.on_commit(asked.append)
    async with kept(duty, work):
        await until(lambda: asked)
        assert work.begun == 0  # it is held
        async with base.store.write() as rows:
            await rows.leases.release("relay", "other", epoch)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not work.now:
                await duty.ask()
                await asyncio.sleep(0.01)


async def test_who_was_taken_over_is_cut_off_and_fenced(transactions: TransactionFactory, base: Opened) -> None:
    """The next renewal finds out, and ends the work; a commit before that is refused."""
    work, duty = Work(), LeaderLease(name="relay", transactions=transactions, holder="a", seconds=0.3)
    async with kept(duty, work):
        await until(lambda: work.now)
        async with base.store.write() as rows:
            await duty.fence(rows)
        base.clock.advance(1)
        async with base.store.write() as rows:
            assert await rows.leases.take("relay", "b", now=base.clock.now(), seconds=0.5)
        with pytest.raises(LostRace):
            async with base.store.write() as rows:
                await duty.fence(rows)
        await until(lambda: not work.now)
        assert await _holder(base) == "b"
    with pytest.raises(LostRace):
        async with base.store.write() as rows:
            await duty.fence(rows)


async def test_a_frozen_holder_knows_it_before_it_is_cut_off(
    transactions: TransactionFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came meanwhile is heard first; by the clock the duty is over at once."""
    work, loop = Work(), asyncio.get_running_loop()
    duty = LeaderLease(name="relay", transactions=transactions, holder="a", seconds=5)
    before = loop.time
    assert not duty.is_held()
    async with kept(duty, work):
        await until(lambda: work.now)
        assert duty.is_held()
        monkeypatch.setattr(loop, "time", lambda: before() + 5)
        assert (work.now, duty.is_held()) == (True, False)
        await until(lambda: not work.now)


def _lease_of(base: Opened) -> object:
    return base.rows("SELECT expires_at FROM leases WHERE name = 'relay'")[0]["expires_at"]


async def _holder(base: Opened) -> str | None:
    async with base.store.read() as rows:
        return await rows.leases.holder("relay")


async def test_a_store_in_trouble_ends_the_work_in_time(
    transactions: TransactionFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who cannot renew stops before the lease is over for others, and begins again when the store does."""
    work, duty = Work(), LeaderLease(name="relay", transactions=transactions, holder="a", seconds=0.2)
    async with kept(duty, work):
        await until(lambda: work.now)
        with monkeypatch.context() as broken:
            broken.setattr(transactions.store, "write", _refuses)
            await until(lambda: not work.now)
            await asyncio.sleep(0.1)
            assert not work.now
        await until(lambda: work.now)


def _refuses(**_: object) -> object:
    raise NotSaved


async def test_what_the_work_raises_ends_the_duty(transactions: TransactionFactory, base: Opened) -> None:
    """A defect, or a timeout of its own, is not taken for a lost lease; the duty is given back."""
    for error in (KeyError("defect"), TimeoutError()):
        work, duty = Work(), LeaderLease(name="relay", transactions=transactions, holder="a", seconds=5)
        work.error = error
        with pytest.raises(type(error)):
            await duty.keep(work)
        assert await _holder(base) is None


async def test_a_duty_that_nobody_shares(base: Opened) -> None:
    """Where the database is one's own, the work is simply done, and no commit is fenced."""
    work, duty = Work(), SingleProcess()
    async with kept(duty, work):
        await until(lambda: work.now)
        async with base.store.write() as rows:
            await duty.fence(rows)
        assert duty.is_held()


# Exclusion ----------------------------------------------------------------------------------------------------------


async def test_one_is_alone_at_a_time(base: Opened) -> None:
    """The second one waits for the first; one that took too long is not alone any more, and is followed."""
    order: list[str] = []
    apart = [LeasedLock(store=base.store, clock=base.clock, holder=holder, seconds=5) for holder in "ab"]
    slow = LeasedLock(store=base.store, clock=base.clock, holder="slow", seconds=0.05)

    async def enter(n: int, name: str) -> None:
        async with apart[n].acquire("the thread") as is_held:
            order.append(f"{name} in")
            assert is_held()
            await asyncio.sleep(0.06)
            order.append(f"{name} out")

    await asyncio.gather(enter(0, "a"), enter(1, "b"), enter(0, "c"))
    assert [word.split()[1] for word in order] == ["in", "out"] * 3
    async with slow.acquire("the thread") as is_held:
        await asyncio.sleep(0.06)
        assert not is_held()
        base.clock.advance(1)
        async with apart[1].acquire("the thread") as theirs:
            assert theirs()


async def test_where_nobody_else_is(base: Opened) -> None:
    """One process needs no exclusion."""
    del base
    async with NullLock().acquire("the thread") as is_held, NullLock().acquire("the thread"):
        assert is_held()


# What is fenced ------------------------------------------------------------------------------------------------------


class Fenced:
    """A fence that lets nothing through before it is opened."""

    def __init__(self) -> None:
        self.asked = 0
        self.open = False

    async def __call__(self, work: object) -> None:
        del work
        self.asked += 1
        if not self.open:
            raise LostRace("lease", "relay", "epoch 1", "held")


class Wall:
    """Where things are shown."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    async def deliver(self, delivery: Delivery) -> None:
        self.shown.append(delivery.subject)


async def test_a_fenced_relay_shows_nothing(base: Opened) -> None:
    """An attempt is committed before it is made: who is not the relay any more makes none."""
    wall, fence = Wall(), Fenced()
    relay = Relay(store=base.store, clock=base.clock, surface=wall, fence=fence)
    async with base.store.write() as work:
        await work.outbox.add("thr_1", DeliveryKind.ANSWER, "run_1", team=TEAM, at=NOW)
    async with running(relay.run()):
        await until(lambda: fence.asked > 1)
        assert wall.shown == []
        assert base.rows("SELECT attempts FROM outbox") == [{"attempts": 0}]
        fence.open = True
        await until(lambda: wall.shown == ["run_1"])


async def test_a_fenced_sealer_seals_nothing(base: Opened) -> None:
    """It looks again, and seals when it is the sealer once more."""
    fence = Fenced()
    async with base.store.write() as work:
        await work.audit.record(AuditEvent(team=TEAM, code=AuditCode.RUN_QUEUED, actor="agent"))
    async with running(Sealer(store=base.store, keyring=base.keyring, fence=fence, tick_seconds=0.01).run()):
        await until(lambda: fence.asked > 1)
        assert base.rows("SELECT seq FROM audit") == [{"seq": None}]
        fence.open = True
        await until(lambda: base.rows("SELECT seq FROM audit") == [{"seq": 1}])


# How long a lock lasts ---------------------------------------------------------------------------------------------


def test_a_tool_outlasts_what_a_dead_process_did_alone() -> None:
    """A token that was being renewed when its process died is renewed by the next, before the tool's time is over."""
    for tool in (Tool, GmailSend, CalendarEventCreate):
        assert tool.timeout_seconds >= LONGEST_SECONDS + 10
