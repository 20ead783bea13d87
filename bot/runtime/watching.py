"""The watch over active time: looked at each second, whatever is under way (docs/limits.md)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from bot.domain.limits import GRACE, Limit
from bot.domain.runs import Run
from bot.runtime import budgets, pauses
from bot.runtime.budgets import Overdue
from bot.runtime.leases import Lease
from integrations.ports import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Stops runs that have worked for too long."""

    clock: Clock
    grace: timedelta = GRACE

    def is_due(self, run: Run) -> bool:
        """Whether its time asks for a stop that was not made yet."""
        return budgets.overdue(run, self.clock.now(), self.grace) is not None

    async def stop(self, run: Run, lease: Lease) -> None:
        """At the limit softly, after the grace hard; a model call under way is dropped by whoever serves the thread."""
        async with lease.write() as moves:
            await moves.work.threads.lock(run.thread_id)
            current = await moves.work.runs.find(run.id)
            match budgets.overdue(current, moves.now, self.grace):
                case Overdue.SOFT:
                    await pauses.softly(moves, current, Limit.ACTIVE)
                case Overdue.HARD:
                    await pauses.hard(moves, current, Limit.ACTIVE)
                case None:
                    pass
