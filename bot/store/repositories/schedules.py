"""The repository of schedules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Integer, Select, bindparam, insert, select

from bot.domain.schedules import SCHEDULE_MOVES, LookUp, Schedule, ScheduleState
from bot.domain.states import LostRace, check_move
from bot.store.engine.session import Repository, being, given, with_id
from bot.store.engine.statements import Prepared
from bot.store.rows import columns_of
from bot.store.tables.schedules import schedules

_ACTIVE = being(schedules.c.state, ScheduleState.ACTIVE)
"""Written out, so that the partial index is used: a bound parameter could be any state."""

_ADD = Prepared(insert(schedules))
_FIND = with_id(schedules)
_OF = Prepared(
    select(schedules)
    .where(given(schedules.c.team, schedules.c.user), schedules.c.state != ScheduleState.ENDED)
    .order_by(schedules.c.created_at)
)


def to_fire(look: LookUp) -> Select[*tuple[Any, ...]]:
    """Active schedules that are due and need this look-up first, the longest due first."""
    moment = schedules.c.next_fire
    is_due = moment <= bindparam("now")
    return select(schedules).where(_ACTIVE, being(schedules.c.look, look), is_due).order_by(moment)


_DUE = {look: Prepared(to_fire(look).limit(bindparam("limit", type_=Integer))) for look in LookUp}


class Schedules(Repository):
    """Requests, reminders and briefings at their times."""

    async def add(self, new: Schedule) -> None:
        await self._db.execute(_ADD, columns_of(new))

    async def lock(self, team: str, user: str) -> None:
        """Keep other transactions from adding to the person's schedules until this one ends."""
        await self._db.lock_names([f"schedules of {team} {user}"])

    async def find(self, schedule_id: str) -> Schedule | None:
        return await self._db.first(Schedule, _FIND, {"id": schedule_id})

    async def of(self, team: str, user: str) -> Sequence[Schedule]:
        """The person's schedules that have not ended, oldest first."""
        return await self._db.all(Schedule, _OF, {"team": team, "user": user})

    async def due(self, *, now: datetime, limit: int, look: LookUp = LookUp.NOTHING) -> Sequence[Schedule]:
        """See `to_fire`."""
        return await self._db.all(Schedule, _DUE[look], {"now": now, "limit": limit})

    async def fired(self, before: Schedule, *, at: datetime, next_fire: datetime | None) -> None:
        """Move `next_fire` on, or end the schedule; raises `LostRace` unless it stands as in `before`."""
        left = ScheduleState.ACTIVE if next_fire else ScheduleState.ENDED
        same = {"id": before.id, "state": ScheduleState.ACTIVE, "next_fire": before.next_fire}
        fired = {"state": left, "last_fired": at, "next_fire": next_fire}
        if not await self._db.change(schedules, same, fired):
            raise LostRace("schedule", before.id, before.state, "fired")

    async def end(self, schedule_id: str) -> None:
        """End it, whatever its state."""
        await self._db.change(schedules, {"id": schedule_id}, {"state": ScheduleState.ENDED, "next_fire": None})

    async def move(self, before: Schedule, to: ScheduleState, *, next_fire: datetime | None = None) -> None:
        """One guarded UPDATE from `before.state`; raises `LostRace`."""
        check_move("schedule", SCHEDULE_MOVES, before.state, to)
        same = {"id": before.id, "state": before.state}
        if not await self._db.change(schedules, same, {"state": to, "next_fire": next_fire}):
            raise LostRace("schedule", before.id, before.state, to)
