"""Leader leases: what one replica does for all, such as sealing the log. Another takes over when its holder is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from bot.domain.events import LeaseTakenOver
from bot.domain.states import LostRace
from bot.runtime.core.heartbeat import Heartbeat
from bot.runtime.core.transaction import TransactionFactory
from bot.store.errors import NotSaved
from bot.store.unit_of_work import UnitOfWork

DUTY_SECONDS = 10.0
"""How long a dead holder is waited for. Effects are refused when the log is not sealed for a minute."""

log = structlog.get_logger()


Fence = Callable[[UnitOfWork], Awaitable[None]]
"""Lets a transaction commit only while its lease is ours; raises `LostRace`."""


async def unfenced(work: UnitOfWork) -> None:
    """The fence where this process is alone with the database."""
    del work


@dataclass(slots=True, kw_only=True)
class LeaderLease:
    """The right to do something alone. Every commit of the work is fenced. The work is cut off when the lease's time is
    over by the monotonic clock. A process that was frozen first hears what came meanwhile, and is cut off after that:
    so `is_held` is asked before something is sent that nothing takes back.
    """

    name: str
    transactions: TransactionFactory
    holder: str
    seconds: float = DUTY_SECONDS
    heartbeat: Heartbeat = field(default_factory=Heartbeat)
    _epoch: int | None = None
    _until: float = 0.0
    _told: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def held(self) -> bool:
        """Whether it is ours, as far as we know."""
        return self._epoch is not None

    def is_held(self) -> bool:
        """Whether it still is ours by the monotonic clock; see `bot.runtime.core.lock.IsHeld`."""
        return self.held and asyncio.get_running_loop().time() < self._until

    async def fence(self, work: UnitOfWork) -> None:
        """Let this transaction commit only while the lease is ours; raises `LostRace`."""
        if self._epoch is None:
            raise LostRace("lease", self.name, "nobody's", "held")
        await work.leases.hold(self.name, self.holder, self._epoch)

    async def keep(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do the work whenever the lease is ours, until cancelled. What the work raises ends it."""
        while True:
            self.heartbeat.beat()
            began = asyncio.get_running_loop().time()
            if await self._take():
                try:
                    await self._serve(work, began)
                finally:
                    await self._give_back()
            await self._rest()

    async def ask(self) -> None:
        """Have it asked for at once: somebody saw that it is free."""
        self._told.set()

    async def _rest(self) -> None:
        """Until it looks free, or for a while: then it is asked for all the same."""
        self._told.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.seconds):
                await self._told.wait()

    async def _serve(self, work: Callable[[], Awaitable[None]], began: float) -> None:
        limit: asyncio.Timeout | None = None
        self._until = began + self.seconds
        try:
            async with asyncio.timeout_at(self._until) as limit:
                renewal = asyncio.create_task(self._renew(limit), name=f"renew {self.name}")
                try:
                    await work()
                finally:
                    renewal.cancel()
                    with suppress(asyncio.CancelledError):
                        await renewal
        except TimeoutError:
            if limit is None or not limit.expired():
                raise
            log.warning("duty.lost", duty=self.name)

    async def _renew(self, limit: asyncio.Timeout) -> None:
        """Lengthen the lease, and only then our own time; one that was taken over ends at once."""
        loop = asyncio.get_running_loop()
        while self._epoch is not None:
            await asyncio.sleep(self.seconds / 3)
            asked, now, kept = loop.time(), self.transactions.clock.now(), True
            try:
                async with self.transactions.store.write() as rows:
                    kept = await rows.leases.renew(self.name, self.holder, self._epoch, now=now, seconds=self.seconds)
            except NotSaved:
                log.warning("duty.renewal_not_saved", duty=self.name)
                continue
            if limit.expired():
                return
            self._until = asked + self.seconds if kept else asked
            limit.reschedule(self._until)

    async def _take(self) -> bool:
        now, before = self.transactions.clock.now(), None
        try:
            async with self.transactions.store.write() as work:
                before = await work.leases.holder(self.name)
                self._epoch = await work.leases.take(self.name, self.holder, now=now, seconds=self.seconds)
        except NotSaved:
            log.warning("duty.not_asked_for", duty=self.name)
        if self.held and before not in {None, self.holder}:  # it was never given back, and its time is over
            log.warning("lease.taken_over", lease=self.name, holder=before)
            self.transactions.bus.publish(LeaseTakenOver(self.name))
        return self.held

    async def _give_back(self) -> None:
        epoch, self._epoch = self._epoch, None
        if epoch is None:
            return
        with suppress(NotSaved):
            async with self.transactions.store.write() as work:
                await work.leases.release(self.name, self.holder, epoch)


@dataclass(slots=True, kw_only=True)
class SingleProcess:
    """The lease where the database is ours alone: nobody takes it over."""

    heartbeat: Heartbeat = field(default_factory=Heartbeat)
    fence: Fence = unfenced

    def is_held(self) -> bool:
        """Always."""
        return True

    async def keep(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do the work until cancelled."""
        await work()
