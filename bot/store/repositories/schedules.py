"""The repository of schedules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import insert, select, update

from bot.domain.schedules import SCHEDULE_MOVES, Look, Schedule, ScheduleState
from bot.domain.states import LostRace, check_move
from bot.store.engine.session import Repository, being
from bot.store.rows import columns_of
from bot.store.tables.schedules import schedules

_ACTIVE = being(schedules.c.state, ScheduleState.ACTIVE)
"""Written out, so that the partial index is used: a bound parameter could be any state."""


class Schedules(Repository):
    """Requests, reminders and briefings at their times."""

    async def add(self, new: Schedule) -> None:
        await self._db.execute(insert(schedules).values(columns_of(new)))

    async def lock(self, team: str, user: str) -> None:
        """Keep other transactions from adding to the person's schedules until this one ends."""
        await self._db.lock_names([f"schedules of {team} {user}"])

    async def find(self, schedule_id: str) -> Schedule | None:
        return await self._db.first(Schedule, select(schedules).where(schedules.c.id == schedule_id))

    async def of(self, team: str, user: str) -> Sequence[Schedule]:
        """The person's schedules that have not ended, oldest first."""
        mine = (schedules.c.team == team) & (schedules.c.user == user)
        kept = schedules.c.state != ScheduleState.ENDED
        return await self._db.all(Schedule, select(schedules).where(mine, kept).order_by(schedules.c.created_at))

    async def due(self, *, now: datetime, limit: int, look: Look = Look.NOTHING) -> Sequence[Schedule]:
        """Active schedules that are due and need this look-up first, the longest due first."""
        wanted = select(schedules).where(_ACTIVE, schedules.c.look == look, schedules.c.next_fire <= now)
        return await self._db.all(Schedule, wanted.order_by(schedules.c.next_fire).limit(limit))

    async def fired(self, before: Schedule, *, at: datetime, next_fire: datetime | None) -> None:
        """Move `next_fire` on, or end the schedule; raises `LostRace` unless it stands as in `before`."""
        left = ScheduleState.ACTIVE if next_fire else ScheduleState.ENDED
        mine = (schedules.c.id == before.id) & _ACTIVE & (schedules.c.next_fire == before.next_fire)
        fired = update(schedules).where(mine).values(state=left, last_fired=at, next_fire=next_fire)
        if not await self._db.is_done(fired.returning(schedules.c.id)):
            raise LostRace("schedule", before.id, before.state, "fired")

    async def end(self, schedule_id: str) -> None:
        """End it, whatever its state."""
        ended = {"state": ScheduleState.ENDED, "next_fire": None}
        await self._db.execute(update(schedules).where(schedules.c.id == schedule_id).values(ended))

    async def move(self, before: Schedule, to: ScheduleState, *, next_fire: datetime | None = None) -> None:
        """One guarded UPDATE from `before.state`; raises `LostRace`."""
        check_move("schedule", SCHEDULE_MOVES, before.state, to)
        mine = (schedules.c.id == before.id) & (schedules.c.state == before.state)
        moved = update(schedules).where(mine).values(state=to, next_fire=next_fire)
        if not await self._db.is_done(moved.returning(schedules.c.id)):
            raise LostRace("schedule", before.id, before.state, to)
