"""The repository of grants that are to be given back to their provider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import delete, insert, or_, select, update

from bot.domain.connections import Revocation
from bot.store.engine.session import Session
from bot.store.rows import every
from bot.store.tables.accounts import revocations


class Revocations:
    """Grants that are to be given back."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def add(self, new: Revocation) -> None:
        await self._db.execute(insert(revocations).values(asdict(new)))

    async def due(self, *, now: datetime, horizon: datetime, limit: int) -> Sequence[Revocation]:
        """Grants that are due. One that is due after the horizon was stored before the clock went back, and counts as
        due.
        """
        due = or_(revocations.c.not_before <= now, revocations.c.not_before > horizon)
        wanted = select(revocations).where(due).order_by(revocations.c.not_before, revocations.c.id).limit(limit)
        return [Revocation(**row) for row in every(await self._db.execute(wanted))]

    async def claim(self, revocation: Revocation, *, not_before: datetime) -> bool:
        """Count an attempt and set when the next one is due; False when another process was first."""
        mine = (revocations.c.id == revocation.id) & (revocations.c.attempts == revocation.attempts)
        claim = update(revocations).where(mine).values(attempts=revocation.attempts + 1, not_before=not_before)
        return (await self._db.execute(claim.returning(revocations.c.id))).first() is not None

    async def end(self, revocation: Revocation) -> bool:
        """Delete the row with its secret; False when it is gone already."""
        gone = delete(revocations).where(revocations.c.id == revocation.id).returning(revocations.c.id)
        return (await self._db.execute(gone)).first() is not None

    async def forget(self, provider: str, account: str) -> None:
        """Give nothing of this account back, because it was connected again."""
        theirs = (revocations.c.provider == provider) & (revocations.c.account == account)
        await self._db.execute(delete(revocations).where(theirs))
