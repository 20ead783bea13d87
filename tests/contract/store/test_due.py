"""The one look of an idle replica: it sees all that the jobs themselves would find, and looks through nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Set
from datetime import timedelta
from typing import Any, TypeAlias

import pytest

from bot.domain.questions import QuestionKind, QuestionState
from bot.domain.runs import RunState
from bot.domain.schedules import LookUp, ScheduleState
from bot.store.repositories.due import Due
from bot.store.repositories.leases import RELAY, SEALER
from bot.store.tables.runs import questions, runs
from bot.store.tables.schedules import schedules
from bot.store.unit_of_work import UnitOfWork
from tests import builders as make
from tests.builders import MARA, NOW
from tests.contract.store.test_connections import attempt, owed
from tests.contract.store.test_time import fill, schedule
from tests.stores import Opened

BEFORE, LATER = NOW - timedelta(microseconds=1), NOW + timedelta(days=1)
Add: TypeAlias = Callable[[UnitOfWork], Awaitable[Any]]

AT_ITS_MOMENT: dict[str, tuple[Due, Add]] = {
    "a question that ends": (Due.QUESTIONS, lambda work: work.questions.add(make.question(expires_at=NOW))),
    "a turn that ends": (
        Due.QUESTIONS,
        lambda work: work.questions.add(make.question(turn_over_at=NOW)),
    ),
    "a question to remind of": (Due.QUESTIONS, lambda work: work.questions.add(make.question(remind_at=NOW))),
    "a schedule": (Due.SCHEDULES, lambda work: work.schedules.add(schedule("s"))),
    "a run that was held back": (Due.SCHEDULES, lambda work: work.runs.add(make.run(not_before=NOW))),
    **{
        f"a deadline of one that is {state.value}": (
            Due.SCHEDULES,
            lambda work, state=state: work.runs.add(make.run(deadline_at=NOW, state=state)),
        )
        for state in (RunState.QUEUED, RunState.PLANNING, RunState.EXECUTING, RunState.AWAITING)
    },
    "a reminder that looks first": (Due.REMINDERS, lambda work: work.schedules.add(schedule("s", look=LookUp.MAIL))),
    "a briefing": (Due.BRIEFINGS, lambda work: work.schedules.add(schedule("s", look=LookUp.DAY))),
    **{
        f"the lease of the {name}": (
            Due.lease(name),
            lambda work, name=name: work.leases.take(name, "a", now=NOW - timedelta(seconds=9), seconds=9),
        )
        for name in (RELAY, SEALER)
    },
}
ALWAYS: dict[str, tuple[Due, Add]] = {
    "a reader who is gone": (Due.QUESTIONS, lambda work: work.questions.add(make.question(reader=MARA))),
    "a grant that waits for its yes": (
        Due.REVOCATIONS,
        lambda work: work.oauth_attempts.add(attempt(held="sealed", confirm_hash="y", expires_at=LATER)),
    ),
    "a grant to give back": (Due.REVOCATIONS, lambda work: work.revocations.add(owed(not_before=LATER))),
}
NEVER: dict[str, Add] = {
    "an open question without a turn": lambda work: work.questions.add(make.question(expires_at=LATER)),
    "a question that was decided": lambda work: work.questions.add(
        make.question(state=QuestionState.WITHDRAWN, expires_at=NOW, remind_at=NOW, turn_over_at=NOW, reader=MARA)
    ),
    "a question that connects": lambda work: work.questions.add(
        make.question(kind=QuestionKind.CONNECT, expires_at=LATER)
    ),
    "a schedule that is paused": lambda work: work.schedules.add(schedule("s", state=ScheduleState.PAUSED)),
    "a schedule that has ended": lambda work: work.schedules.add(
        schedule("s", state=ScheduleState.ENDED, next_fire=None)
    ),
    "a run that waits for no moment": lambda work: work.runs.add(make.run()),
    "a run that has begun": lambda work: work.runs.add(make.run(not_before=NOW, state=RunState.PLANNING)),
    "a run that is being stopped": lambda work: work.runs.add(make.run(deadline_at=NOW, hard_stop="deadline")),
    "a run that is over": lambda work: work.runs.add(make.run(deadline_at=NOW, state=RunState.COMPLETED)),
    "an attempt without a grant": lambda work: work.oauth_attempts.add(attempt(expires_at=NOW)),
    "a thread's lease": lambda work: work.leases.take("thread:t", "a", now=NOW - timedelta(hours=1), seconds=1),
}


async def found(base: Opened, add: Add, *, at: Any) -> Set[Due]:
    async with base.store.write() as work:
        await add(work)
    async with base.store.read() as work:
        return await work.due.at(at)


@pytest.mark.parametrize("what", AT_ITS_MOMENT)
async def test_each_thing_is_seen_at_its_moment(base: Opened, what: str) -> None:
    """And by its job alone, not a microsecond before."""
    due, add = AT_ITS_MOMENT[what]
    assert await found(base, add, at=BEFORE) == set()
    async with base.store.read() as work:
        assert await work.due.at(NOW) == {due}
        assert await work.due.at(LATER) >= {due}


@pytest.mark.parametrize("what", ALWAYS)
async def test_what_has_no_moment_is_seen_at_once(base: Opened, what: str) -> None:
    due, add = ALWAYS[what]
    assert await found(base, add, at=NOW) == {due}


@pytest.mark.parametrize("what", NEVER)
async def test_what_is_not_due_is_not_seen(base: Opened, what: str) -> None:
    """Moments that are missing are none that are over."""
    assert await found(base, NEVER[what], at=NOW) == set()


async def test_a_lease_is_seen_once_it_was_given_back(base: Opened) -> None:
    """On either database, whoever held it and until when."""
    async with base.store.write() as work:
        epoch = await work.leases.take(RELAY, "a", now=base.clock.now(), seconds=60)
        assert epoch is not None
    async with base.store.read() as work:
        assert await work.due.at(base.clock.now()) == set()
    async with base.store.write() as work:
        await work.leases.release(RELAY, "a", epoch)
    async with base.store.read() as work:
        assert await work.due.at(base.clock.now()) == {Due.RELAY_LEASE}


async def test_all_is_seen_together(base: Opened) -> None:
    """In one statement, whatever there is."""
    async with base.store.write() as work:
        await work.questions.add(make.question(expires_at=NOW))
        for look in LookUp:
            await work.schedules.add(schedule(look.value, look=look))
        await work.revocations.add(owed())
        await work.leases.void_all()
    with base.heard() as said:
        async with base.store.read() as work:
            seen = await work.due.at(NOW)
    assert seen == {Due.QUESTIONS, Due.SCHEDULES, Due.REMINDERS, Due.BRIEFINGS, Due.REVOCATIONS}
    assert len([sql for sql, _ in said if sql.startswith("SELECT")]) == 1


async def test_it_is_found_by_its_indexes(base: Opened) -> None:
    """Of the tables that grow none is read through; on PostgreSQL by the plan that it makes for any moment."""
    await fill(base, 0, 500)
    with base.heard() as said:
        async with base.store.read() as work:
            assert await work.due.at(NOW) == set()
    ((sql, values),) = [each for each in said if each[0].startswith("SELECT")]
    explained = (
        base.rows(f"EXPLAIN (GENERIC_PLAN) {sql}")
        if base.is_postgresql
        else base.rows(f"EXPLAIN QUERY PLAN {sql}", *values)
    )
    plan = [str(list(row.values())[-1]) for row in explained]
    for table in (questions.name, runs.name, schedules.name):
        assert not [line for line in plan if f"Seq Scan on {table}" in line or line == f"SCAN {table}"], plan
    assert all(any(index in line for line in plan) for index in INDEXES), plan


INDEXES = ("ix_questions_expiry", "ix_questions_turn", "ix_questions_reminder", "ix_schedules_due", "ix_runs_held")
