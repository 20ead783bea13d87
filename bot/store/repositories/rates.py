"""The repository of token buckets, each stored as one moment."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from bot.store.engine.session import Session
from bot.store.tables.coordination import rates


class Rates:
    """One moment for each name: when its next request is in time (`bot.domain.limits`)."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def held(self, name: str) -> datetime | None:
        """The moment; no other transaction reads it in order to change it until this one ends."""
        await self._db.lock_names([f"rate {name}"])
        return (await self._db.execute(select(rates.c.next_at).where(rates.c.name == name))).scalar_one_or_none()

    async def set(self, name: str, next_at: datetime) -> None:
        await self._db.put(rates, {"name": name, "next_at": next_at})
