"""A thread's lease: held while its work is served, renewed meanwhile, named in every commit (docs/states.md §7)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zlib import crc32

import structlog

from bot.domain.events import LeaseTakenOver, ThreadServed
from bot.domain.states import LostRace
from bot.runtime.core import activity
from bot.runtime.core.priority import Priority
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.core.working_set import WorkingSet
from bot.store.errors import NotSaved

DEADLINE_SECONDS = 25.0
"""The furthest deadline of an attempt: inside the lease, with which it is moved on. So the worker that takes over from
a dead one soon finds out what became of an effect, however long its tool may take.
"""

SPREAD = 0.3
"""The part of the time between two renewals over which those of many leases are spread."""

log = structlog.get_logger()


@dataclass(slots=True, kw_only=True)
class Attempt:
    """An attempt under way. `until` is its deadline; it is moved on for as long as its tool may take, until `end`."""

    action_id: str
    number: int
    until: datetime
    end: datetime

    def later(self, now: datetime) -> datetime:
        """The deadline that can be kept from now on."""
        return min(now + timedelta(seconds=DEADLINE_SECONDS), self.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAhead:
    """What is looked up for an attempt that is not claimed yet, and since when, by the loop's clock."""

    task: asyncio.Task[object]
    since: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to work on one thread. `claims` are the attempts that this worker itself began, `under_way` those that
    it makes at this moment, and `lost` that the right is somebody else's by now: nothing is begun any more. `looks` are
    those ahead, by their actions.
    """

    transactions: TransactionFactory
    name: str
    holder: str
    epoch: int
    claims: set[str] = field(default_factory=set[str])
    under_way: dict[str, Attempt] = field(default_factory=dict[str, Attempt])
    looks: dict[str, LookAhead] = field(default_factory=dict[str, LookAhead])
    working_set: WorkingSet = field(default_factory=WorkingSet)
    lost: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[Transaction]:
        """One transaction that only commits while the lease is ours: a frozen worker is fenced out here."""
        async with self.transactions.write() as tx:
            try:
                await tx.work.leases.hold(self.name, self.holder, self.epoch)
            except LostRace:
                self.lost.set()
                raise
            tx.working_set, tx.epoch = self.working_set, self.epoch
            tx.work.after_commit(lambda: self.working_set.learn(tx.work))
            yield tx

    @contextmanager
    def making(self, attempt: Attempt) -> Generator[None]:
        """The attempt is under way: its deadline is moved on with the lease."""
        self.under_way[attempt.action_id] = attempt
        try:
            yield
        finally:
            del self.under_way[attempt.action_id]

    async def move_on(self) -> None:
        """Give what is under way a later deadline, in the rows first: the next holder waits for the one there."""
        now = self.transactions.clock.now()
        later = [(attempt, attempt.later(now)) for attempt in self.under_way.values()]
        if later := [(attempt, until) for attempt, until in later if until > attempt.until]:
            async with self.write() as tx:
                for attempt, until in later:
                    await tx.work.actions.prolong(attempt.action_id, attempt.number, until=until)
            for attempt, until in later:
                attempt.until = until


@asynccontextmanager
async def leased(transactions: TransactionFactory, thread_id: str, holder: str) -> AsyncGenerator[Lease | None]:
    """The thread's lease for as long as the block lasts, or None while somebody else has it."""
    with transactions.priorities.work(Priority.EFFECT):
        lease = await _taken(transactions, thread_id, holder)
    if lease is None:
        yield None
        return
    renewal = asyncio.create_task(_renew(lease, thread_id), name=f"renew {lease.name}")
    try:
        yield lease
    finally:
        renewal.cancel()
        with suppress(asyncio.CancelledError):
            await renewal
        with suppress(NotSaved):
            await _give_back(lease, thread_id)


async def _taken(transactions: TransactionFactory, thread_id: str, holder: str) -> Lease | None:
    """The lease, and what its holder is to know of the thread, in one transaction."""
    name, working_set = f"thread:{thread_id}", WorkingSet(thread_id=thread_id)
    async with transactions.store.write() as work:
        before = await work.leases.holder(name)
        now = transactions.clock.now()
        epoch = await work.leases.take(name, holder, now=now, seconds=transactions.lease_seconds)
        if epoch is None:
            return None
        await working_set.read(work, runs=await activity.taken_over(work, thread_id, now))
    if before not in {None, holder}:  # it was never given back, and its time is over
        log.warning("lease.taken_over", lease=name, holder=before)
        transactions.bus.publish(LeaseTakenOver(name))
    transactions.bus.publish(ThreadServed(thread_id, epoch))
    return Lease(transactions=transactions, name=name, holder=holder, epoch=epoch, working_set=working_set)


async def _give_back(lease: Lease, thread_id: str) -> None:
    transactions, now = lease.transactions, lease.transactions.clock.now()
    async with transactions.store.write() as work:
        if await work.leases.renew(lease.name, lease.holder, lease.epoch, now=now, seconds=transactions.lease_seconds):
            await activity.left(work, thread_id, now)
            await work.leases.release(lease.name, lease.holder, lease.epoch)


def pause_of(name: str, longest: float) -> float:
    """How long this lease waits between two renewals: each a little differently, so that those of threads that were
    begun together do not come together.
    """
    return longest * (1 - SPREAD * crc32(name.encode()) / 2**32)


async def _renew(lease: Lease, thread_id: str) -> None:
    """Keep the lease. That it is lost is noticed here or at the next commit, which fails."""
    transactions = lease.transactions
    pause = pause_of(lease.name, transactions.renew_seconds)
    while True:
        await asyncio.sleep(pause)
        await transactions.priorities.turn(Priority.REST)
        try:
            async with transactions.store.write() as work:
                now = transactions.clock.now()
                seconds = transactions.lease_seconds
                kept = await work.leases.renew(lease.name, lease.holder, lease.epoch, now=now, seconds=seconds)
                if kept:
                    await activity.beat(work, thread_id, now)
            if kept:
                await lease.move_on()
        except NotSaved:
            log.warning("lease.renewal_not_saved", lease=lease.name)
            continue
        except LostRace:
            kept = False
        if not kept:
            log.warning("lease.lost", lease=lease.name, epoch=lease.epoch)
            lease.lost.set()
            return
