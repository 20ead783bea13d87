"""The monitor of active time: it looks each second, whatever is under way (docs/limits.md)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from bot.domain.limits import GRACE, Limit
from bot.domain.runs import Run
from bot.runtime.core.lease import Lease
from bot.runtime.limits import stops, usage
from bot.runtime.limits.usage import Overdue
from integrations.ports import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlineMonitor:
    """Stops runs that have worked for too long."""

    clock: Clock
    grace: timedelta = GRACE

    def is_due(self, run: Run) -> bool:
        """Whether its time asks for a stop that was not made yet."""
        return usage.overdue(run, self.clock.now(), self.grace) is not None

    async def stop(self, run: Run, lease: Lease) -> None:
        """At the limit softly, after the grace hard; the thread's worker drops a model call that is under way."""
        async with lease.write() as tx:
            await tx.work.threads.lock(run.thread_id)
            current = await tx.work.runs.find(run.id)
            match usage.overdue(current, tx.now, self.grace):
                case Overdue.SOFT:
                    await stops.softly(tx, current, Limit.ACTIVE)
                case Overdue.HARD:
                    await stops.hard(tx, current, Limit.ACTIVE)
                case None:
                    pass
