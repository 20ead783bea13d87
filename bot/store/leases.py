"""Who does the work, in SQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.states import LostRace
from bot.store.rows import first
from bot.store.tables import leases

_NEVER = datetime(2000, 1, 1, tzinfo=UTC)


class Leases:
    """Implements `ports.Leases`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._db = connection

    async def take(self, name: str, holder: str, *, now: datetime, seconds: float) -> int | None:
        row = first(await self._db.execute(select(leases).where(leases.c.name == name)))
        until = now + timedelta(seconds=seconds)
        if row is None:
            await self._db.execute(insert(leases).values(name=name, holder=holder, epoch=1, expires_at=until))
            return 1
        if row["holder"] is not None and row["holder"] != holder and row["expires_at"] > now:
            return None
        epoch = row["epoch"] + 1
        same = (leases.c.name == name) & (leases.c.epoch == row["epoch"])
        taken = await self._db.execute(update(leases).where(same).values(holder=holder, epoch=epoch, expires_at=until))
        return epoch if taken.rowcount == 1 else None

    async def renew(self, name: str, holder: str, epoch: int, *, now: datetime, seconds: float) -> bool:
        mine = (leases.c.name == name) & (leases.c.holder == holder) & (leases.c.epoch == epoch)
        until = now + timedelta(seconds=seconds)
        return (await self._db.execute(update(leases).where(mine).values(expires_at=until))).rowcount == 1

    async def hold(self, name: str, holder: str, epoch: int) -> None:
        mine = (leases.c.name == name) & (leases.c.holder == holder) & (leases.c.epoch == epoch)
        held = await self._db.execute(update(leases).where(mine).values(epoch=leases.c.epoch))
        if held.rowcount != 1:
            raise LostRace("lease", name, f"epoch {epoch}", "held")

    async def release(self, name: str, holder: str, epoch: int) -> None:
        mine = (leases.c.name == name) & (leases.c.holder == holder) & (leases.c.epoch == epoch)
        await self._db.execute(update(leases).where(mine).values(holder=None, expires_at=_NEVER))

    async def void_all(self) -> None:
        await self._db.execute(update(leases).values(holder=None, epoch=leases.c.epoch + 1, expires_at=_NEVER))
