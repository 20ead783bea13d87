"""The rate of model calls, shared by all replicas: the database hands out one place after the other."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from bot.domain.limits import Rate, RateAnswer
from bot.domain.runs import Run
from bot.runtime.core import activity
from bot.runtime.core.lease import Lease
from bot.runtime.core.ports import Sleep
from bot.runtime.core.transaction import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelThrottle:
    """Hands out places. Without a rate there is no wait."""

    model: str
    rate: Rate | None = None
    sleep: Sleep = asyncio.sleep

    async def wait(self, run: Run, lease: Lease) -> None:
        """Wait until this run may ask the model; that is no time of the run's own. Cancelled, its place is lost.

        Places are given away for the next minute; when those are gone it asks again in a while.
        """
        if self.rate is None:
            return
        async with lease.write() as tx:
            answer, seconds = await self._place(tx, self.rate)
            current = await tx.work.runs.find(run.id)
            if seconds <= 0:
                await _go_on(tx, current)  # a wait before this one may have broken off
                return
            await tx.work.runs.change(run.id, **activity.resting(current, tx.now))
        while not answer.granted:
            ahead = self.rate.ahead.total_seconds()
            await self.sleep(max(seconds - ahead, ahead / 2))
            async with lease.write() as tx:
                answer, seconds = await self._place(tx, self.rate)
        await self.sleep(seconds)
        async with lease.write() as tx:
            await _go_on(tx, await tx.work.runs.find(run.id))

    async def _place(self, tx: Transaction, rate: Rate) -> tuple[RateAnswer, float]:
        """The next place, and the seconds until then; it is taken if it is granted."""
        name = f"model:{self.model}"
        next_at = await tx.work.rates.held(name)
        now = await tx.work.leases.moment(tx.now)
        answer = rate.ask(next_at, now)
        if answer.granted:
            await tx.work.rates.set(name, answer.next_at)
        return answer, (answer.in_time_at - now).total_seconds()


async def _go_on(tx: Transaction, run: Run) -> None:
    """What it does from now on is time of its own."""
    if run.state.holds_thread() and run.active_since is None:
        await tx.work.runs.change(run.id, **activity.going_on(run, tx.now))
