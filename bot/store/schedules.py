"""What is to happen at a time, in SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, insert, select, update

from bot.domain.schedules import SCHEDULE_MOVES, Look, Schedule, ScheduleKind, ScheduleState
from bot.domain.states import LostRace, check_move
from bot.store.rows import Row, columns_of, every, first, merged
from bot.store.session import Session
from bot.store.statements import being
from bot.store.tables import schedules

_ACTIVE = being(schedules.c.state, ScheduleState.ACTIVE)
"""In words that the partial index is known by: a bound parameter could be any state."""


def _schedule(row: Row) -> Schedule:
    words = {"kind": ScheduleKind(row["kind"]), "look": Look(row["look"]), "state": ScheduleState(row["state"])}
    return Schedule(**merged(row, **words))


class Schedules:
    """Implements `repositories.Schedules`."""

    def __init__(self, session: Session) -> None:
        self._db = session

    async def add(self, new: Schedule) -> None:
        await self._db.execute(insert(schedules).values(columns_of(new)))

    async def lock(self, team: str, user: str) -> None:
        await self._db.lock_names([f"schedules of {team} {user}"])

    async def find(self, schedule_id: str) -> Schedule | None:
        row = first(await self._db.execute(select(schedules).where(schedules.c.id == schedule_id)))
        return _schedule(row) if row else None

    async def of(self, team: str, user: str) -> Sequence[Schedule]:
        mine = (schedules.c.team == team) & (schedules.c.user == user)
        kept = schedules.c.state != ScheduleState.ENDED.value
        found = await self._db.execute(select(schedules).where(mine, kept).order_by(schedules.c.created_at))
        return [_schedule(row) for row in every(found)]

    async def due(self, *, now: datetime, limit: int, look: Look = Look.NOTHING) -> Sequence[Schedule]:
        wanted = select(schedules).where(_ACTIVE, schedules.c.look == look.value, schedules.c.next_fire <= now)
        found = await self._db.execute(wanted.order_by(schedules.c.next_fire).limit(limit))
        return [_schedule(row) for row in every(found)]

    async def fired(self, before: Schedule, *, at: datetime, next_fire: datetime | None) -> None:
        left = ScheduleState.ACTIVE if next_fire else ScheduleState.ENDED
        mine = (schedules.c.id == before.id) & _ACTIVE & (schedules.c.next_fire == before.next_fire)
        values = {"state": left.value, "last_fired": at, "next_fire": next_fire}
        if not await self._changed(mine, values):
            raise LostRace("schedule", before.id, before.state, "fired")

    async def end(self, schedule_id: str) -> None:
        ended = {"state": ScheduleState.ENDED.value, "next_fire": None}
        await self._db.execute(update(schedules).where(schedules.c.id == schedule_id).values(ended))

    async def move(self, before: Schedule, to: ScheduleState, *, next_fire: datetime | None = None) -> None:
        check_move("schedule", SCHEDULE_MOVES, before.state, to)
        mine = (schedules.c.id == before.id) & (schedules.c.state == before.state.value)
        values = {"state": to.value, "next_fire": next_fire}
        if not await self._changed(mine, values):
            raise LostRace("schedule", before.id, before.state, to)

    async def _changed(self, guard: ColumnElement[bool], values: Mapping[str, object]) -> bool:
        changed = update(schedules).where(guard).values(values).returning(schedules.c.id)
        return (await self._db.execute(changed)).first() is not None
