"""The repositories of what runs used of the model, and of token buckets, each stored as one moment."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import bindparam, case, func, select

from bot.domain.limits import Spent, Today
from bot.store.engine.session import Repository, given, upsert
from bot.store.engine.statements import Prepared
from bot.store.tables.coordination import rates
from bot.store.tables.people import spending

_ADD = upsert(
    spending,
    lambda new: {
        "tokens": spending.c.tokens + new.tokens,
        "cost_micros": spending.c.cost_micros + new.cost_micros,
    },
)


def _of_day() -> Prepared:
    mine = spending.c.user == bindparam("user")
    sums = {
        "tokens": func.sum(spending.c.tokens),
        "cost_micros": func.sum(spending.c.cost_micros),
        "my_tokens": func.sum(case((mine, spending.c.tokens), else_=0)),
        "my_cost_micros": func.sum(case((mine, spending.c.cost_micros), else_=0)),
    }
    wanted = select(*(func.coalesce(total, 0).label(name) for name, total in sums.items()))
    return Prepared(wanted.where(given(spending.c.team, spending.c.day)))


_OF_DAY = _of_day()
_HELD = Prepared(select(rates.c.next_at).where(given(rates.c.name)))


class Spending(Repository):
    """People's use of the model, by day."""

    async def add(self, team: str, user: str, day: str, spent: Spent) -> None:
        """Add this to what the person used."""
        values = {"team": team, "day": day, "user": user, "tokens": spent.tokens, "cost_micros": spent.cost_micros}
        await self._db.execute(_ADD, values)

    async def of_day(self, team: str, user: str, day: str) -> Today:
        return await self._db.the(_today, _OF_DAY, {"team": team, "user": user, "day": day})


def _today(*, tokens: int, cost_micros: int, my_tokens: int, my_cost_micros: int) -> Today:
    return Today(
        user=Spent(tokens=int(my_tokens), cost_micros=int(my_cost_micros)),
        workspace=Spent(tokens=int(tokens), cost_micros=int(cost_micros)),
    )


class Rates(Repository):
    """One moment for each name: when its next request is in time (`bot.domain.limits`)."""

    async def held(self, name: str) -> datetime | None:
        """The moment; no other transaction reads it in order to change it until this one ends."""
        await self._db.lock_names([f"rate {name}"])
        return await self._db.value(_HELD, {"name": name})

    async def set(self, name: str, next_at: datetime) -> None:
        await self._db.put(rates, {"name": name, "next_at": next_at})
