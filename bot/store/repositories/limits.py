"""The repositories of what runs used on a day, and of token buckets, each stored as one moment."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

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

_TAKE = upsert(
    spending,
    lambda new: {"effects": spending.c.effects + new.effects, "recipients": new.recipients},
)


def _of_day() -> Prepared:
    mine = spending.c.user == bindparam("user")
    sums = {
        "tokens": func.sum(spending.c.tokens),
        "cost_micros": func.sum(spending.c.cost_micros),
        "effects": func.sum(spending.c.effects),
        "my_tokens": func.sum(case((mine, spending.c.tokens), else_=0)),
        "my_cost_micros": func.sum(case((mine, spending.c.cost_micros), else_=0)),
        "my_effects": func.sum(case((mine, spending.c.effects), else_=0)),
    }
    wanted = select(*(func.coalesce(total, 0).label(name) for name, total in sums.items()))
    return Prepared(wanted.where(given(spending.c.team, spending.c.day)))


_OF_DAY = _of_day()
_REACHED = Prepared(
    select(spending.c.user, spending.c.recipients).where(
        given(spending.c.team, spending.c.day), spending.c.recipients.is_not(None)
    )
)
_HELD = Prepared(select(rates.c.next_at).where(given(rates.c.name)))


class Spending(Repository):
    """What people used of the model and did outside, by day."""

    async def add(self, team: str, user: str, day: str, spent: Spent) -> None:
        """Add this to what the person used of the model."""
        values = {"team": team, "day": day, "user": user, "tokens": spent.tokens, "cost_micros": spent.cost_micros}
        await self._db.execute(_ADD, values)

    async def hold(self, team: str, day: str) -> None:
        """Until this transaction ends nobody else of the workspace takes places of the day."""
        await self._db.lock_names([f"day {team} {day}"])

    async def take(self, team: str, user: str, day: str, spent: Spent) -> None:
        """Add this to what the person did outside; `recipients` are all that they have reached. The day is held."""
        reached = sorted(spent.recipients) or None
        values = {"team": team, "day": day, "user": user, "effects": spent.effects, "recipients": reached}
        await self._db.execute(_TAKE, values)

    async def of_day(self, team: str, user: str, day: str, *, recipients: bool = False) -> Today:
        """The whole day, the people they reached only if these are asked for."""
        counted = await self._db.the(_today, _OF_DAY, {"team": team, "user": user, "day": day})
        if not recipients:
            return counted
        rows = await self._db.all(dict[str, Any], _REACHED, {"team": team, "day": day})
        reached = {row["user"]: frozenset[str](row["recipients"]) for row in rows}
        return Today(
            user=replace(counted.user, recipients=reached.get(user, frozenset())),
            workspace=replace(counted.workspace, recipients=frozenset[str]().union(*reached.values())),
        )


def _today(
    *, tokens: int, cost_micros: int, effects: int, my_tokens: int, my_cost_micros: int, my_effects: int
) -> Today:
    return Today(
        user=Spent(tokens=int(my_tokens), cost_micros=int(my_cost_micros), effects=int(my_effects)),
        workspace=Spent(tokens=int(tokens), cost_micros=int(cost_micros), effects=int(effects)),
    )


class Rates(Repository):
    """One moment for each name: when its next request is in time (`bot.domain.limits`)."""

    async def held(self, name: str) -> datetime | None:
        """The moment; no other transaction reads it in order to change it until this one ends."""
        await self._db.lock_names([f"rate {name}"])
        return await self._db.value(_HELD, {"name": name})

    async def set(self, name: str, next_at: datetime) -> None:
        await self._db.put(rates, {"name": name, "next_at": next_at})
