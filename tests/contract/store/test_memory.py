"""What the one writer of a SQLite file knows from one transaction to the next, and what makes it forget."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import NoReturn

import pytest

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.retention import Outdated
from bot.domain.runs import RunState
from bot.errors import BotError
from bot.store.engine import memory
from bot.store.engine.memory import WriterMemory
from bot.store.engine.sqlite_driver import SqliteConnection
from bot.store.errors import NotSaved
from bot.store.tables.runs import runs
from tests import builders as make
from tests.stores import Opened, opened


@pytest.fixture
async def base(tmp_path: Path) -> AsyncGenerator[Opened]:
    """A file with one run, one step and one action, which were written in a transaction of their own."""
    async with opened(tmp_path) as base:
        async with base.store.write() as work:
            await work.runs.add(make.run(id="run_1"))
            await work.steps.add(make.step(id="step_1", run_id="run_1"))
            first = make.action(id="act_1", run_id="run_1", step_id="step_1", seq=0, state=ActionState.EXECUTING)
            await work.actions.add([first])
            await work.leases.take("thread:thr_1", "here", now=base.clock.now(), seconds=30)
        yield base


async def fail(base: Opened) -> NoReturn:
    """A transaction that changes a run, and ends in an error."""
    async with base.store.write() as work:
        await work.runs.move(await work.runs.find("run_1"), RunState.PLANNING)
        await work.flush()
        raise BotError


async def state_of(base: Opened) -> RunState:
    """The run's, as the next transaction has it."""
    async with base.store.write() as work:
        return (await work.runs.find("run_1")).state


async def test_the_next_transaction_knows_what_the_last_one_left(base: Opened) -> None:
    """Rows, the actions of a step, the lease and the place in the log are not read again."""
    event = AuditEvent(team="T1", code=AuditCode.RUN_QUEUED, actor="agent", run_id="run_1")
    for reads in (2, 0):  # the lease, and the place in the log; then nothing
        with base.heard() as said:
            async with base.store.write() as work:
                await work.leases.hold("thread:thr_1", "here", 1)
                run = await work.runs.find("run_1")
                await work.steps.lock("step_1")
                assert [one.id for one in await work.actions.of_step("step_1")] == ["act_1"]
                await work.audit.record(event)
        assert run.state is RunState.QUEUED
        assert sum(sql.startswith("SELECT") for sql, _ in said) == reads
    assert [row["number"] for row in base.rows("SELECT number FROM audit ORDER BY id")] == [1, 2]


async def test_a_transaction_that_failed_was_never_so(base: Opened) -> None:
    """What it learned goes with it."""
    with pytest.raises(BotError):
        await fail(base)
    assert await state_of(base) is RunState.QUEUED


async def test_a_commit_that_failed_was_never_so(base: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """What its transactions learned goes with it."""

    async def breaks(connection: SqliteConnection) -> None:
        connection.rollback()  # as SQLite itself does when the disk is full
        raise sqlite3.OperationalError("disk I/O error")

    async def moves() -> None:
        async with base.store.write() as work:
            await work.runs.move(await work.runs.find("run_1"), RunState.PLANNING)

    with monkeypatch.context() as now:
        now.setattr(SqliteConnection, "commit", breaks)
        with pytest.raises(NotSaved):
            await moves()
    assert await state_of(base) is RunState.QUEUED


async def test_another_connection_is_noticed(base: Opened) -> None:
    """Whoever writes past the store is believed."""
    assert await state_of(base) is RunState.QUEUED
    await base.tamper("UPDATE runs SET state = 'cancelled'; UPDATE leases SET epoch = 7")
    assert await state_of(base) is RunState.CANCELLED
    async with base.store.write() as work:
        await work.leases.hold("thread:thr_1", "here", 7)


async def test_a_statement_about_many_rows_makes_it_forget_the_table(base: Opened) -> None:
    """It does not say which rows it changes; what is known of other tables is known still."""
    async with base.store.write() as work:
        run = await work.runs.find("run_1")
        await work.runs.change("run_1", summary="Done.")
    async with base.store.write() as work:
        await work.retention.forget(Outdated.ANSWERS, ["run_1"])
    with base.heard() as said:
        async with base.store.write() as work:
            assert (await work.runs.find("run_1")).summary == ""
            await work.steps.lock("step_1")
    assert run.summary == ""
    assert sum(sql.startswith("SELECT") for sql, _ in said) == 1


async def test_a_statement_about_one_row_makes_it_forget_that_row(base: Opened) -> None:
    """A note of an attempt is written past the rows that are known; so is a lease that somebody takes."""
    async with base.store.write() as work:
        assert (await work.actions.find("act_1")).noted is None
        await work.actions.note("act_1", 0, {"draft": "d1"})
    async with base.store.write() as work:
        await work.leases.hold("thread:thr_1", "here", 1)
        assert (await work.actions.find("act_1")).noted == {"draft": "d1"}
    async with base.store.write() as work:
        await work.leases.release("thread:thr_1", "here", 1)
        await work.leases.take("thread:thr_1", "there", now=base.clock.now(), seconds=30)
    with pytest.raises(BotError, match="lease"):
        await hold(base)


async def test_what_a_transaction_learned_before_it_changed_the_row_is_not_told(base: Opened) -> None:
    """A row that it changed past what it knew is read again by those after it."""
    async with base.store.write() as work:
        work.session.learn(runs.name, "run_1", make.run(id="run_1"))
        await work.session.change(runs, {"id": "run_1"}, {"summary": "Done."})
        assert work.session.recall(runs.name, "run_1") is None
    async with base.store.write() as work:
        assert (await work.runs.find("run_1")).summary == "Done."


async def hold(base: Opened) -> None:
    async with base.store.write() as work:
        await work.leases.hold("thread:thr_1", "here", 1)


async def test_what_is_over_is_not_kept(base: Opened) -> None:
    """Results and answers may be large. A row that moves no more is read again, and never as it was before."""
    async with base.store.write() as work:
        action = await work.actions.find("act_1")
        await work.actions.move(action, ActionState.COMPLETED, response={"output": "x"})
        await work.steps.set_open("step_1", 0, closed_at=base.clock.now())
        await work.runs.move(await work.runs.find("run_1"), RunState.CANCELLED)
    with base.heard() as said:
        async with base.store.write() as work:
            assert [one.state for one in await work.actions.of_step("step_1")] == [ActionState.COMPLETED]
            assert (await work.steps.lock("step_1")).closed_at is not None
            assert (await work.runs.find("run_1")).state is RunState.CANCELLED
    assert len(said) == 3


async def test_readers_know_nothing(base: Opened) -> None:
    """A reading transaction has a snapshot of its own."""
    with base.heard() as said:
        async with base.store.read() as work:
            await work.runs.find("run_1")
    assert len(said) == 1


def test_what_was_used_longest_ago_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps so many values of a table."""
    monkeypatch.setattr(memory, "MOST", 2)
    known = WriterMemory()
    for key in "ab":
        known.keep("runs", key, key)
    assert known.get("runs", "a") == "a"
    known.keep("runs", "c", "c")
    assert [known.get("runs", key) for key in "abc"] == ["a", None, "c"]
