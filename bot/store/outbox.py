"""What must reach people, in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, func, insert, or_, select, update

from bot.domain.deliveries import Delivery, DeliveryKind, DeliveryState
from bot.store.rows import Row, every, merged
from bot.store.session import Session
from bot.store.tables import outbox

_COLUMNS = [
    outbox.c[n] for n in ("id", "lane", "kind", "subject", "team", "state", "attempts", "not_before", "created_at")
]
_HORIZON = timedelta(minutes=15)
"""No pause is longer: a moment further ahead was set before the clock went back."""
_PENDING = outbox.c.state == DeliveryState.PENDING.value


def _delivery(row: Row) -> Delivery:
    return Delivery(**merged(row, kind=DeliveryKind(row["kind"]), state=DeliveryState(row["state"])))


class Outbox:
    """Implements `repositories.Outbox`."""

    def __init__(self, session: Session) -> None:
        self._db = session
        self.added = False

    async def add(self, lane: str, kind: DeliveryKind, subject: str, *, team: str, at: datetime) -> None:
        values = {"lane": lane, "kind": kind.value, "subject": subject, "team": team, "created_at": at}
        await self._db.execute(insert(outbox).values(**values, state=DeliveryState.PENDING.value))
        self.added = True

    async def heads(self, *, now: datetime, limit: int) -> Sequence[Delivery]:
        first = select(func.min(outbox.c.id)).where(_PENDING).group_by(outbox.c.lane)
        stale = outbox.c.not_before > now + _HORIZON
        due = or_(outbox.c.not_before.is_(None), outbox.c.not_before <= now, stale)
        wanted = select(*_COLUMNS).where(outbox.c.id.in_(first), due).order_by(outbox.c.id).limit(limit)
        return [_delivery(row) for row in every(await self._db.execute(wanted))]

    async def claim(self, delivery: Delivery) -> Delivery | None:
        mine = (outbox.c.id == delivery.id) & _PENDING & (outbox.c.attempts == delivery.attempts)
        claim = update(outbox).where(mine).values(attempts=delivery.attempts + 1).returning(outbox.c.id)
        if (await self._db.execute(claim)).first() is None:
            return None
        newest = await self._db.execute(select(func.max(outbox.c.id)).where(_about(delivery)))
        return replace(delivery, attempts=delivery.attempts + 1, through=newest.scalar_one())

    async def delivered(self, delivery: Delivery, *, at: datetime) -> None:
        await self._end(delivery, DeliveryState.DELIVERED, at, "")

    async def retry(self, delivery: Delivery, *, not_before: datetime, error: str) -> None:
        again = {"not_before": not_before, "error": error}
        await self._db.execute(update(outbox).where(outbox.c.id == delivery.id, _PENDING).values(again))

    async def doubt_all(self) -> None:
        await self._db.execute(update(outbox).where(_PENDING).values(attempts=outbox.c.attempts + 1))

    async def bury(self, delivery: Delivery, *, at: datetime, error: str) -> None:
        await self._end(delivery, DeliveryState.DEAD, at, error)

    async def _end(self, delivery: Delivery, state: DeliveryState, at: datetime, error: str) -> None:
        ended = {"state": state.value, "ended_at": at, "error": error}
        shown = _about(delivery) & (outbox.c.id <= delivery.through)
        await self._db.execute(update(outbox).where(shown).values(ended))


def _about(delivery: Delivery) -> ColumnElement[bool]:
    """What still waits in this lane to be shown of the same subject."""
    same = (outbox.c.lane == delivery.lane) & (outbox.c.kind == delivery.kind.value)
    return _PENDING & same & (outbox.c.subject == delivery.subject)
