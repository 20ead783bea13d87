"""What is due: found by index however much waits, and moved once, on each database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any, TypeAlias

import pytest
from sqlalchemy import insert, text

from bot.domain.actions import ActionState
from bot.domain.limits import DEFAULT_LIMITS
from bot.domain.questions import Choice, Question, QuestionState
from bot.domain.runs import RunState
from bot.domain.schedules import Schedule, ScheduleKind, ScheduleState
from bot.domain.states import IllegalMove, LostRace
from bot.domain.threads import Speaker
from bot.runtime.core.clicks import ClickOutcome
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.questions import expiry
from bot.runtime.questions.decide import Click, decide
from bot.runtime.schedules.service import ScheduleService
from bot.scheduler import CronTimetable
from bot.store.errors import NotSaved
from bot.store.rows import columns_of, run_columns
from bot.store.tables.runs import questions, runs
from bot.store.tables.schedules import schedules
from bot.store.unit_of_work import UnitOfWork
from tests import builders as make
from tests.builders import DANA, MARA, NOW, TEAM, HandClock
from tests.dispatchers import Nobody
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened

SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)
MANY = 10_000
Racing: TypeAlias = list[Coroutine[Any, Any, ClickOutcome | None]]


def transactions(base: Opened) -> TransactionFactory:
    return TransactionFactory(store=base.store, clock=base.clock, bus=Bus(), dispatcher=Nobody())


def schedule(name: str, **values: Any) -> Schedule:
    given: dict[str, Any] = {
        "id": name,
        "team": TEAM,
        "user": DANA,
        "channel": "D1",
        "kind": ScheduleKind.REMINDER,
        "title": "",
        "spec": {"hour": 8},
        "zone": "Europe/London",
        "payload": {"text": "call Helen"},
        "next_fire": NOW,
        "created_at": NOW,
    }
    return Schedule(**given | values)


async def test_a_schedule_is_stored_as_it_is(work: UnitOfWork) -> None:
    """Found by its id, listed for its owner while it has not ended, due when its moment has come."""
    mine, other = schedule("a"), schedule("b", user=MARA, next_fire=NOW + SECOND)
    done, idle = schedule("c", state=ScheduleState.ENDED), schedule("d", state=ScheduleState.PAUSED)
    for each in (mine, other, done, idle):
        await work.schedules.add(each)
    assert await work.schedules.find("a") == mine
    assert await work.schedules.find("z") is None
    assert [each.id for each in await work.schedules.of(TEAM, DANA)] == ["a", "d"]
    assert await work.schedules.due(now=NOW - SECOND, limit=9) == []
    assert [each.id for each in await work.schedules.due(now=NOW, limit=9)] == ["a"]
    assert [each.id for each in await work.schedules.due(now=NOW + HOUR, limit=9)] == ["a", "b"]
    assert [each.id for each in await work.schedules.due(now=NOW + HOUR, limit=1)] == ["a"]


async def test_a_time_is_moved_once(work: UnitOfWork) -> None:
    """Who comes second finds another time there, or an end, and has lost the race."""
    mine, last = schedule("a"), schedule("b")
    await work.schedules.add(mine)
    await work.schedules.add(last)
    await work.schedules.fired(mine, at=NOW, next_fire=NOW + HOUR)
    await work.schedules.fired(last, at=NOW, next_fire=None)
    for known in (mine, last):
        with pytest.raises(LostRace):
            await work.schedules.fired(known, at=NOW, next_fire=NOW + HOUR)
    ended = await work.schedules.find("b")
    assert ended is not None
    assert (ended.state, ended.last_fired) == (ScheduleState.ENDED, NOW)
    with pytest.raises(IllegalMove):
        await work.schedules.move(ended, ScheduleState.ACTIVE)
    await work.schedules.move(mine, ScheduleState.PAUSED)
    with pytest.raises(LostRace):
        await work.schedules.move(mine, ScheduleState.ENDED)


async def test_a_schedule_that_is_paused_twice_at_once(base: Opened) -> None:
    """One of them did it, and the others are told that there was nothing to pause."""
    kept = ScheduleService(transactions=transactions(base), timetable=CronTimetable(), limits=DEFAULT_LIMITS)
    async with base.store.write() as work:
        await work.schedules.add(schedule("a"))
    paused = await asyncio.gather(*(kept.pause(TEAM, DANA, "a") for _ in range(5)))
    assert sorted(paused) == [False] * 4 + [True]


async def test_security_input_62_three_replicas_tick_at_once(base: Opened) -> None:
    """Every schedule fires once, every question expires once and is reminded of once."""
    async with base.store.write() as work:
        await work.threads.ensure(make.thread())
        for n in range(6):
            await work.schedules.add(schedule(f"s{n}", kind=list(ScheduleKind)[n % 2]))
            await _ask(work, n, expires_at=NOW if n % 2 else NOW + HOUR, remind_at=NOW)
    journals = [transactions(base) for _ in range(3)]
    fire = [
        ScheduleService(transactions=each, timetable=CronTimetable(), limits=DEFAULT_LIMITS).tick() for each in journals
    ]
    await asyncio.gather(*fire, *(expiry.tick(each) for each in journals))
    fired = base.rows("SELECT id FROM schedules WHERE last_fired IS NOT NULL")
    told = base.rows("SELECT kind, COUNT(*) AS n FROM outbox GROUP BY kind")
    codes = base.rows("SELECT code, COUNT(*) AS n FROM audit GROUP BY code")
    counts = {row["code"]: row["n"] for row in codes}
    assert len(fired) == counts["schedule.fired"] == 6
    assert counts["question.expired"] == counts["run.paused"] == 3
    assert {row["kind"]: row["n"] for row in told} == {"alarm": 3, "opening": 3, "answer": 3, "card": 3, "reminder": 3}


@pytest.mark.parametrize("attempt", range(4))
async def test_a_click_that_races_expiry(base: Opened, attempt: int) -> None:
    """Two replicas whose clocks disagree by a second: one of them wins, the other changes nothing, nothing hangs."""
    async with base.store.write() as work:
        await work.threads.ensure(make.thread())
        await _ask(work, 0, id="q", expires_at=NOW)
    early, late = transactions(base), transactions(base)
    early = replace(early, clock=HandClock(NOW - SECOND))
    click = Click(team=TEAM, user=DANA, value=f"q.{'n' * 32}", choice=Choice.APPROVE)
    racing: Racing = [_pressed(early, click), expiry.tick(late)]
    async with asyncio.timeout(PATIENCE_SECONDS):
        outcome, _ = await asyncio.gather(*racing) if attempt % 2 else reversed(await asyncio.gather(*reversed(racing)))
    (question,) = base.rows("SELECT state FROM questions")
    (action,) = base.rows("SELECT state FROM actions")
    (run,) = base.rows("SELECT state FROM runs")
    won = isinstance(outcome, ClickOutcome) and outcome.accepted
    ended = ("decided", "approved", "executing") if won else ("expired", "expired", "paused")
    assert (question["state"], action["state"], run["state"]) == ended
    assert won or "expired" in str(outcome) or "a moment ago" in str(outcome)


async def _pressed(transactions: TransactionFactory, click: Click) -> ClickOutcome:
    """Press again when a busy machine did not save it in time, as people are told to."""
    while True:
        with suppress(NotSaved):
            return await decide(transactions, click)


async def _ask(work: Any, n: int, **values: Any) -> None:
    """A run that waits for one card."""
    run, step = make.run(id=f"run{n}", state=RunState.AWAITING), make.step(id=f"step{n}", run_id=f"run{n}", open=1)
    about: dict[str, Any] = {"run_id": run.id, "step_id": step.id}
    action = make.action(id=f"act{n}", state=ActionState.AWAITING, **about)
    await work.messages.add(make.message(id=run.message_id)) if n == 0 else None
    await work.runs.add(run)
    await work.steps.add(step)
    await work.actions.add([action])
    await work.questions.add(make.question(action_id=action.id, **about, **values))


async def test_waiting_questions_cost_rows_only(base: Opened) -> None:
    """With ten thousand of them open, reminded of or not, a tick looks at none that is not due, and takes no longer."""
    now = base.clock.now() + HOUR
    looks: Sequence[Callable[[Any], Awaitable[Sequence[object]]]] = (
        lambda work: work.questions.expired(now=now, limit=100),
        lambda work: work.questions.to_remind(now=now, limit=100),
        lambda work: work.questions.turns_over(now=now, limit=100),
        lambda work: work.questions.readers_gone(limit=100),
        lambda work: work.schedules.due(now=now, limit=100),
        lambda work: work.runs.held_threads(now=now),
        lambda work: _seen(work, now),
    )
    await fill(base, 0, 10)
    few = await _best(base, looks)
    await fill(base, 10, MANY)
    many = await _best(base, looks)
    assert many < 5 * few + 0.005, (few, many)


async def _seen(work: UnitOfWork, now: datetime) -> Sequence[object]:
    return sorted(await work.due.at(now))


async def fill(base: Opened, first: int, last: int) -> None:
    """Questions, schedules and runs that wait, of which none is due."""
    told: list[Question] = [
        make.question(id=f"q{n}", reminded_at=NOW if n % 2 else None, remind_at=None if n % 2 else NOW + 2 * HOUR)
        for n in range(first, last)
    ]
    kept = [schedule(f"s{n}", next_fire=NOW + 2 * HOUR) for n in range(first, last)]
    waiting = [make.run(id=f"r{n}", thread_id=f"t{n}", state=RunState.AWAITING) for n in range(first, last)]
    waiting += [make.run(id=f"p{first}", state=RunState.PLANNING)]
    async with base.engine.begin() as connection:
        await connection.execute(insert(questions), [columns_of(each) for each in told])
        await connection.execute(insert(schedules), [columns_of(each) for each in kept])
        await connection.execute(insert(runs), [run_columns(each) for each in waiting])
    if base.is_postgresql:  # which does so by itself
        async with base.engine.begin() as connection:
            await connection.execute(text("ANALYZE"))


async def _best(base: Opened, looks: Sequence[Callable[[Any], Awaitable[Sequence[object]]]]) -> float:
    """The seconds of the quickest of some rounds, in which nothing is found."""
    took: list[float] = []
    for _ in range(40):
        began = perf_counter()
        async with base.store.read() as work:
            assert [await look(work) for look in looks] == [[] for _ in looks]
        took.append(perf_counter() - began)
    return min(took)


async def test_what_is_due_is_found_by_its_index(base: Opened) -> None:
    """As the database itself explains the very statements that a tick makes."""
    await fill(base, 0, 500)
    with base.heard() as said:
        async with base.store.read() as work:
            await work.questions.expired(now=NOW, limit=9)
            await work.questions.to_remind(now=NOW, limit=9)
            await work.questions.turns_over(now=NOW, limit=9)
            await work.questions.readers_gone(limit=9)
            await work.schedules.due(now=NOW, limit=9)
            await work.runs.held_threads(now=NOW)
            await work.runs.unfinished_threads()
    plans = [await _explained(base, *each) for each in said if each[0].startswith("SELECT")]
    assert len(plans) == len(INDEXES)
    for plan, indexes in zip(plans, INDEXES, strict=True):
        assert any(index in plan for index in indexes), plan


INDEXES = (
    ("ix_questions_expiry",),
    ("ix_questions_reminder",),
    ("ix_questions_turn",),
    ("ix_questions_reader", "ix_questions_turn"),  # both hold what waits for others alone
    ("ix_schedules_due",),
    ("ix_runs_held", "ix_runs_workable"),  # both hold next to nothing
    ("ix_runs_workable",),
)


async def test_the_live_runs_of_a_thread_are_found_by_its_index(base: Opened) -> None:
    await fill(base, 0, 500)
    with base.heard() as said:
        async with base.store.read() as work:
            await work.runs.live("t1")
            await work.runs.marks(["t1", "t2"])
    plans = [await _explained(base, *each) for each in said if each[0].startswith("SELECT")]
    assert len(plans) == 2
    assert all("ix_runs_thread" in plan for plan in plans), plans


async def _explained(base: Opened, statement: str, parameters: Any) -> str:
    explain = "EXPLAIN" if base.is_postgresql else "EXPLAIN QUERY PLAN"
    async with base.database.reading(None) as connection:
        return str((await connection.run(f"{explain} {statement}", parameters)).rows)


async def test_a_question_is_reminded_of_once(work: UnitOfWork) -> None:
    """Not one that was decided, and none twice."""
    asked, decided = make.question(remind_at=NOW), make.question(remind_at=NOW)
    await work.questions.add(asked)
    await work.questions.add(decided)
    await work.questions.move(decided, QuestionState.WITHDRAWN)
    assert await work.questions.to_remind(now=NOW, limit=9) == [asked]
    assert await work.questions.expired(now=asked.expires_at, limit=9) == [asked]
    await work.questions.reminded(asked, at=NOW)
    assert await work.questions.to_remind(now=NOW + HOUR, limit=9) == []
    for known in (asked, decided):
        with pytest.raises(LostRace):
            await work.questions.reminded(known, at=NOW)


async def test_runs_that_are_held_back_are_found_when_it_is_time(work: UnitOfWork) -> None:
    """And the sweep does not look at them."""
    held = make.run(thread_id="t1", not_before=NOW)
    begun = make.run(thread_id="t2", not_before=NOW, state=RunState.PLANNING)
    await work.runs.add(held)
    await work.runs.add(begun)
    assert await work.runs.held_threads(now=NOW - SECOND) == []
    assert await work.runs.held_threads(now=NOW) == ["t1"]
    assert await work.runs.unfinished_threads() == ["t2"]


async def test_what_the_agent_said_first_is_what_a_thread_hangs_from(work: UnitOfWork) -> None:
    """A message of the agent's at the root, and neither a person's nor an answer below it."""
    here: dict[str, Any] = {"channel": "D1", "root_ts": "5.0", "thread_id": "thr_1"}
    assert await work.messages.begins("thr_1") is None
    await work.messages.add(make.message("asked", **here | {"thread_id": "thr_2"}, ts="5.0"))
    await work.messages.add(make.message("answer", **here, ts="6.0", speaker=Speaker.AGENT))
    assert await work.messages.begins("thr_1") is None
    briefing = make.message("briefing", **here, ts="5.0", speaker=Speaker.AGENT, elements=[{"type": "briefing"}])
    await work.messages.add(briefing)
    assert await work.messages.begins("thr_1") == briefing
    assert await work.messages.begins("thr_2") is None
    assert await work.messages.known(briefing.id)
    assert not await work.messages.known("msg_nobody")
