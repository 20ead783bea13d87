"""The relay: takes what must reach people from the outbox, has it delivered, marks it (docs/states.md §6).

One lane is delivered in order. Every attempt is committed before it is made, so that a store that cannot be written
posts nothing, and a second attempt looks for what the first may have left. A 429 or a broken connection is waited out,
however long it lasts; an error that cannot heal becomes a failed delivery, its owner is told, and the lane goes on.
One replica relays at a time, and each of its commits says that it still is the one (`bot.runtime.core.leader`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import structlog

from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import Delivery, DeliveryKind, Loss
from bot.domain.states import LostRace
from bot.runtime.core.heartbeat import Heartbeat
from bot.runtime.core.leader import Fence, unfenced
from bot.runtime.core.ports import DeliveryFailed, Display
from bot.runtime.core.priority import Priorities, Priority
from bot.store.errors import NotRead, NotSaved
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from integrations.ports import Clock

log = structlog.get_logger()

TICK_SECONDS = 0.5
LANES_AT_ONCE = 20
_MAX_CRASHES = 5
FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 60.0
_MOST_PAUSE_SECONDS = 600.0  # also when Slack says a longer one: asked again too early, it says so again
_DOUBLINGS = 6  # of the first pause, until it is the longest


@dataclass(slots=True, kw_only=True)
class Relay:
    """Delivers. `committed` is called after every commit."""

    store: Store
    clock: Clock
    surface: Display
    fence: Fence = unfenced
    heartbeat: Heartbeat = field(default_factory=Heartbeat)
    priorities: Priorities = field(default_factory=Priorities)
    tick_seconds: float = TICK_SECONDS
    first_pause_seconds: float = FIRST_PAUSE_SECONDS
    lanes_at_once: int = LANES_AT_ONCE
    _woken: asyncio.Event = field(default_factory=asyncio.Event)
    _busy: set[str] = field(default_factory=set[str])
    _crashes: Counter[int] = field(default_factory=Counter[int])

    def nudge(self) -> None:
        """There may be something to deliver."""
        self._woken.set()

    def committed(self, work: UnitOfWork) -> None:
        """What was just put into the outbox is looked for at once."""
        if work.delivers:
            self.nudge()

    async def run(self) -> None:
        """Deliver until cancelled. Lanes do not wait for each other; within a lane one row follows the other."""
        async with asyncio.TaskGroup() as lanes:
            while True:
                self.heartbeat.beat()
                await self.priorities.turn(Priority.REST)
                self._woken.clear()
                for delivery in await self._due():
                    self._busy.add(delivery.lane)
                    lanes.create_task(self._lane(delivery), name=f"deliver to {delivery.lane}")
                await self._rest()

    @asynccontextmanager
    async def _write(self) -> AsyncGenerator[UnitOfWork]:
        """One transaction of the one who relays."""
        async with self.store.write() as work:
            await self.fence(work)
            yield work

    async def _due(self) -> Sequence[Delivery]:
        """The heads that are due, of lanes that are idle, as many as there is room for.

        The look may see the old head of a lane that ends meanwhile.
        """
        busy = frozenset(self._busy)
        room = self.lanes_at_once - len(busy)
        if room <= 0:
            return ()
        try:
            async with self.store.read() as work:
                heads = await work.outbox.heads(now=self.clock.now(), limit=self.lanes_at_once + len(busy))
        except NotRead as error:
            log.error("outbox.not_read", why=str(error))
            return ()
        return [delivery for delivery in heads if delivery.lane not in busy][:room]

    async def _lane(self, delivery: Delivery) -> None:
        try:
            await self._attempt(delivery)
        except NotSaved as error:
            log.error("outbox.not_saved", delivery=delivery.id, why=str(error))
            await asyncio.sleep(self._pause(delivery.attempts + 1))
        except LostRace as race:  # another replica relays now, and looks for what was shown
            log.warning("outbox.fenced", delivery=delivery.id, race=str(race))
        finally:
            self._busy.discard(delivery.lane)
            self._woken.set()

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(self.tick_seconds):
                await self._woken.wait()
        except TimeoutError:
            return

    async def _attempt(self, delivery: Delivery) -> None:
        await self.priorities.turn(Priority.REST)
        async with self._write() as work:
            claimed = await work.outbox.claim(delivery)
        if claimed is not None:
            await self._deliver(claimed)

    async def _deliver(self, delivery: Delivery) -> None:
        try:
            await self.surface.deliver(delivery)
        except DeliveryFailed as failure:
            await self._failed(delivery, str(failure), failure.retry_after)
        except LostRace:  # another replica relays now: its attempt is the next
            raise
        except (NotSaved, NotRead) as trouble:  # what was shown may not be written down: the next attempt looks for it
            log.error("delivery.store_in_trouble", delivery=delivery.id, why=str(trouble))
            await self._failed(delivery, type(trouble).__name__, self.first_pause_seconds)
        except Exception as error:  # the outer edge: a row that cannot be rendered must not block its lane for ever
            log.exception("delivery.crashed", delivery=delivery.id, kind=delivery.kind.value)
            await self._crashed(delivery, type(error).__name__)
        else:
            self._crashes.pop(delivery.id, None)
            async with self._write() as work:
                await work.outbox.delivered(delivery, at=self.clock.now())

    async def _crashed(self, delivery: Delivery, why: str) -> None:
        """A defect may depend on the moment, so it gets some attempts; a new process, maybe mended, counts anew."""
        self._crashes[delivery.id] += 1
        hopeless = self._crashes[delivery.id] >= _MAX_CRASHES
        await self._failed(delivery, why, None if hopeless else self.first_pause_seconds)

    async def _failed(self, delivery: Delivery, why: str, retry_after: float | None) -> None:
        if retry_after is None:
            await self._bury(delivery, why)
            return
        pause = timedelta(seconds=min(max(retry_after, self._pause(delivery.attempts)), _MOST_PAUSE_SECONDS))
        async with self._write() as work:
            await work.outbox.retry(delivery, not_before=self.clock.now() + pause, error=why)

    async def _bury(self, delivery: Delivery, why: str) -> None:
        """Give it up, and have its owner told in a lane of its own; when that word is lost too, nobody is told."""
        log.error("delivery.dead", delivery=delivery.id, kind=delivery.kind.value, why=why)
        details = {"delivery": str(delivery.id), "kind": delivery.kind.value, "subject": delivery.subject}
        now = self.clock.now()
        async with self._write() as work:
            await work.outbox.bury(delivery, at=now, error=why)
            await work.audit.record(
                AuditEvent(team=delivery.team, code=AuditCode.DELIVERY_DEAD, actor="agent", details=details)
            )
            if delivery.kind.has_owner:
                told = str(Loss(delivery.kind, delivery.subject))
                await work.outbox.add(told, DeliveryKind.LOSS, told, team=delivery.team, at=now)
        self._crashes.pop(delivery.id, None)

    def _pause(self, attempts: int) -> float:
        """The seconds after so many attempts: longer and longer, but never without end."""
        return min(self.first_pause_seconds * 2 ** min(attempts - 1, _DOUBLINGS), _LONGEST_PAUSE_SECONDS)
