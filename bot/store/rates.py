"""Rates as one moment per name, in SQL."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select

from bot.store.session import Session
from bot.store.tables import rates


class Rates:
    """Implements `repositories.Rates`."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def held(self, name: str) -> datetime | None:
        await self._db.lock_names([f"rate {name}"])
        return (await self._db.execute(select(rates.c.next_at).where(rates.c.name == name))).scalar_one_or_none()

    async def set(self, name: str, next_at: datetime) -> None:
        await self._db.put(rates, {"name": name, "next_at": next_at})
