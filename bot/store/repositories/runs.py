"""The repository of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Unpack

from sqlalchemy import ColumnElement, exists, func, select, update

from bot.domain.runs import HELD_SOURCE, RUN_MOVES, Run, RunChanges, RunState
from bot.domain.states import LostRace, check_move
from bot.store.engine.session import THREAD_LEASE, Repository, among, being, given
from bot.store.rows import plain, run, run_columns
from bot.store.tables.coordination import leases
from bot.store.tables.runs import runs

_WORKABLE = among(runs.c.state, (RunState.QUEUED, RunState.PLANNING, RunState.EXECUTING))
_HELD_BACK = being(runs.c.state, RunState.QUEUED) & runs.c.not_before.is_not(None)
_IS_LIVE = among(runs.c.state, [state for state in RunState if state.is_live()])
_FIND = select(runs).where(given(runs.c.id))
_LIVE = select(runs).where(given(runs.c.thread_id), _IS_LIVE).order_by(runs.c.order_key, runs.c.id)


class Runs(Repository):
    """Runs, each of which works on one request."""

    async def add(self, new: Run) -> bool:
        """Store a queued run; False when its source key exists already."""
        return await self._db.insert_new(runs, run_columns(new))

    async def find(self, run_id: str) -> Run:
        return await self._db.the(run, _FIND, {"id": run_id})

    async def live(self, thread_id: str) -> Sequence[Run]:
        """The runs of a thread that work or wait, in the order in which they were requested."""
        return await self._db.all(run, _LIVE, {"thread_id": thread_id})

    async def live_of(self, team: str, user: str) -> Sequence[Run]:
        """The person's runs that work or wait, newest request first."""
        return await self._in(team, user, _IS_LIVE)

    async def paused_of(self, team: str, user: str) -> Sequence[Run]:
        """The person's paused runs, newest request first."""
        return await self._in(team, user, being(runs.c.state, RunState.PAUSED))

    async def _in(self, team: str, user: str, state: ColumnElement[bool]) -> Sequence[Run]:
        wanted = select(runs).where(runs.c.team == team, runs.c.user == user, state)
        return await self._db.all(run, wanted.order_by(runs.c.order_key.desc(), runs.c.created_at.desc()))

    async def recent_of(self, team: str, user: str, *, limit: int) -> Sequence[Run]:
        """The person's newest runs in any state."""
        wanted = select(runs).where(runs.c.team == team, runs.c.user == user)
        return await self._db.all(run, wanted.order_by(runs.c.created_at.desc()).limit(limit))

    async def unfinished_threads(self) -> Sequence[str]:
        """Threads with work that waits for no person and no moment: a start-up scan wakes them."""
        return await self._db.values(select(runs.c.thread_id).where(_WORKABLE, ~_HELD_BACK).distinct())

    async def unserved_threads(self, *, now: datetime, among: Sequence[str] | None = None) -> Sequence[str]:
        """Those of them, or of `among`, whose lease is free."""
        lease = (leases.c.name == THREAD_LEASE + runs.c.thread_id) & leases.c.holder.is_not(None)
        served = exists().where(lease, leases.c.expires_at > now)
        wanted = select(runs.c.thread_id).where(_WORKABLE, ~_HELD_BACK, ~served).distinct()
        if among is not None:
            wanted = wanted.where(runs.c.thread_id.in_(among))
        return await self._db.values(wanted)

    async def held_threads(self, *, now: datetime) -> Sequence[str]:
        """Threads of runs that waited for a moment which has come."""
        wanted = select(runs.c.thread_id).where(_HELD_BACK, runs.c.not_before <= now).distinct()
        return await self._db.values(wanted)

    async def by_source(self, source_key: str) -> Run | None:
        """The run with this source key (`message_source` and others make the keys)."""
        return await self._db.first(run, select(runs).where(runs.c.source_key == source_key))

    async def by_requests(self, message_ids: Sequence[str]) -> Mapping[str, str]:
        """By message id, the run that each of these messages started; the last one if it was tried again."""
        wanted = select(runs.c.message_id, runs.c.id).where(runs.c.message_id.in_(message_ids))
        again = runs.alias()
        tried_again = exists().where(again.c.message_id == runs.c.message_id, again.c.retry_of == runs.c.id)
        wanted = wanted.where(~runs.c.source_key.startswith(HELD_SOURCE, autoescape=True), ~tried_again)
        return {row.message_id: row.id for row in await self._db.execute(wanted)}

    async def latest_of_thread(self, thread_id: str, user: str) -> Run | None:
        """The person's newest run in this thread, in any state."""
        wanted = select(runs).where(runs.c.thread_id == thread_id, runs.c.user == user)
        return await self._db.first(run, wanted.order_by(runs.c.order_key.desc()).limit(1))

    async def of_request(self, message_id: str) -> Sequence[Run]:
        """Every run that this message started: several if it was tried again or deferred an action."""
        return await self._db.all(run, select(runs).where(runs.c.message_id == message_id).order_by(runs.c.id))

    async def newest_order(self, team: str, user: str) -> str:
        """The order key of the person's newest request; empty when there is none."""
        wanted = select(func.max(runs.c.order_key)).where(runs.c.team == team, runs.c.user == user)
        return await self._db.value(wanted) or ""

    async def has_begun_later(self, thread_id: str, order_key: str) -> bool:
        """Whether a run of the thread has started whose request came after this one."""
        later = (runs.c.thread_id == thread_id) & (runs.c.order_key > order_key) & runs.c.started_at.is_not(None)
        return await self._db.is_done(select(runs.c.id).where(later).limit(1))

    async def move(self, before: Run, to: RunState, **changes: Unpack[RunChanges]) -> Run:
        """One guarded UPDATE from `before.state`; raises `LostRace` when the run moved on."""
        check_move("run", RUN_MOVES, before.state, to)
        guard = (runs.c.id == before.id) & (runs.c.state == before.state)
        moved = update(runs).where(guard).values(state=to, **plain(**changes)).returning(runs)
        if (after := await self._db.first(run, moved)) is None:
            raise LostRace("run", before.id, before.state, to)
        return after

    async def change(self, run_id: str, **changes: Unpack[RunChanges]) -> None:
        """Change columns other than the state."""
        await self._db.execute(update(runs).where(runs.c.id == run_id).values(plain(**changes)))
