"""The repository of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Unpack

from sqlalchemy import Integer, Select, bindparam, exists, func, select

from bot.domain.deliveries import Place
from bot.domain.runs import HELD_SOURCE, RUN_MOVES, Run, RunChanges, RunState
from bot.domain.states import LostRace, check_move
from bot.store.engine.session import (
    THREAD_LEASE,
    DatabaseSession,
    Repository,
    among,
    being,
    given,
    thread_lock,
    with_id,
)
from bot.store.engine.statements import Prepared
from bot.store.known import KnownRows
from bot.store.rows import place, plain, run, run_columns, stored
from bot.store.tables.conversations import messages, threads
from bot.store.tables.coordination import leases
from bot.store.tables.runs import actions, runs, steps

_WORKABLE = among(runs.c.state, (RunState.QUEUED, RunState.PLANNING, RunState.EXECUTING))
_HELD_BACK = being(runs.c.state, RunState.QUEUED) & runs.c.not_before.is_not(None)
_IS_LIVE = among(runs.c.state, [state for state in RunState if state.is_live()])
_FIND = with_id(runs)
_LIVE = Prepared(select(runs).where(given(runs.c.thread_id), _IS_LIVE).order_by(runs.c.order_key, runs.c.id))
_BY_SOURCE = Prepared(select(runs).where(given(runs.c.source_key)))
_IS_REQUEST = runs.c.root.is_(None)
"""A child belongs to the request of its root, and is reached through it."""
_OF_MESSAGE = Prepared(select(runs).where(given(runs.c.message_id), _IS_REQUEST).order_by(runs.c.id))
_OWNED = select(runs).where(given(runs.c.team, runs.c.user), _IS_REQUEST)
_NEWEST_REQUEST_FIRST = runs.c.order_key.desc(), runs.c.created_at.desc()
_LIVE_OF = Prepared(_OWNED.where(_IS_LIVE).order_by(*_NEWEST_REQUEST_FIRST))
_PAUSED_OF = Prepared(_OWNED.where(being(runs.c.state, RunState.PAUSED)).order_by(*_NEWEST_REQUEST_FIRST))
_SO_MANY = bindparam("limit", type_=Integer)
_RECENT_OF = Prepared(_OWNED.order_by(runs.c.created_at.desc()).limit(_SO_MANY))
_IS_DEFERRED = runs.c.source_key.startswith(HELD_SOURCE, autoescape=True)
_RECENT_REQUESTS_OF = Prepared(_OWNED.where(~_IS_DEFERRED).order_by(runs.c.created_at.desc()).limit(_SO_MANY))
_LATEST_OF_THREAD = Prepared(
    select(runs).where(given(runs.c.thread_id, runs.c.user), _IS_REQUEST).order_by(runs.c.order_key.desc()).limit(1)
)
_BELOW = Prepared(select(runs).where(given(runs.c.root)).order_by(runs.c.id))
_GIVEN_WORK = Prepared(
    select(runs)
    .select_from(runs.join(actions, actions.c.id == runs.c.parent_action).join(steps, steps.c.id == actions.c.step_id))
    .where(given(runs.c.root))
    .order_by(steps.c.seq, actions.c.seq)
)
_REQUEST = {
    "asked_in": messages.c.channel,
    "asked_at": messages.c.ts,
    "asked_below": messages.c.root_ts,
    "asked": messages.c.created_at,
}
_PLACE = Prepared(
    select(
        *(runs.c.id.label("run_id"), runs.c.team, runs.c.user, runs.c.private, runs.c.state),
        *(column.label(name) for name, column in _REQUEST.items()),
        *(threads.c.id.label("thread_id"), threads.c.channel, threads.c.root_ts, threads.c.is_dm, threads.c.surface),
        func.coalesce(leases.c.epoch, 0).label("epoch"),
        runs.c.started_at.is_not(None).label("has_begun"),
    )
    .select_from(
        runs.join(messages, messages.c.id == runs.c.message_id)
        .join(threads, threads.c.id == runs.c.thread_id)
        .outerjoin(leases, leases.c.name == THREAD_LEASE + runs.c.thread_id)
    )
    .where(given(runs.c.id))
)
_PROGRESS = Prepared(select(runs.c.id, runs.c.state, runs.c.steps_taken).where(runs.c.id.in_(bindparam("ids"))))
MARKS = (
    *("state", "phase", "label", "steps_taken", "hinted", "retries", "deadline_at", "not_before", "woken_at"),
    *("stopping", "stopping_at", "hard_stop", "stop_code", "cancel_requested", "stopped_by", "request_deleted"),
    *("limits", "ceiling", "active_ms", "active_since"),
)
"""The columns by which it is seen that a live run was changed: whoever changes another one changes one of these, too,
or has its thread's lease.
"""
_MARKS = Prepared(
    select(*(runs.c[name] for name in ("thread_id", "id", *MARKS)))
    .where(runs.c.thread_id.in_(bindparam("ids")), _IS_LIVE)
    .order_by(runs.c.id)
)
_NEWEST_ORDER = Prepared(select(func.max(runs.c.order_key)).where(given(runs.c.team, runs.c.user)))
_BEGUN_LATER = Prepared(
    select(runs.c.id)
    .where(given(runs.c.thread_id), runs.c.order_key > bindparam("order_key"), runs.c.started_at.is_not(None))
    .limit(1)
)
_THREADS = select(runs.c.thread_id).distinct()
_UNFINISHED = Prepared(_THREADS.where(_WORKABLE, ~_HELD_BACK))
HELD_UNTIL_NOW = select(runs).where(_HELD_BACK, runs.c.not_before <= bindparam("now")).order_by(runs.c.not_before)
"""Runs that waited for a moment which has come."""

PAST_DEADLINE = (
    select(runs)
    .where(_IS_LIVE, runs.c.deadline_at <= bindparam("now"), runs.c.hard_stop.is_(None))
    .order_by(runs.c.deadline_at)
)
"""Runs whose deadline is over, which have yet to be stopped."""


def _threads_of(found: Select[*tuple[Any, ...]]) -> Prepared:
    return Prepared(found.with_only_columns(runs.c.thread_id).order_by(None).distinct())


_HELD_THREADS, _TIMED_THREADS = _threads_of(HELD_UNTIL_NOW), _threads_of(PAST_DEADLINE)


def _unserved() -> Select[str]:
    lease = (leases.c.name == THREAD_LEASE + runs.c.thread_id) & leases.c.holder.is_not(None)
    served = exists().where(lease, leases.c.expires_at > bindparam("now"))
    return _THREADS.where(_WORKABLE, ~_HELD_BACK, ~served)


def _by_requests() -> Select[str, str]:
    again = runs.alias()
    tried_again = exists().where(again.c.message_id == runs.c.message_id, again.c.retry_of == runs.c.id)
    return select(runs.c.message_id, runs.c.id).where(
        runs.c.message_id.in_(bindparam("ids")), _IS_REQUEST, ~_IS_DEFERRED, ~tried_again
    )


_UNSERVED = Prepared(_unserved())
_UNSERVED_AMONG = Prepared(_unserved().where(runs.c.thread_id.in_(bindparam("among"))))
_BY_REQUESTS = Prepared(_by_requests())


class Runs(Repository):
    """Runs, each of which works on one request."""

    def __init__(self, session: DatabaseSession) -> None:
        super().__init__(session)
        self.known_rows: KnownRows[Run] = KnownRows(
            session,
            runs,
            columns=run_columns,
            lock=lambda run: thread_lock(run.thread_id),
            over=lambda run: not run.state.is_live(),
        )

    async def add(self, new: Run) -> bool:
        """Store a queued run; False when its source key exists already."""
        is_new = await self._db.insert_new(runs, run_columns(new))
        if is_new:
            self.known_rows.read(new.id, stored(new))
        return is_new

    async def find(self, run_id: str) -> Run:
        known = self.known_rows.get(run_id)
        return known or self.known_rows.read(run_id, await self._db.the(run, _FIND, {"id": run_id}))

    async def request_of(self, run_id: str) -> Run:
        """The run that people see as the request that this one belongs to, which may be itself."""
        return await self.find((await self.find(run_id)).request_run)

    async def place(self, run_id: str) -> Place:
        """Where a run lives in Slack."""
        return await self._db.the(place, _PLACE, {"id": run_id})

    async def progress(self, run_ids: Sequence[str]) -> Mapping[str, tuple[RunState, int]]:
        """By id, the state of each of these runs, and how many steps it has taken."""
        found = await self._db.execute(_PROGRESS, {"ids": list(run_ids)})
        return {run_id: (state, steps_taken) for run_id, state, steps_taken in found.rows}

    async def live(self, thread_id: str) -> Sequence[Run]:
        """The runs of a thread that work or wait, in the order in which they were requested."""
        return [self.known_rows.read(one.id, one) for one in await self._db.all(run, _LIVE, {"thread_id": thread_id})]

    async def marks(self, thread_ids: Sequence[str]) -> Sequence[Sequence[object]]:
        """Of the live runs of these threads: the thread, and by what it is seen that a run was changed."""
        return (await self._db.execute(_MARKS, {"ids": list(thread_ids)})).rows

    async def live_of(self, team: str, user: str) -> Sequence[Run]:
        """The person's runs that work or wait, newest request first."""
        return await self._db.all(run, _LIVE_OF, {"team": team, "user": user})

    async def paused_of(self, team: str, user: str) -> Sequence[Run]:
        """The person's paused runs, newest request first."""
        return await self._db.all(run, _PAUSED_OF, {"team": team, "user": user})

    async def recent_of(self, team: str, user: str, *, limit: int) -> Sequence[Run]:
        """The person's newest runs in any state."""
        return await self._db.all(run, _RECENT_OF, {"team": team, "user": user, "limit": limit})

    async def recent_requests_of(self, team: str, user: str, *, limit: int) -> Sequence[Run]:
        """The same without the runs in which something waits for its moment, or waited."""
        return await self._db.all(run, _RECENT_REQUESTS_OF, {"team": team, "user": user, "limit": limit})

    async def unfinished_threads(self) -> Sequence[str]:
        """Threads with work that waits for no person and no moment: a start-up scan wakes them."""
        return await self._db.values(_UNFINISHED)

    async def unserved_threads(self, *, now: datetime, among: Sequence[str] | None = None) -> Sequence[str]:
        """Those of them, or of `among`, whose lease is free."""
        if among is None:
            return await self._db.values(_UNSERVED, {"now": now})
        return await self._db.values(_UNSERVED_AMONG, {"now": now, "among": list(among)})

    async def held_threads(self, *, now: datetime) -> Sequence[str]:
        """The threads of `HELD_UNTIL_NOW`."""
        return await self._db.values(_HELD_THREADS, {"now": now})

    async def timed_threads(self, *, now: datetime) -> Sequence[str]:
        """The threads of `PAST_DEADLINE`."""
        return await self._db.values(_TIMED_THREADS, {"now": now})

    async def by_source(self, source_key: str) -> Run | None:
        """The run with this source key (`message_source` and others make the keys)."""
        return await self._db.first(run, _BY_SOURCE, {"source_key": source_key})

    async def by_requests(self, message_ids: Sequence[str]) -> Mapping[str, str]:
        """By message id, the run that each of these messages started; the last one if it was tried again."""
        if not message_ids:
            return {}
        return {row[0]: row[1] for row in (await self._db.execute(_BY_REQUESTS, {"ids": list(message_ids)})).rows}

    async def latest_of_thread(self, thread_id: str, user: str) -> Run | None:
        """The person's newest run in this thread, in any state."""
        return await self._db.first(run, _LATEST_OF_THREAD, {"thread_id": thread_id, "user": user})

    async def of_request(self, message_id: str) -> Sequence[Run]:
        """Every run that this message started: several if it was tried again or deferred an action. Without those below
        them.
        """
        return await self._db.all(run, _OF_MESSAGE, {"message_id": message_id})

    async def below(self, root_id: str) -> Sequence[Run]:
        """The runs below a request's, at any depth."""
        return [self.known_rows.read(one.id, one) for one in await self._db.all(run, _BELOW, {"root": root_id})]

    async def given_work(self, root_id: str) -> Sequence[Run]:
        """The same; those of one parent in the order of its calls."""
        return await self._db.all(run, _GIVEN_WORK, {"root": root_id})

    async def tries_before(self, one: Run) -> Sequence[Run]:
        """What a run tries again, oldest first."""
        tries = list[Run]()
        while one.retry_of is not None:
            one = await self.find(one.retry_of)
            tries.append(one)
        return tries[::-1]

    async def lineage(self, one: Run) -> Sequence[Run]:
        """A run and those that it works for, up to its root."""
        line = [await self.find(one.id)]
        while (parent := line[-1].parent) is not None:
            line.append(await self.find(parent))
        return line

    async def newest_order(self, team: str, user: str) -> str:
        """The order key of the person's newest request; empty when there is none."""
        return await self._db.value(_NEWEST_ORDER, {"team": team, "user": user}) or ""

    async def has_begun_later(self, thread_id: str, order_key: str) -> bool:
        """Whether a run of the thread has started whose request came after this one."""
        return await self._db.is_done(_BEGUN_LATER, {"thread_id": thread_id, "order_key": order_key})

    async def move(self, before: Run, to: RunState, **changes: Unpack[RunChanges]) -> Run:
        """One guarded UPDATE from `before.state`; raises `LostRace` when the run moved on."""
        check_move("run", RUN_MOVES, before.state, to)
        known = self.known_rows.get(before.id)
        if known is None:
            guard = {"id": before.id, "state": before.state}
            after = await self._db.changed(run, runs, guard, {"state": to, **plain(**changes)})
        else:
            is_there = known.state is before.state
            after = self.known_rows.change(before.id, {"state": to, **changes}, to=to) if is_there else None
        if after is None:
            raise LostRace("run", before.id, before.state, to)
        return self.known_rows.read(after.id, after)

    async def change(self, run_id: str, **changes: Unpack[RunChanges]) -> None:
        """Change columns other than the state."""
        if self.known_rows.get(run_id) is not None:
            self.known_rows.change(run_id, changes)
        else:
            await self._db.change(runs, {"id": run_id}, plain(**changes))
            self.known_rows.forget(run_id)
