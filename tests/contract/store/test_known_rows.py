"""Rows that a transaction knows: read once, written once, and guarded by the state in which they were found."""

from __future__ import annotations

from datetime import UTC
from zoneinfo import ZoneInfo

import pytest

from bot.domain.actions import ActionState
from bot.domain.deliveries import DeliveryKind
from bot.domain.runs import RunState
from bot.domain.states import LostRace
from bot.store.store import Store
from tests import builders as make
from tests.builders import NOW, TEAM
from tests.stores import Opened

THREAD = "thr_1"


@pytest.fixture
async def stored(store: Store) -> Store:
    """A store with a queued run in a thread."""
    async with store.write() as work:
        await work.threads.ensure(make.thread())
        await work.runs.add(make.run(id="run_1"))
    return store


def said_of(said: list[tuple[str, object]], words: str) -> list[str]:
    return [sql for sql, _ in said if sql.startswith(words)]


async def test_a_known_row_is_read_once_and_written_once(base: Opened, stored: Store) -> None:
    """However often it is found, changed and moved: one SELECT, and one UPDATE that names the state it was found in."""
    async with stored.write() as work:
        await work.threads.lock(THREAD)
        with base.heard() as said:
            run = await work.runs.find("run_1")
            await work.runs.change(run.id, private=True)
            planning = await work.runs.move(await work.runs.find("run_1"), RunState.PLANNING)
            await work.runs.move(planning, RunState.EXECUTING, hard_stop="Enough.")
            assert (await work.runs.find("run_1")).private
            await work.flush()
    assert len(said_of(said, "SELECT")) == (1 if base.is_postgresql else 0)  # one writer knows what it stored before
    (written,) = [values for sql, values in said if sql.startswith("UPDATE runs")]
    assert "queued" in (written.values() if isinstance(written, dict) else written)
    assert base.rows("SELECT state, hard_stop FROM runs") == [{"state": "executing", "hard_stop": "Enough."}]


async def test_a_statement_finds_what_was_not_written_yet(stored: Store) -> None:
    """Whatever reads a table finds all that the transaction did to it, and so does what comes of a step or a lane."""
    step = make.step(run_id="run_1")
    action = make.action(run_id="run_1", step_id=step.id)
    async with stored.write() as work:
        await work.threads.lock(THREAD)
        run = await work.runs.find("run_1")
        await work.steps.add(step)
        await work.actions.add([action])
        await work.runs.move(run, RunState.PLANNING)
        await work.outbox.add(THREAD, DeliveryKind.ANSWER, run.id, team=TEAM, at=NOW)
        assert await work.actions.of_run("run_1") == [action]
        assert await work.steps.of_run("run_1") == [step]
        assert [found.state for found in await work.runs.live_of(TEAM, run.user)] == [RunState.PLANNING]
        assert [found.subject for found in await work.outbox.heads(now=NOW, limit=9)] == [run.id]


async def test_a_block_that_raises_writes_none_of_it(base: Opened, stored: Store) -> None:
    """What was still to be written goes with the rest."""

    async def fails() -> None:
        async with stored.write() as work:
            await work.threads.lock(THREAD)
            await work.runs.move(await work.runs.find("run_1"), RunState.PLANNING)
            raise KeyError

    with pytest.raises(KeyError):
        await fails()
    assert base.rows("SELECT state FROM runs") == [{"state": "queued"}]


async def test_who_comes_second_finds_what_came_of_it(stored: Store) -> None:
    """A move from a state in which the row is not any more is a lost race, whether the row is known or not."""
    async with stored.write() as work:
        await work.threads.lock(THREAD)
        before = await work.runs.find("run_1")
        await work.runs.move(before, RunState.PLANNING)
        with pytest.raises(LostRace):
            await work.runs.move(before, RunState.PLANNING)
    async with stored.write() as work:
        with pytest.raises(LostRace):
            await work.runs.move(before, RunState.CANCELLED)


async def test_a_row_is_known_only_under_its_lock(postgresql: Opened) -> None:
    """What was read before the thread was locked is read again: another transaction changed it in between."""
    store = postgresql.store
    async with store.write() as work:
        await work.threads.ensure(make.thread())
        await work.runs.add(make.run(id="run_1"))
    async with store.write() as work:
        assert (await work.runs.find("run_1")).state is RunState.QUEUED
        assert len(await work.runs.live(THREAD)) == 1
        await _moved(store)
        await work.threads.lock(THREAD)
        found = await work.runs.find("run_1")
        assert found.state is RunState.PLANNING
        await work.runs.move(found, RunState.EXECUTING)


async def _moved(store: Store) -> None:
    async with store.write() as work:
        await work.threads.lock(THREAD)
        await work.runs.move(await work.runs.find("run_1"), RunState.PLANNING)


async def test_the_actions_of_a_step_are_known_only_under_its_lock(postgresql: Opened) -> None:
    """A sibling that another transaction settled before the step was locked is seen as it is."""
    store = postgresql.store
    await _with_a_step(store)
    async with store.write() as work:
        assert [one.state for one in await work.actions.of_step("step_1")] == [ActionState.EXECUTING]
        await _settled(store)
        await work.steps.lock("step_1")
        assert [one.state for one in await work.actions.of_step("step_1")] == [ActionState.COMPLETED]


async def _with_a_step(store: Store) -> None:
    async with store.write() as work:
        await work.threads.ensure(make.thread())
        await work.runs.add(make.run(id="run_1"))
        await work.steps.add(make.step(id="step_1", run_id="run_1"))
        await work.actions.add([make.action(id="act_1", run_id="run_1", state=ActionState.EXECUTING)])


async def _settled(store: Store) -> None:
    async with store.write() as work:
        await work.steps.lock("step_1")
        await work.actions.move(await work.actions.find("act_1"), ActionState.COMPLETED)


async def test_what_was_written_past_it_is_read_again(stored: Store) -> None:
    """A note of an attempt is a statement of its own: whoever finds the action afterwards finds the note."""
    await _with_an_attempt(stored)
    async with stored.write() as work:
        await work.threads.lock(THREAD)
        await work.actions.find("act_1")
        await work.actions.note("act_1", 0, {"draft": "d1"})
        assert (await work.actions.find("act_1")).noted == {"draft": "d1"}
        assert not work.actions.known_rows.is_complete


async def _with_an_attempt(store: Store) -> None:
    async with store.write() as work:
        await work.steps.add(make.step(id="step_1", run_id="run_1"))
        await work.actions.add([make.action(id="act_1", run_id="run_1", state=ActionState.EXECUTING)])


async def test_a_known_moment_is_in_utc(stored: Store) -> None:
    """What was changed is found as it will be read: a moment of any zone as the same one in UTC."""
    there = NOW.astimezone(ZoneInfo("Asia/Kolkata"))
    step = make.step(run_id="run_1", started_at=there)
    async with stored.write() as work:
        await work.threads.lock(THREAD)
        await work.steps.add(step)
        run = await work.runs.move(await work.runs.find("run_1"), RunState.PLANNING, started_at=there)
        assert run.started_at is not None
        assert (run.started_at, run.started_at.tzinfo) == (NOW, UTC)
        assert (await work.steps.lock(step.id)).started_at.tzinfo is UTC
