"""The rate of one person's requests: counted in intake's transaction, so that no two replicas count apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.domain.limits import Rate
from bot.domain.threads import zone_of
from bot.runtime.core.transaction import Transaction
from bot.runtime.texts import about_limits
from bot.store.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class TooFast:
    """A request was refused. `again_at` is when the next is in time; `told` says that its person knows it already: a
    refusal of each would be a flood of our own.
    """

    again_at: datetime
    told: bool


async def exceeded(tx: Transaction, team: str, user: str, rate: Rate, *, said_to: str = "") -> TooFast | None:
    """Count one request, or refuse it: a refused one takes no place. `said_to` is the run that it was meant for, if it
    was: that nothing of it is taken is told for each.
    """
    name = f"requests:{team}:{user}"
    next_at = await tx.work.rates.held(name)
    now = await tx.work.leases.moment(tx.now)
    answer = rate.ask(next_at, now)
    if answer.granted:
        await tx.work.rates.set(name, answer.next_at)
        return None
    silent = f"refusals:{team}:{user}:{said_to}"
    told = await tx.work.rates.held(silent) == answer.in_time_at
    if not told:
        await tx.work.rates.set(silent, answer.in_time_at)
    return TooFast(again_at=answer.in_time_at, told=told)


def figures(rate: Rate, refused: TooFast) -> tuple[int, int]:
    """What the words of a refusal need and no row holds: how many a minute, and the second (since 1970) from which on
    the next one is taken, never too early.
    """
    return rate.per_minute, int(refused.again_at.timestamp()) + 1


async def in_words(work: UnitOfWork, team: str, user: str, rate: Rate, refused: TooFast) -> str:
    """What the person is told, with the time in their own zone."""
    return words_of(figures(rate, refused), zone_of(await work.users.find(team, user)))


def words_of(figures: Sequence[int], zone: str) -> str:
    """The words of such a refusal, in the person's zone."""
    per_minute, again_at = figures
    return about_limits.too_fast(per_minute, datetime.fromtimestamp(again_at, tz=UTC), zone)
