"""The pace of model calls that all replicas keep together: one place after the other, handed out by the database."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from bot.domain.rates import Rate
from bot.domain.runs import Run
from bot.runtime import activity
from bot.runtime.leases import Lease
from bot.runtime.ports import Sleep
from bot.runtime.transitions import Transitions


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacer:
    """Hands out places. Without a rate nobody waits."""

    model: str
    rate: Rate | None = None
    sleep: Sleep = asyncio.sleep

    async def wait(self, run: Run, lease: Lease) -> None:
        """Wait until this run may ask the model; that is no time of the run's own. Cancelled, its place is lost."""
        if self.rate is None:
            return
        async with lease.write() as moves:
            seconds = await self._place(moves, self.rate)
            if seconds <= 0:
                return
            await moves.work.runs.change(run.id, **activity.resting(await moves.work.runs.find(run.id), moves.now))
        await self.sleep(seconds)
        async with lease.write() as moves:
            current = await moves.work.runs.find(run.id)
            if current.state.holds_thread():
                await moves.work.runs.change(run.id, **activity.going_on(current, moves.now))

    async def _place(self, moves: Transitions, rate: Rate) -> float:
        name = f"model:{self.model}"
        answer = rate.ask(await moves.work.rates.held(name), moves.now)
        await moves.work.rates.set(name, answer.next_at)
        return (answer.in_time_at - moves.now).total_seconds()
