"""The repository of retention. What it finds stays outdated: a final run never moves again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias

from sqlalchemy import Column, ColumnElement, Select, and_, delete, exists, func, or_, select, text, update

from bot.domain.deliveries import DeliveryState
from bot.domain.retention import ForgettableRow, Key, Outdated
from bot.domain.runs import FINAL, Run, RunState
from bot.domain.schedules import ScheduleState
from bot.store.engine.session import THREAD_LEASE, Repository
from bot.store.rows import run
from bot.store.tables.accounts import connects
from bot.store.tables.conversations import files, http_requests, inbox, messages, objects, threads
from bot.store.tables.coordination import leases, rates
from bot.store.tables.deliveries import outbox, posts
from bot.store.tables.people import sessions, spending
from bot.store.tables.plans import plan_revisions, plan_tasks, plans
from bot.store.tables.runs import actions, contents, definitions, questions, runs, steps, votes
from bot.store.tables.schedules import schedules

_HELD_BY_RUNS = (contents, actions, questions, steps, objects, files, plans, plan_revisions, plan_tasks)
_OF_RUN = [table.c.run_id for table in _HELD_BY_RUNS]


class Retention(Repository):
    """Rows that were kept long enough."""

    async def paused(self, *, before: datetime, after_id: str, limit: int) -> Sequence[Run]:
        """Paused runs that were requested before this, by id."""
        old = (runs.c.created_at <= before) & (runs.c.id > after_id)
        waits = (runs.c.state == RunState.PAUSED) & ~_IS_OVER & old
        return await self._db.all(run, select(runs).where(waits).order_by(runs.c.id).limit(limit))

    async def find(self, what: Outdated, *, before: datetime, limit: int) -> Sequence[ForgettableRow]:
        """Rows of this kind that ended before this; none of an unfinished run, and none that is still to be shown."""
        rows = await self._db.execute(_QUERIES[what](before).limit(limit))
        return [ForgettableRow(*row) for row in rows.rows]

    async def forget(self, what: Outdated, keys: Sequence[Key]) -> None:
        match what:
            case Outdated.STEPS:
                await self._forget_steps(keys)
            case Outdated.RUNS:
                await self._forget_steps(keys)
                await self._delete(posts.c.run_id, keys)
                await self._delete(runs.c.id, keys)
            case Outdated.ANSWERS:
                empty = {"summary": "", "partial": "", "error": "", "output": None}
                await self._db.execute(update(runs).where(runs.c.id.in_(keys)).values(empty))
            case Outdated.MESSAGES:
                await self._forget_messages(keys)
            case Outdated.THREADS:
                await self._forget_threads(keys)
            case Outdated.DEFINITIONS:
                await self._forget_definitions(keys)
            case _:
                await self._delete(_PLAIN[what], keys)

    async def _forget_steps(self, run_ids: Sequence[Key]) -> None:
        asked = select(questions.c.id).where(questions.c.run_id.in_(run_ids))
        await self._db.execute(delete(votes).where(votes.c.question_id.in_(asked)))
        for column in _OF_RUN:
            await self._delete(column, run_ids)
        empty: Mapping[str, Any] = {"instruction": "", "attached": [], "inputs": None}
        await self._db.execute(update(runs).where(runs.c.id.in_(run_ids)).values(empty))

    async def _forget_messages(self, ids: Sequence[Key]) -> None:
        """The request of a run stays as a row without text, because lists of runs need it."""
        these = messages.c.id.in_(ids)
        empty: Mapping[str, Any] = {"text": "", "typed": "", "elements": []}
        await self._delete(files.c.message_id, ids)
        await self._db.execute(update(messages).where(these, _IS_REQUEST).values(empty))
        await self._db.execute(delete(messages).where(these, ~_IS_REQUEST))

    async def _forget_threads(self, ids: Sequence[Key]) -> None:
        """Intake holds the thread's row while it adds a message, so that message is seen here."""
        for thread_id in sorted(map(str, ids)):
            await self._db.lock_thread(thread_id)
        await self._db.execute(delete(threads).where(threads.c.id.in_(ids), _IS_EMPTY))

    async def _forget_definitions(self, hashes: Sequence[Key]) -> None:
        """Who queues a run stores its definition in the same transaction; that run is seen here, or stores it anew."""
        if self._db.is_shared:
            await self._db.execute(_HOLD_DEFINITIONS)
        await self._db.execute(delete(definitions).where(definitions.c.hash.in_(hashes), ~_IS_NAMED))

    async def _delete(self, column: Column[Any], keys: Sequence[Key]) -> None:
        await self._db.execute(delete(column.table).where(column.in_(keys)))


_IS_OVER = or_(runs.c.state.in_(FINAL), runs.c.root.is_not(None) & runs.c.completed_at.is_not(None))
"""A child that stopped at a limit has handed over, and is over."""
_IS_NAMED = exists().where(runs.c.definition == definitions.c.hash)
_HOLD_DEFINITIONS = text("LOCK TABLE definitions IN EXCLUSIVE MODE")
"""Waits for every transaction that stored one, whether or not it was there (PostgreSQL, “Table-Level Locks”)."""
_IS_REQUEST = exists().where(runs.c.message_id == messages.c.id)
_Rows: TypeAlias = Select[*tuple[Any, ...]]
_Query: TypeAlias = Callable[[datetime], _Rows]


def _undelivered(thread_id: ColumnElement[str]) -> ColumnElement[bool]:
    """Whether something of this thread is still to be shown."""
    return exists().where(outbox.c.lane == thread_id, outbox.c.state == DeliveryState.PENDING)


_IS_EMPTY = and_(
    ~exists().where(messages.c.thread_id == threads.c.id),
    ~exists().where(runs.c.thread_id == threads.c.id),
    ~exists().where(leases.c.name == THREAD_LEASE + threads.c.id),
    ~_undelivered(threads.c.id),
)


def _final(before: datetime) -> _Rows:
    root = runs.alias()
    at_work = exists().where(root.c.id == runs.c.root, root.c.state.not_in(FINAL))
    ended = _IS_OVER & (runs.c.completed_at <= before) & ~at_work
    return select(runs.c.id, runs.c.team).where(ended, ~_undelivered(runs.c.thread_id))


def _with_steps(before: datetime) -> _Rows:
    told, called = exists().where(contents.c.run_id == runs.c.id), exists().where(steps.c.run_id == runs.c.id)
    return _final(before).where(or_(told, called))


def _with_answers(before: datetime) -> _Rows:
    return _final(before).where(
        or_(runs.c.summary != "", runs.c.partial != "", runs.c.error != "", runs.c.output.is_not(None))
    )


def _said(before: datetime) -> _Rows:
    others = runs.alias()
    open_ = exists().where(
        others.c.thread_id == messages.c.thread_id, others.c.state.not_in(FINAL), others.c.root.is_(None)
    )
    old = (messages.c.created_at <= before) & ~open_ & ~_undelivered(messages.c.thread_id)
    return select(messages.c.id, messages.c.team).where(old, or_(messages.c.text != "", ~_IS_REQUEST))


def _ended_schedules(before: datetime) -> _Rows:
    last = or_(schedules.c.last_fired <= before, schedules.c.last_fired.is_(None) & (schedules.c.created_at <= before))
    ended = schedules.c.state == ScheduleState.ENDED
    return select(schedules.c.id, schedules.c.team).where(ended, last)


def _delivered(state: DeliveryState, before: datetime) -> _Rows:
    return select(outbox.c.id).where(outbox.c.state == state, outbox.c.ended_at <= before)


def _idle_leases(before: datetime) -> _Rows:
    """Of threads only, and of those that were idle for a while: the epoch of a lease must outlive its workers."""
    thread = func.substr(leases.c.name, len(THREAD_LEASE) + 1)
    busy = exists().where(runs.c.thread_id == thread, or_(runs.c.completed_at.is_(None), runs.c.completed_at > before))
    return select(leases.c.name).where(leases.c.name.startswith(THREAD_LEASE), leases.c.expires_at <= before, ~busy)


def _empty(before: datetime) -> _Rows:
    return select(threads.c.id, threads.c.team).where(threads.c.created_at <= before, _IS_EMPTY)


def _unnamed(before: datetime) -> _Rows:
    return select(definitions.c.hash).where(definitions.c.created_at <= before, ~_IS_NAMED)


def _over(before: datetime) -> _Rows:
    """Attempts to connect an account, other than those whose grant is still to be given back."""
    return select(connects.c.id).where(connects.c.expires_at <= before, connects.c.held.is_(None))


_PLAIN: Mapping[Outdated, Column[Any]] = {
    Outdated.SCHEDULES: schedules.c.id,
    Outdated.SPENDING: spending.c.day,
    Outdated.INBOX: inbox.c.event_id,
    Outdated.HTTP_REQUESTS: http_requests.c.id,
    Outdated.DELIVERED: outbox.c.id,
    Outdated.DEAD: outbox.c.id,
    Outdated.LEASES: leases.c.name,
    Outdated.RATES: rates.c.name,
    Outdated.SESSIONS: sessions.c.id,
    Outdated.CONNECTS: connects.c.id,
}
"""Tables whose rows go by one column."""

_QUERIES: Mapping[Outdated, _Query] = {
    Outdated.STEPS: _with_steps,
    Outdated.ANSWERS: _with_answers,
    Outdated.MESSAGES: _said,
    Outdated.SCHEDULES: _ended_schedules,
    Outdated.RUNS: _final,
    Outdated.SPENDING: lambda before: (
        select(spending.c.day).where(spending.c.day < before.date().isoformat()).distinct()
    ),
    Outdated.INBOX: lambda before: select(inbox.c.event_id).where(inbox.c.at <= before),
    Outdated.HTTP_REQUESTS: lambda before: select(http_requests.c.id).where(http_requests.c.at <= before),
    Outdated.DELIVERED: partial(_delivered, DeliveryState.DELIVERED),
    Outdated.DEAD: partial(_delivered, DeliveryState.DEAD),
    Outdated.LEASES: _idle_leases,
    Outdated.RATES: lambda before: select(rates.c.name).where(rates.c.next_at <= before),
    Outdated.THREADS: _empty,
    Outdated.DEFINITIONS: _unnamed,
    Outdated.SESSIONS: lambda before: select(sessions.c.id).where(sessions.c.expires_at <= before),
    Outdated.CONNECTS: _over,
}
