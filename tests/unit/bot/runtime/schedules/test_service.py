"""Schedules: kept, paused and removed by their owner, and fired once, in their zone, late when nobody was running."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.domain.deliveries import Post
from bot.domain.limits import DEFAULT_LIMITS
from bot.domain.runs import RunState
from bot.domain.schedules import BadSchedule, Schedule, ScheduleKind, ScheduleState
from bot.runtime.delivery.posts import PostService
from bot.runtime.runs.incoming import Incoming
from bot.runtime.runs.intake import Intake
from bot.runtime.schedules.service import MOST, NewSchedule, ScheduleService
from bot.scheduler import CronTimetable
from tests import builders as make
from tests.builders import DANA, MARA, TEAM
from tests.dispatchers import Nobody
from tests.unit.bot.runtime.runtime_harness import Harness

MORNING = {"day_of_week": "mon-fri", "hour": 8, "minute": 0}
MONDAY = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)  # Dana lives in London


@dataclass(slots=True, kw_only=True)
class Plan:
    """A runtime with schedules."""

    here: Harness
    schedules: ScheduleService

    async def add(self, **values: Any) -> Schedule:
        given: dict[str, Any] = {
            "team": TEAM,
            "user": DANA,
            "channel": "D1",
            "is_dm": True,
            "kind": ScheduleKind.REQUEST,
            "title": "Morning mail",
            "text": "Summarise my unread mail",
            "spec": MORNING,
            "zone": "Europe/London",
        }
        return await self.schedules.add(NewSchedule(**given | values))

    async def tick(self, at: datetime) -> None:
        self.here.base.clock.at = at
        await self.schedules.tick()

    async def now(self, schedule: Schedule) -> Schedule:
        async with self.here.base.store.read() as work:
            found = await work.schedules.find(schedule.id)
        assert found is not None
        return found

    def runs(self) -> list[dict[str, Any]]:
        return self.here.base.rows("SELECT id, thread_id, source_key, state FROM runs ORDER BY created_at")

    def deliveries(self, kind: str) -> list[str]:
        return [row["subject"] for row in self.here.base.rows("SELECT subject FROM outbox WHERE kind = ?", kind)]


@pytest.fixture
def plan(here: Harness) -> Plan:
    schedules = ScheduleService(transactions=here.transactions, timetable=CronTimetable(), limits=DEFAULT_LIMITS)
    return Plan(here=here, schedules=schedules)


# What people do ---------------------------------------------------------------------------------------------------


async def test_a_schedule_is_kept_until_its_owner_removes_it(plan: Plan) -> None:
    """Listed for its owner only, paused and resumed by them only, and gone when they say so; others are refused."""
    kept = await plan.add()
    assert kept.next_fire == MONDAY
    assert await plan.schedules.of(TEAM, DANA) == [kept]
    assert await plan.schedules.of(TEAM, MARA) == []
    assert not await plan.schedules.pause(TEAM, MARA, kept.id)
    assert await plan.schedules.pause(TEAM, DANA, kept.id)
    assert not await plan.schedules.pause(TEAM, DANA, kept.id)
    paused = await plan.now(kept)
    assert (paused.state, paused.next_fire) == (ScheduleState.PAUSED, None)
    plan.here.base.clock.at = MONDAY + timedelta(hours=1)
    assert await plan.schedules.resume(TEAM, DANA, kept.id)
    assert (await plan.now(kept)).next_fire == MONDAY + timedelta(days=1)
    assert await plan.schedules.remove(TEAM, DANA, kept.id)
    assert not await plan.schedules.remove(TEAM, DANA, kept.id)
    assert not await plan.schedules.remove(TEAM, DANA, "sch_nobody")
    assert await plan.schedules.of(TEAM, DANA) == []
    await plan.tick(MONDAY + timedelta(days=3))
    assert plan.runs() == []
    assert plan.here.codes() == [
        "schedule.added", "click.wrong_person", "schedule.paused", "click.late", "schedule.active", "schedule.ended",
        "click.late", "click.unknown",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"spec": {"at": "2026-11-20T08:00"}}, "This time is over"),
        ({"spec": {"month": 2, "day": 30}}, "never comes"),
        ({"spec": {"hour": 99}}, "no repeating time"),
        ({"zone": "Nowhere"}, "no time zone"),
        ({"text": "  "}, "nothing to say"),
    ],
)
async def test_what_cannot_be_scheduled_is_refused_in_words(plan: Plan, values: dict[str, Any], told: str) -> None:
    """And nothing of it is kept."""
    with pytest.raises(BadSchedule, match=told):
        await plan.add(**values)
    assert await plan.schedules.of(TEAM, DANA) == []


async def test_nobody_has_schedules_without_end(plan: Plan) -> None:
    """One more than many is refused."""
    for _ in range(MOST):
        await plan.add()
    with pytest.raises(BadSchedule, match="remove one first"):
        await plan.add()


async def test_a_time_that_passed_while_it_was_paused_does_not_come_again(plan: Plan) -> None:
    """Resuming it says no, and it stays as it is."""
    once = await plan.add(spec={"at": "2026-11-23T08:00"})
    await plan.schedules.pause(TEAM, DANA, once.id)
    plan.here.base.clock.at = MONDAY + timedelta(seconds=1)
    assert not await plan.schedules.resume(TEAM, DANA, once.id)
    assert (await plan.now(once)).state is ScheduleState.PAUSED


# Time -------------------------------------------------------------------------------------------------------------


async def test_it_fires_when_its_time_comes_and_moves_on(plan: Plan) -> None:
    """A run of its owner, in a thread of its own, with their words as the request; the next is tomorrow."""
    kept = await plan.add(typed="Summarise my unread mail")
    await plan.tick(MONDAY - timedelta(seconds=1))
    assert plan.runs() == []
    await plan.tick(MONDAY)
    await plan.tick(MONDAY + timedelta(seconds=1))
    [run] = plan.runs()
    assert run["source_key"] == f"sched:{kept.id}:2026-11-23T08:00:00+00:00"
    assert plan.deliveries("opening") == [run["id"]]
    moved = await plan.now(kept)
    assert (moved.last_fired, moved.next_fire) == (MONDAY, MONDAY + timedelta(days=1))
    async with plan.here.base.store.read() as work:
        request = await work.messages.find((await work.runs.find(run["id"])).message_id)
    assert (request.text, request.typed, request.owner) == ("Summarise my unread mail",) * 2 + (DANA,)


async def test_two_replicas_fire_once(plan: Plan) -> None:
    """Both look at the same moment; one moves the time, and the other finds it moved."""
    kept = [await plan.add() for _ in range(5)]
    plan.here.base.clock.at = MONDAY
    await asyncio.gather(*(plan.schedules.tick() for _ in range(3)))
    assert len(plan.runs()) == len(kept)
    assert plan.here.codes().count("schedule.fired") == len(kept)


async def test_after_a_stop_it_fires_once_and_says_that_it_is_late(plan: Plan) -> None:
    """Three mornings were missed: one run, which says since when it was due, and then the next morning."""
    kept = await plan.add()
    wednesday = MONDAY + timedelta(days=2, hours=3)
    await plan.tick(wednesday)
    await plan.tick(wednesday + timedelta(seconds=1))
    [run] = plan.runs()
    view = await plan.here.schedule_views.opening(run["id"])
    assert "This was due on Monday 23 November at 08:00" in view.text
    assert (await plan.now(kept)).next_fire == MONDAY + timedelta(days=3)


async def test_a_single_time_is_the_last(plan: Plan) -> None:
    """It fires and has ended."""
    once = await plan.add(spec={"at": "2026-11-23T16:00"}, kind=ScheduleKind.REMINDER, text="call Helen")
    await plan.tick(MONDAY + timedelta(hours=8))
    await plan.tick(MONDAY + timedelta(hours=9))
    ended = await plan.now(once)
    assert (ended.state, ended.next_fire) == (ScheduleState.ENDED, None)
    assert plan.runs() == []
    [subject] = plan.deliveries("alarm")
    view = await plan.here.schedule_views.alarm(subject)
    assert view is not None
    assert (view.user, view.text, view.due) == (DANA, "call Helen", None)
    assert await plan.here.schedule_views.alarm("sch_nobody@2026-11-23T16:00:00+00:00") is None


async def test_a_reminder_that_cannot_be_posted_is_told_to_its_owner(plan: Plan) -> None:
    """It belongs to no run; its schedule says whose it is."""
    kept = await plan.add(kind=ScheduleKind.REMINDER)
    await plan.tick(MONDAY)
    [subject] = plan.deliveries("alarm")
    view = await plan.here.queries.loss(f"alarm:{subject}")
    assert (view.user, view.reference, view.kind.value) == (DANA, kept.id, "alarm")
    assert float(view.request_ts) <= (MONDAY - timedelta(hours=14)).timestamp()  # our clock may be a time zone ahead


async def test_a_late_reminder_says_so(plan: Plan) -> None:
    """With the moment when it was due."""
    await plan.add(spec={"at": "2026-11-23T08:00"}, kind=ScheduleKind.REMINDER)
    await plan.tick(MONDAY + timedelta(hours=1))
    [subject] = plan.deliveries("alarm")
    view = await plan.here.schedule_views.alarm(subject)
    assert view is not None
    assert view.due == MONDAY


async def test_a_clock_that_steps_fires_nothing_twice(plan: Plan) -> None:
    """An hour ahead it fires early, and when the clock is set right again, not a second time."""
    await plan.add()
    await plan.tick(MONDAY + timedelta(minutes=1))
    for minutes in (-59, -30, 0, 1, 30):
        await plan.tick(MONDAY + timedelta(minutes=minutes))
    assert len(plan.runs()) == 1


async def test_a_moment_that_fired_before_begins_no_second_run(plan: Plan) -> None:
    """Paused and resumed after the clock went back it comes to the same moment again, and goes on to the next."""
    kept = await plan.add()
    await plan.tick(MONDAY)
    plan.here.base.clock.at = MONDAY - timedelta(minutes=30)
    await plan.schedules.pause(TEAM, DANA, kept.id)
    await plan.schedules.resume(TEAM, DANA, kept.id)
    assert (await plan.now(kept)).next_fire == MONDAY
    await plan.tick(MONDAY)
    assert len(plan.runs()) == 1
    assert (await plan.now(kept)).next_fire == MONDAY + timedelta(days=1)


async def test_who_left_is_not_served(plan: Plan) -> None:
    """A schedule of somebody who is gone ends when its time comes."""
    kept = await plan.add()
    await plan.here.seen(make.person(is_deleted=True))
    await plan.tick(MONDAY)
    assert plan.runs() == []
    assert (await plan.now(kept)).state is ScheduleState.ENDED
    assert plan.here.codes()[-1] == "schedule.owner_gone"


async def test_one_that_is_not_understood_any_more_ends(plan: Plan) -> None:
    """A zone that was dropped fires what is due, and no more; the others are not kept from theirs."""
    await plan.add()
    broken = await plan.add()
    await plan.here.base.tamper(f"UPDATE schedules SET zone = 'Gone/City' WHERE id = '{broken.id}'")
    await plan.tick(MONDAY)
    assert len(plan.runs()) == 2
    assert (await plan.now(broken)).state is ScheduleState.ENDED


async def test_stop_reaches_what_was_scheduled_though_our_clock_is_ahead(plan: Plan) -> None:
    """It stands among the requests by Slack's clock: after all that were made, before whatever is written next."""
    intake = Intake(transactions=plan.here.transactions, limits=DEFAULT_LIMITS)
    slack = (MONDAY - timedelta(hours=1)).timestamp()
    await intake.message(_said(f"{slack:.6f}", "the first"))
    await plan.add()
    await plan.add(title="another")
    await plan.tick(MONDAY)
    await intake.message(_said(f"{slack + 1:.6f}", "stop"))
    await intake.message(_said(f"{slack + 2:.6f}", "stop"))
    states = plan.here.base.rows("SELECT state FROM runs ORDER BY order_key")
    assert [row["state"] for row in states] == ["queued", "cancelled", "cancelled"]


def _said(ts: str, text: str) -> Incoming:
    given: dict[str, Any] = {"thread_ts": None, "is_dm": True, "mentions_agent": False}
    return Incoming(event_id=f"Ev{ts}", team=TEAM, channel="D1", ts=ts, user=DANA, text=text, typed=text, **given)


async def test_a_scheduled_run_is_answered_where_its_request_stands(plan: Plan) -> None:
    """It works at once; its place is known as soon as its first message stands, and a reply there belongs to it."""
    await plan.add()
    await plan.tick(MONDAY)
    [row] = plan.runs()
    await plan.here.runner.serve(row["thread_id"], asyncio.Event())
    assert (await plan.here.run(row["id"])).state is RunState.COMPLETED
    queries = plan.here.queries
    assert (await queries.place(row["id"])).root_ts == ""
    book = PostService(store=plan.here.base.store)
    await book.root(row["id"], Post(run_id=row["id"], slot="opening", channel="D1", ts="1795.1"))
    await book.root(row["id"], Post(run_id=row["id"], slot="opening", channel="D1", ts="1795.2"))
    place = await queries.place(row["id"])
    assert (place.channel, place.root_ts, place.is_dm, place.private) == ("D1", "1795.1", True, True)
    async with plan.here.base.store.read() as work:
        thread = await work.threads.at(TEAM, "D1", "1795.1")
    assert thread is not None
    assert thread.id == row["thread_id"]


# Held back --------------------------------------------------------------------------------------------------------


async def test_a_run_that_is_held_back_begins_in_time_and_holds_nobody_up(plan: Plan) -> None:
    """It stays queued, the sweep lets it be, a later request goes first, and its moment wakes it."""
    here = plan.here
    until = here.base.clock.now() + timedelta(hours=1)
    held = await here.request(not_before=until)
    async with here.base.store.read() as work:
        assert await work.runs.unfinished_threads() == []
    later = await here.request()
    await here.serve()
    assert (await here.run(later.id)).state is RunState.COMPLETED
    assert (await here.run(held.id)).state is RunState.QUEUED
    waker = Nobody()
    plan.schedules = replace(plan.schedules, transactions=replace(here.transactions, dispatcher=waker))
    await plan.tick(until - timedelta(seconds=1))
    assert waker.woken == []
    await plan.tick(until)
    assert waker.woken == ["thr_1"]
    await here.serve()
    assert (await here.run(held.id)).state is RunState.COMPLETED
    await plan.tick(until + timedelta(seconds=1))
    assert waker.woken == ["thr_1"]
