"""The relay: takes what must reach people from the outbox, has it delivered, marks it (docs/states.md §6).

One lane is delivered in order. A 429 or a broken connection is waited out; an error that cannot heal becomes a dead
letter, and the lane goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import structlog

from bot.domain.audit import Fact
from bot.domain.deliveries import Delivery
from bot.runtime.ports import DeliveryFailed, NotSaved, Store, Surface
from integrations.base import Clock

log = structlog.get_logger()

_TICK_SECONDS = 0.5
_LANES_AT_ONCE = 20
_MAX_ATTEMPTS = 20
_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 60.0


@dataclass(slots=True, kw_only=True)
class Relay:
    """Delivers. `nudge` is called after every commit that wrote an outbox row."""

    store: Store
    clock: Clock
    surface: Surface
    _woken: asyncio.Event = field(default_factory=asyncio.Event)
    _busy: set[str] = field(default_factory=set[str])

    def nudge(self) -> None:
        """There may be something to deliver."""
        self._woken.set()

    async def run(self) -> None:
        """Deliver until cancelled. Lanes do not wait for each other; within a lane one row follows the other."""
        async with asyncio.TaskGroup() as lanes:
            while True:
                self._woken.clear()
                for delivery in await self._due():
                    self._busy.add(delivery.lane)
                    lanes.create_task(self._lane(delivery), name=f"deliver to {delivery.lane}")
                await self._rest()

    async def _due(self) -> Sequence[Delivery]:
        """The heads that are due, of lanes that are idle; the look may see the old head of one that ends meanwhile."""
        busy = frozenset(self._busy)
        async with self.store.read() as work:
            heads = await work.outbox.heads(now=self.clock.now(), limit=_LANES_AT_ONCE + len(busy))
        return [delivery for delivery in heads if delivery.lane not in busy]

    async def _lane(self, delivery: Delivery) -> None:
        try:
            await self._deliver(delivery)
        except NotSaved:
            log.error("outbox.not_saved", delivery=delivery.id)
            await asyncio.sleep(_FIRST_PAUSE_SECONDS)
        finally:
            self._busy.discard(delivery.lane)
            self._woken.set()

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(_TICK_SECONDS):
                await self._woken.wait()
        except TimeoutError:
            return

    async def _deliver(self, delivery: Delivery) -> None:
        try:
            await self.surface.deliver(delivery)
        except DeliveryFailed as failure:
            await self._failed(delivery, str(failure), failure.retry_after)
        except asyncio.CancelledError:
            raise
        except (
            Exception
        ) as error:  # the task's outer edge: a row that cannot be rendered must not block its lane for ever
            log.exception("delivery.crashed", delivery=delivery.id, kind=delivery.kind.value)
            await self._failed(delivery, type(error).__name__, _FIRST_PAUSE_SECONDS)
        else:
            async with self.store.write() as work:
                await work.outbox.delivered(delivery, at=self.clock.now())

    async def _failed(self, delivery: Delivery, why: str, retry_after: float | None) -> None:
        now = self.clock.now()
        async with self.store.write() as work:
            if retry_after is None or delivery.attempts + 1 >= _MAX_ATTEMPTS:
                log.error("delivery.dead", delivery=delivery.id, kind=delivery.kind.value, why=why)
                await work.outbox.bury(delivery, at=now, error=why)
                details = {"delivery": str(delivery.id), "kind": delivery.kind.value, "subject": delivery.subject}
                await work.audit.record(Fact(team=delivery.team, code="delivery.dead", actor="agent", details=details))
                return
            backoff = min(_FIRST_PAUSE_SECONDS * 2**delivery.attempts, _LONGEST_PAUSE_SECONDS)
            pause = max(retry_after, backoff)
            await work.outbox.retry(delivery, not_before=now + timedelta(seconds=pause), error=why)
