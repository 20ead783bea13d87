"""The repository of what runs used of the model."""

from __future__ import annotations

from sqlalchemy import case, func, select, true

from bot.domain.limits import Spent, Today
from bot.store.engine.session import Session
from bot.store.rows import the
from bot.store.tables.people import spending


class Spending:
    """People's use of the model, by day."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def add(self, team: str, user: str, day: str, spent: Spent) -> None:
        """Add this to what the person used."""
        values = {"team": team, "day": day, "user": user, "tokens": spent.tokens, "cost_micros": spent.cost_micros}
        changes = {
            "tokens": spending.c.tokens + spent.tokens,
            "cost_micros": spending.c.cost_micros + spent.cost_micros,
        }
        await self._db.put_where(spending, values, changes, true())

    async def of_day(self, team: str, user: str, day: str) -> Today:
        mine = spending.c.user == user
        sums = {
            "tokens": func.sum(spending.c.tokens),
            "cost_micros": func.sum(spending.c.cost_micros),
            "my_tokens": func.sum(case((mine, spending.c.tokens), else_=0)),
            "my_cost_micros": func.sum(case((mine, spending.c.cost_micros), else_=0)),
        }
        wanted = select(*(func.coalesce(total, 0).label(name) for name, total in sums.items()))
        row = the(await self._db.execute(wanted.where(spending.c.team == team, spending.c.day == day)))
        return Today(
            user=Spent(tokens=int(row["my_tokens"]), cost_micros=int(row["my_cost_micros"])),
            workspace=Spent(tokens=int(row["tokens"]), cost_micros=int(row["cost_micros"])),
        )
