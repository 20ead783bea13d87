"""The rate of one person's requests: counted in intake's transaction, so that no two replicas count apart."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bot.domain.rates import Rate
from bot.domain.threads import zone_of
from bot.runtime import limit_words
from bot.runtime.ports import UnitOfWork
from bot.runtime.transitions import Transitions

TOO_FAST = "too_fast"
_SILENCE = timedelta(minutes=1)
"""One refusal in this time, however many requests there are: a refusal of each would be a flood of our own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TooFast:
    """A request was refused. `told` says that its person knows already; `again_at` when the next is in time."""

    again_at: datetime
    told: bool


async def too_fast(moves: Transitions, team: str, user: str, rate: Rate) -> TooFast | None:
    """Count one request, or refuse it: a refused one takes no place."""
    name = f"requests:{team}:{user}"
    next_at = await moves.work.rates.held(name)
    now = await moves.work.leases.moment(moves.now)
    answer = rate.ask(next_at, now)
    if answer.granted:
        await moves.work.rates.set(name, answer.next_at)
        return None
    silent = f"refusals:{team}:{user}"
    told_until = await moves.work.rates.held(silent)
    told = told_until is not None and now < told_until <= now + _SILENCE  # a clock may go back
    if not told:
        await moves.work.rates.set(silent, now + _SILENCE)
    return TooFast(again_at=answer.in_time_at, told=told)


def reason(rate: Rate, refused: TooFast) -> str:
    """Why, as a delivery's subject carries it: what its words need stands in no row."""
    return f"{TOO_FAST}.{rate.per_minute}.{int(refused.again_at.timestamp()) + 1}"


async def in_words(work: UnitOfWork, team: str, user: str, rate: Rate, refused: TooFast) -> str:
    """What its person is told, with the moment in his own zone."""
    zone = zone_of(await work.users.find(team, user))
    return limit_words.too_fast(rate.per_minute, refused.again_at, zone)


def words_of(why: str, zone: str) -> str:
    """The words of such a reason, in the person's zone."""
    _, per_minute, again_at = why.split(".")
    return limit_words.too_fast(int(per_minute), datetime.fromtimestamp(int(again_at), tz=UTC), zone)
