"""Agreement on the time: replicas that share a database go by its clock (docs/time.md)."""

from __future__ import annotations

from dataclasses import dataclass

from bot.clock import SyncedClock
from bot.store.store import Store

LOOK_SECONDS = 10.0
"""How often the database's clock is looked at; two clocks drift apart by less than a millisecond in that time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSync:
    """Keeps the clock of this process with that of the database."""

    store: Store
    clock: SyncedClock

    async def look(self) -> None:
        """Read the database's clock. Raises `NotRead`: then the clock goes on as it did."""
        async with self.store.read() as work:
            asked = self.clock.elapsed()
            moment = await work.leases.moment(self.clock.now())
            self.clock.agree(moment, asked=asked, answered=self.clock.elapsed())
