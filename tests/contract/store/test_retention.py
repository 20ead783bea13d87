"""Retention on each database: what was kept long enough goes, and nothing that somebody may still need."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.connections import OAuthAttempt
from bot.domain.deliveries import DeliveryKind, Post
from bot.domain.files import FileState
from bot.domain.limits import Spent
from bot.domain.questions import QuestionState
from bot.domain.retention import Outdated
from bot.domain.runs import AttachedContext, RunState
from bot.domain.schedules import Schedule, ScheduleKind, ScheduleState
from bot.domain.sessions import BrowserSession
from bot.domain.threads import SeenObject
from bot.llm.model import Wire
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.transaction import TransactionFactory
from bot.runtime.operations.retention import BATCH, Keep, RetentionService
from bot.store.engine.connection import DriverResult
from bot.store.engine.sqlite_driver import SqliteConnection
from bot.store.engine.statements import Bound
from bot.store.unit_of_work import UnitOfWork
from tests import builders as make
from tests.builders import DANA, NOW, TEAM
from tests.dispatchers import Nobody
from tests.stores import Opened

DAY = timedelta(days=1)
KEEP = Keep(steps=30 * DAY, messages=90 * DAY, runs=365 * DAY)
OF_STEPS = ("contents", "steps", "actions", "questions", "votes", "objects", "files")


def retention(base: Opened, keep: Keep = KEEP) -> RetentionService:
    return RetentionService(
        transactions=TransactionFactory(store=base.store, clock=base.clock, bus=Bus(), dispatcher=Nobody()), keep=keep
    )


def rows(base: Opened, table: str) -> int:
    return base.rows(f"SELECT COUNT(*) AS n FROM {table}")[0]["n"]


async def asked(base: Opened, name: str, *, days: int, state: RunState = RunState.COMPLETED, **values: Any) -> str:
    """Everything that a run leaves, this old: its thread, request, answer, step, action, question, vote and post."""
    at = NOW - days * DAY
    ended = {"completed_at": at} if state.is_final() else {}
    given: dict[str, Any] = {"message_id": f"{name}_asked", "thread_id": name, "created_at": at, "duration_ms": 0}
    run = make.run(id=name, state=state, summary="Done.", instruction="You are it.", **given | ended | values)
    run = replace(run, attached=(AttachedContext(type="email", id="m1", title="Benches"),))
    step = make.step(id=f"{name}_step", run_id=name, closed_at=at if state.is_final() else None)
    about: dict[str, Any] = {"run_id": name, "step_id": step.id}
    action = make.action(id=f"{name}_act", state=ActionState.COMPLETED, **about)
    question = make.question(id=f"{name}_q", action_id=action.id, state=QuestionState.DECIDED, **about)
    async with base.store.write() as work:
        await work.threads.ensure(make.thread(id=name, root_ts=name, created_at=at))
        for part in ("asked", "said"):
            await work.messages.add(make.message(part, id=f"{name}_{part}", thread_id=name, created_at=at))
        await work.runs.add(run)
        await work.steps.add(step)
        await work.steps.append(name, [Wire("{}")])
        await work.actions.add([action])
        await work.questions.add(question)
        await work.questions.vote(question, user=DANA, choice="approve", at=at)
        seen = SeenObject(run_id=name, owner=DANA, kind="mail", object_id="m1", title="Benches")
        await work.objects.add(name, [seen], at=at)
        await work.posts.save(Post(run_id=name, slot="answer", channel="D1", ts=name))
        file = make.file(id=f"{name}_file", message_id=f"{name}_asked")
        await work.files.add([file])
        await work.files.fetched(replace(file, state=FileState.READ, run_id=name), b"oak")
    return name


async def test_a_file_that_no_run_took_in_goes_with_its_message(base: Opened) -> None:
    """Such as one of a message that was refused, with its bytes or without."""
    await asked(base, "old", days=91)
    async with base.store.write() as work:
        await work.files.add([make.file(id="waits", message_id="old_said")])
    await retention(base).prune(NOW)
    assert rows(base, "files") == 0


async def test_what_a_run_did_goes_after_a_month(base: Opened) -> None:
    """Its steps with all that the model saw; what was asked, what was answered and where it stands stay."""
    await asked(base, "old", days=31)
    await asked(base, "young", days=29)
    counts = await retention(base).prune(NOW)
    assert counts[Outdated.STEPS] == 1
    assert {table: rows(base, table) for table in OF_STEPS} == dict.fromkeys(OF_STEPS, 1)
    async with base.store.read() as work:
        run = await work.runs.find("old")
        assert (run.instruction, run.attached, run.summary) == ("", (), "Done.")
        assert (await work.messages.find("old_asked")).text == "asked"
        assert (await work.runs.find("young")).instruction == "You are it."
    assert rows(base, "posts") == 2
    assert await retention(base).prune(NOW) == dict.fromkeys(counts, 0)


async def test_what_was_said_goes_after_three_months(base: Opened) -> None:
    """The words of a request too, though its run is listed for a year; history has no empty lines."""
    await asked(base, "old", days=91)
    counts = await retention(base).prune(NOW)
    assert (counts[Outdated.MESSAGES], counts[Outdated.ANSWERS]) == (2, 1)
    async with base.store.read() as work:
        assert (await work.messages.find("old_asked")).text == ""
        assert (await work.runs.find("old")).summary == ""
        assert await work.messages.recent("old", visible_to=DANA, before="old_asked", limit=9) == []
    assert rows(base, "messages") == 1


async def test_a_run_goes_after_a_year(base: Opened) -> None:
    """With everything that is left of it."""
    await asked(base, "old", days=366)
    await retention(base).prune(NOW)
    await retention(base).prune(NOW)
    for table in (*OF_STEPS, "runs", "posts", "messages", "threads"):
        assert rows(base, table) == 0, table


async def test_a_thread_goes_when_nothing_of_it_is_left(base: Opened) -> None:
    """Not one that is young, in which something was said, that somebody holds, or that still gets something."""
    old, young = NOW - 366 * DAY, NOW - 364 * DAY
    async with base.store.write() as work:
        for name in ("over", "young", "said", "held", "told"):
            at = young if name == "young" else old
            await work.threads.ensure(make.thread(id=name, root_ts=name, created_at=at))
        await work.messages.add(make.message(id="said", thread_id="said", created_at=NOW))
        await work.leases.take("thread:held", "me", now=NOW, seconds=60)
        await work.outbox.add("told", DeliveryKind.REFUSAL, "empty:said", team=TEAM, at=NOW)
    assert (await retention(base).prune(NOW))[Outdated.THREADS] == 1
    left = base.rows("SELECT id FROM threads ORDER BY id")
    assert [row["id"] for row in left] == ["held", "said", "told", "young"]


async def test_what_is_said_in_a_thread_that_is_being_forgotten_finds_one(base: Opened) -> None:
    """Found before and written into afterwards it is there again; found empty and written into meanwhile it stays."""
    wanted = make.thread(id="over", root_ts="over", created_at=NOW - 366 * DAY)
    async with base.store.write() as work:
        await work.threads.ensure(wanted)

    async def says(work: UnitOfWork) -> None:
        thread = await work.threads.ensure(wanted)
        await work.messages.add(make.message(thread_id=thread.id, created_at=NOW))

    async def forgets(work: UnitOfWork) -> None:
        await work.retention.forget(Outdated.THREADS, ["over"])

    async def by_another(do: Callable[[UnitOfWork], Awaitable[None]]) -> None:
        async with base.store.write() as work:
            await do(work)

    for one, other in ((forgets, says), (says, forgets)):
        async with base.store.write() as work:
            await one(work)
            meanwhile = asyncio.create_task(by_another(other))
            await asyncio.sleep(0.05)
        await meanwhile
        assert rows(base, "threads") == 1
        await base.tamper("DELETE FROM messages")


async def test_a_definition_goes_with_the_last_run_of_its_agent(base: Opened) -> None:
    """Not while a run names it, however old, nor one that was stored just now."""
    async with base.store.write() as work:
        for name, days in (("over", 400), ("named", 400), ("new", 0)):
            await work.definitions.keep(name, name=name, canonical="{}", at=NOW - days * DAY)
    await asked(base, "old", days=366, definition="over")
    await asked(base, "kept", days=300, definition="named")
    assert (await retention(base).prune(NOW))[Outdated.DEFINITIONS] == 1
    assert [row["hash"] for row in base.rows("SELECT hash FROM definitions ORDER BY hash")] == ["named", "new"]


async def test_a_run_that_is_queued_while_its_definition_is_forgotten_has_it(base: Opened) -> None:
    """Whichever of the two is first: the run is seen, or stores its definition anew."""
    request = make.run(id="run_new", definition="one")

    async def queues(work: UnitOfWork) -> None:
        await work.definitions.keep("one", name="scout", canonical="{}", at=NOW - 9 * DAY)
        await work.runs.add(request)

    async def forgets(work: UnitOfWork) -> None:
        await work.retention.forget(Outdated.DEFINITIONS, ["one"])

    async def by_another(do: Callable[[UnitOfWork], Awaitable[None]]) -> None:
        async with base.store.write() as work:
            await do(work)

    for one, other in ((forgets, queues), (queues, forgets)):
        async with base.store.write() as work:
            await work.definitions.keep("one", name="scout", canonical="{}", at=NOW - 9 * DAY)
        async with base.store.write() as work:
            await one(work)
            meanwhile = asyncio.create_task(by_another(other))
            await asyncio.sleep(0.05)
        await meanwhile
        assert rows(base, "definitions") == 1
        await base.tamper("DELETE FROM runs")


@pytest.mark.parametrize("state", [state for state in RunState if state.is_live()])
async def test_nothing_of_an_open_run_goes(base: Opened, state: RunState) -> None:
    """However old it is, and not what others said in its thread either."""
    await asked(base, "open", days=1_000, state=state)
    assert not any((await retention(base).prune(NOW)).values())


async def test_what_is_still_to_be_shown_stays(base: Opened) -> None:
    """A thread whose answer Slack has not taken yet keeps its rows."""
    await asked(base, "old", days=1_000)
    async with base.store.write() as work:
        await work.outbox.add("old", DeliveryKind.ANSWER, "old", team=TEAM, at=NOW)
    assert not any((await retention(base).prune(NOW)).values())


async def test_nothing_goes_where_everything_is_kept(base: Opened) -> None:
    """Zero days are for ever."""
    await asked(base, "old", days=1_000)
    await asked(base, "paused", days=1_000, state=RunState.PAUSED)
    assert not any((await retention(base, Keep(steps=None, messages=None, runs=None)).prune(NOW)).values())


async def test_a_paused_run_is_cancelled_when_its_time_is_over(base: Opened) -> None:
    """Counted from when it paused; its owner can read that it was stopped, and its rows go a month later."""
    await asked(base, "old", days=31, state=RunState.PAUSED)
    await asked(base, "lately", days=31, state=RunState.PAUSED, duration_ms=2 * 86_400_000)
    await retention(base).prune(NOW)
    states = {row["id"]: row["state"] for row in base.rows("SELECT id, state FROM runs")}
    assert states == {"old": "cancelled", "lately": "paused"}
    assert base.rows("SELECT subject FROM outbox WHERE kind = 'answer'") == [{"subject": "old"}]
    codes = [row["code"] for row in base.rows("SELECT code FROM audit ORDER BY id")]
    assert codes[0] == "run.outdated"


async def test_a_run_that_was_continued_meanwhile_is_not_cancelled(sqlite: Opened) -> None:
    """Its owner presses Continue after it was found, before its turn."""
    for name in ("a", "b"):
        await asked(sqlite, name, days=31, state=RunState.PAUSED)

    def go_on(_: UnitOfWork) -> None:
        if len(sqlite.rows("SELECT id FROM runs WHERE state = 'cancelled'")) == 1:
            with closing(sqlite3.connect(sqlite.path)) as rows, rows:
                rows.execute("UPDATE steps SET open = 0, closed_at = started_at WHERE run_id = 'b'")
                rows.execute("UPDATE runs SET state = 'planning' WHERE id = 'b'")

    sqlite.store.on_commit(go_on)
    await retention(sqlite).prune(NOW)
    states = {row["id"]: row["state"] for row in sqlite.rows("SELECT id, state FROM runs")}
    assert states == {"a": "cancelled", "b": "planning"}


async def test_the_log_says_what_went_and_keeps_everything_else(base: Opened) -> None:
    """Once for each round in which people's rows went, with the moments before which they went."""
    for n in range(3):
        await asked(base, f"old{n}", days=400)
    await retention(base).prune(NOW)
    await retention(base).prune(NOW)
    entries = base.rows("SELECT code, body FROM audit")
    assert [entry["code"] for entry in entries] == ["retention.pruned"]
    assert (NOW - 30 * DAY).isoformat() in entries[0]["body"]


async def test_the_log_says_that_a_schedule_went(base: Opened) -> None:
    """What somebody wanted to be reminded of is theirs, also where nothing else goes with it."""
    async with base.store.write() as work:
        await work.schedules.add(_schedule("old", NOW - 400 * DAY))
    await retention(base).prune(NOW)
    assert rows(base, "schedules") == 0
    assert [entry["code"] for entry in base.rows("SELECT code FROM audit")] == ["retention.pruned"]


async def test_the_log_says_that_a_run_went(base: Opened) -> None:
    """Also where its words are kept for ever, and nothing else goes with it."""
    keep = replace(KEEP, messages=None)
    await asked(base, "old", days=364)
    await retention(base, keep).prune(NOW)
    await retention(base, keep).prune(NOW + 2 * DAY)
    assert rows(base, "runs") == 0
    assert [entry["code"] for entry in base.rows("SELECT code FROM audit")] == ["retention.pruned"] * 2


async def test_many_rows_go_in_batches(base: Opened) -> None:
    """More than one transaction takes."""
    count = BATCH + 5
    async with base.store.write() as work:
        for n in range(count):
            await work.inbox.admit(f"ev{n}", team=TEAM, channel="C1", ts=f"{n}.0", at=NOW - 8 * DAY)
        await work.inbox.admit("new", team=TEAM, channel="C1", ts="x", at=NOW - 6 * DAY)
    assert (await retention(base).prune(NOW))[Outdated.INBOX] == count
    assert base.rows("SELECT event_id FROM inbox") == [{"event_id": "new"}]


async def test_what_only_the_program_needs_goes_when_it_needs_it_no_more(base: Opened) -> None:
    """Deliveries, leases of quiet threads, full buckets, ended schedules, old sums; not those of a busy thread."""
    await asked(base, "open", days=100, state=RunState.AWAITING)
    ended: list[tuple[str, datetime]] = [("long", NOW - 8 * DAY), ("lately", NOW - 6 * DAY)]
    async with base.store.write() as work:
        for lane, at in ended:
            await work.outbox.add(lane, DeliveryKind.CARD, lane, team=TEAM, at=at)
            for delivery in await work.outbox.heads(now=NOW, limit=9):
                claimed = await work.outbox.claim(delivery)
                assert claimed is not None
                await work.outbox.delivered(claimed, at=at)
        for name in ("thread:quiet", "thread:open", "sealer"):
            await work.leases.take(name, "me", now=NOW - 2 * DAY, seconds=1)
        await work.rates.set("old", NOW - 2 * DAY)
        await work.rates.set("new", NOW)
        await work.schedules.add(_schedule("old", NOW - 91 * DAY))
        await work.schedules.add(_schedule("new", NOW - 89 * DAY))
        for day in (NOW - 366 * DAY, NOW - 364 * DAY):
            await work.spending.add(TEAM, DANA, day.date().isoformat(), Spent(tokens=1, cost_micros=1))
    await retention(base).prune(NOW)
    assert base.rows("SELECT lane FROM outbox") == [{"lane": "lately"}]
    assert base.rows("SELECT name FROM leases ORDER BY name") == [{"name": "sealer"}, {"name": "thread:open"}]
    assert base.rows("SELECT name FROM rates") == [{"name": "new"}]
    assert base.rows("SELECT id FROM schedules") == [{"id": "new"}]
    days = [date.fromisoformat(row["day"]) for row in base.rows("SELECT day FROM spending")]
    assert days == [(NOW - 364 * DAY).date()]


def _schedule(name: str, last: datetime) -> Schedule:
    return Schedule(
        id=name, team=TEAM, user=DANA, channel="D1", kind=ScheduleKind.REMINDER, title="", spec={}, zone="UTC",
        state=ScheduleState.ENDED, next_fire=None, last_fired=last, created_at=last,
    )  # fmt: skip


async def test_old_links_to_connect_go(base: Opened) -> None:
    """Whether or not anybody makes new ones: a day after they are over; not while one holds what must be given back."""
    over = {"old": NOW - 2 * DAY, "held": NOW - 2 * DAY, "young": NOW - DAY / 2}
    async with base.store.write() as work:
        for name, expired in over.items():
            made = OAuthAttempt(
                id=name, team=TEAM, user=DANA, provider="google", token_hash=name, choices=("mail",),
                missing=frozenset(), created_at=expired, expires_at=expired, held="sealed" if name == "held" else None,
            )  # fmt: skip
            await work.oauth_attempts.add(made)
    assert (await retention(base).prune(NOW))[Outdated.CONNECTS] == 1
    assert {row["id"] for row in base.rows("SELECT id FROM connects")} == {"held", "young"}


async def test_old_sessions_go(base: Opened) -> None:
    """A day after they would have ended by themselves, whether or not they were ended before."""
    over = {"old": NOW - 2 * DAY, "ended": NOW - 2 * DAY, "young": NOW - DAY / 2}
    async with base.store.write() as work:
        for name, expires in over.items():
            made = BrowserSession(
                id=name, team=TEAM, user=DANA, token_hash=name, state_hash=name, browser="",
                created_at=expires - DAY / 2, expires_at=expires,
            )  # fmt: skip
            await work.sessions.begin(made)
        assert await work.sessions.end("ended", team=TEAM, user=DANA, at=NOW - 2.1 * DAY)
    assert (await retention(base).prune(NOW))[Outdated.SESSIONS] == 2
    assert {row["id"] for row in base.rows("SELECT id FROM sessions")} == {"young"}


async def test_one_replica_prunes_once_an_hour(base: Opened) -> None:
    """The second one within the hour prunes nothing."""
    await asked(base, "old", days=31)
    await retention(base).tick()
    await asked(base, "older", days=32)
    await retention(base).tick()
    assert rows(base, "steps") == 1
    base.clock.advance(3_600)
    await retention(base).tick()
    assert rows(base, "steps") == 0


async def test_looking_for_what_is_outdated_holds_up_nobody(sqlite: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole tables are read beside the loop."""
    beside, run = list[bool](), SqliteConnection.run

    async def heard(connection: SqliteConnection, sql: str, values: Bound) -> DriverResult:
        beside.append(connection.in_thread)
        return await run(connection, sql, values)

    monkeypatch.setattr(SqliteConnection, "run", heard)
    await retention(sqlite).prune(NOW)
    assert len(beside) > len(Outdated)
    assert all(beside)
