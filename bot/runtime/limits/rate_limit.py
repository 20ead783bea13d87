"""Rates: how fast one person may ask, and how fast the model is asked.

Both are counted in the database, in the caller's transaction, so that no two replicas count apart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import RefusalReason
from bot.domain.limits import Rate, RateAnswer
from bot.domain.runs import Run
from bot.domain.threads import Message, zone_of
from bot.runtime.core import activity
from bot.runtime.core.lease import Lease
from bot.runtime.core.ports import Sleep
from bot.runtime.core.transaction import Transaction
from bot.runtime.texts import about_limits
from bot.store.unit_of_work import UnitOfWork


async def _ask(tx: Transaction, name: str, rate: Rate, *, at_once: bool = False) -> tuple[RateAnswer, float]:
    """The next place, which is taken if it is granted, and the seconds until then; `at_once` none but one of now."""
    next_at = await tx.work.rates.held(name)
    now = await tx.work.leases.moment(tx.now)
    answer = rate.ask(next_at, now)
    if at_once and answer.in_time_at > now:
        answer = replace(answer, granted=False)
    if answer.granted:
        await tx.work.rates.set(name, answer.next_at)
    return answer, (answer.in_time_at - now).total_seconds()


# One person's requests --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TooFast:
    """A request was refused. `again_at` is when the next is in time; `told` says that its person knows it already: a
    refusal of each would be a flood of our own.
    """

    again_at: datetime
    told: bool


def _requests(team: str, user: str) -> str:
    return f"requests:{team}:{user}"


async def exceeded(tx: Transaction, team: str, user: str, rate: Rate) -> TooFast | None:
    """Count one request that cannot wait, or refuse it."""
    answer, _ = await _ask(tx, _requests(team, user), rate, at_once=True)
    return None if answer.granted else TooFast(again_at=answer.in_time_at, told=False)


async def turn(tx: Transaction, message: Message, run: Run | None, rate: Rate) -> float | TooFast:
    """Count one request: the seconds until its turn, 0 for at once. Or refuse it, so that it takes no place. `run` is
    what it was said to, if it was: that nothing of it is taken is told for each.
    """
    team, user = message.team, message.author
    answer, seconds = await _ask(tx, _requests(team, user), rate)
    if answer.granted:
        return max(0.0, seconds)
    silent = f"refusals:{team}:{user}:{run.id if run else ''}"
    told = await tx.work.rates.held(silent) == answer.in_time_at
    if not told:
        await tx.work.rates.set(silent, answer.in_time_at)
    return TooFast(again_at=answer.in_time_at - rate.ahead, told=told)


def figures(rate: Rate, refused: TooFast) -> tuple[int, int]:
    """What the words of a refusal need and no row holds: how many a minute, and the second (since 1970) from which on
    the next one is taken, never too early.
    """
    return rate.per_minute, int(refused.again_at.timestamp()) + 1


async def in_words(work: UnitOfWork, team: str, user: str, rate: Rate, refused: TooFast) -> str:
    """What the person is told, with the time in their own zone."""
    return words_of(figures(rate, refused), zone_of(await work.users.find(team, user)))


async def held_back(tx: Transaction, team: str, user: str, rate: Rate | None) -> str:
    """Why a request that is no message waits for another press, in words and in the log; empty where it does not."""
    refused = await exceeded(tx, team, user, rate) if rate else None
    if refused is None or rate is None:
        return ""
    why = {"why": RefusalReason.TOO_FAST.value}
    tx.record(AuditEvent(team=team, code=AuditCode.MESSAGE_REFUSED, actor=user, details=why))
    return await press_again(tx.work, team, user, rate, refused)


async def press_again(work: UnitOfWork, team: str, user: str, rate: Rate, refused: TooFast) -> str:
    """The same in a window that keeps what the person filled in, short enough to stand at its field."""
    (per_minute, again_at), zone = figures(rate, refused), zone_of(await work.users.find(team, user))
    return about_limits.press_again(per_minute, datetime.fromtimestamp(again_at, tz=UTC), zone)


def waiting_words(figures: Sequence[int], zone: str) -> str:
    """The words of one that waits for its turn, in the person's zone."""
    per_minute, begins_at = figures
    return about_limits.waits(per_minute, datetime.fromtimestamp(begins_at, tz=UTC), zone)


def words_of(figures: Sequence[int], zone: str) -> str:
    """The words of such a refusal, in the person's zone; a third figure is when it is offered again."""
    per_minute, *moments = figures
    return about_limits.too_fast(per_minute, *(datetime.fromtimestamp(at, tz=UTC) for at in moments), zone=zone)


# Calls of the model -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelThrottle:
    """Hands out the places of each model to all replicas, one after the other. Without a rate there is no wait."""

    rate: Rate | None = None
    sleep: Sleep = asyncio.sleep

    async def wait(self, run: Run, model: str, lease: Lease) -> None:
        """Wait until this run may ask this model; that is no time of the run's own. Cancelled, its place is lost.

        Places are given away for the next minute; when those are gone it asks again in a while.
        """
        if self.rate is None:
            return
        name = f"model:{model}"
        async with lease.write() as tx:
            answer, seconds = await _ask(tx, name, self.rate)
            current = await tx.work.runs.find(run.id)
            if seconds <= 0:
                await _go_on(tx, current)  # a wait before this one may have broken off
                return
            await tx.work.runs.change(run.id, **activity.resting(current, tx.now))
        while not answer.granted:
            ahead = self.rate.ahead.total_seconds()
            await self.sleep(max(seconds - ahead, ahead / 2))
            async with lease.write() as tx:
                answer, seconds = await _ask(tx, name, self.rate)
        await self.sleep(seconds)
        async with lease.write() as tx:
            await _go_on(tx, await tx.work.runs.find(run.id))


async def _go_on(tx: Transaction, run: Run) -> None:
    """What it does from now on is time of its own."""
    if run.state.holds_thread() and run.active_since is None:
        await tx.work.runs.change(run.id, **activity.going_on(run, tx.now))
