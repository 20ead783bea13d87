"""Grants that are to be given back, in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import delete, insert, or_, select, update

from bot.domain.revocations import Revocation
from bot.store.rows import every
from bot.store.session import Session
from bot.store.tables import revocations


class Revocations:
    """Implements `repositories.Revocations`."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def add(self, new: Revocation) -> None:
        await self._db.execute(insert(revocations).values(asdict(new)))

    async def due(self, *, now: datetime, horizon: datetime, limit: int) -> Sequence[Revocation]:
        due = or_(revocations.c.not_before <= now, revocations.c.not_before > horizon)
        wanted = select(revocations).where(due).order_by(revocations.c.not_before, revocations.c.id).limit(limit)
        return [Revocation(**row) for row in every(await self._db.execute(wanted))]

    async def claim(self, revocation: Revocation, *, not_before: datetime) -> bool:
        mine = (revocations.c.id == revocation.id) & (revocations.c.attempts == revocation.attempts)
        claim = update(revocations).where(mine).values(attempts=revocation.attempts + 1, not_before=not_before)
        return (await self._db.execute(claim.returning(revocations.c.id))).first() is not None

    async def end(self, revocation: Revocation) -> bool:
        gone = delete(revocations).where(revocations.c.id == revocation.id).returning(revocations.c.id)
        return (await self._db.execute(gone)).first() is not None

    async def forget(self, provider: str, account: str) -> None:
        theirs = (revocations.c.provider == provider) & (revocations.c.account == account)
        await self._db.execute(delete(revocations).where(theirs))
