"""Tasks that are cancelled in the middle of a unit of work: connections come back whole, and nothing is left locked."""

from __future__ import annotations

import asyncio
import gc
import random
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import event, text

from bot.store.engine.session import Session
from bot.store.engine.shield import run_to_end
from bot.store.errors import NotSaved
from bot.store.store import Store
from tests import builders as make
from tests.stores import Opened


async def _write(store: Store, *, patience: float | None = None) -> None:
    async with store.write(patience=patience) as work:
        await work.runs.add(make.run())
        await work.runs.live("thr_1")
        await work.runs.add(make.run())


async def _read(store: Store) -> None:
    async with store.read() as work:
        await work.runs.unfinished_threads()
        await work.runs.live("thr_1")


@pytest.mark.parametrize("fresh_connections", [False, True])
async def test_a_cancelled_unit_of_work_leaves_nothing_behind(base: Opened, fresh_connections: bool) -> None:
    """Wherever it is cancelled, and however often: the pool has its connections back, and the next write goes on."""
    dice = random.Random(7)
    for _ in range(40):
        if fresh_connections:
            await base.engine.dispose()
        tasks = [asyncio.create_task(work(base.store)) for work in (_write, _read, _write, _read)]
        await asyncio.sleep(dice.random() * 0.008)
        for _ in range(dice.randint(1, 3)):
            for task in tasks:
                task.cancel()
            await asyncio.sleep(dice.choice((0, 0.0003)))
        await asyncio.gather(*tasks, return_exceptions=True)
    gc.collect()  # a connection that was left to the collector would warn, and warnings are errors here
    await asyncio.sleep(0)
    assert base.engine.pool.status().endswith("Current Checked out connections: 0")
    async with base.store.write(patience=1.0) as work:
        await work.runs.add(make.run())
    assert len(base.rows("SELECT id FROM runs")) % 2 == 1


async def test_a_connection_that_is_late_is_not_left_half_open(base: Opened) -> None:
    """Who gives up while a connection is opened is told before it is open; then it goes to the pool, and serves."""
    reachable, returned, opened = asyncio.Event(), asyncio.Event(), list[object]()

    async def answers(_connection: object) -> None:
        await reachable.wait()

    def opens(connection: Any, _record: Any) -> None:
        connection.run_async(answers)
        opened.append(connection)

    await base.engine.dispose()
    event.listen(base.engine.sync_engine, "connect", opens)
    event.listen(base.engine.sync_engine, "checkin", lambda *_: returned.set())
    with pytest.raises(NotSaved):
        await _write(base.store, patience=0.02)
    assert opened == []
    reachable.set()
    await returned.wait()
    async with base.store.write() as work:
        await work.runs.add(make.run())
    assert len(opened) == 1
    gc.collect()  # a connection that was left to the collector would warn, and warnings are errors here
    await asyncio.sleep(0)
    assert base.engine.pool.status().endswith("Current Checked out connections: 0")


async def test_many_rows_at_once_are_cancelled_as_one(base: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a busy process too, a statement with many rows that is cancelled anywhere ends as cancelled, and as nothing
    else.
    """
    monkeypatch.setattr("psycopg.waiting.MAX_BUSY_TIME", 0.0)
    mark = text("INSERT INTO marks (name, value) VALUES (:name, 'x')")

    rows = [{"name": str(number)} for number in range(20)]
    for steps in range(40):
        async with base.engine.connect() as connection:
            await connection.execute(text("SELECT 1"))
            task = asyncio.create_task(Session(connection).execute(mark, rows))
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
    assert base.rows("SELECT name FROM marks WHERE value = 'x'") == []


@pytest.mark.parametrize("moment", ["as it begins", "when it is over"])
async def test_a_commit_that_began_is_told_before_the_cancellation(base: Opened, store: Store, moment: str) -> None:
    """A task that is cancelled during its commit is cancelled, but the calls that follow a commit were made."""
    said: list[str] = []

    def cancel(_connection: object = None) -> None:
        said.append(str(task.cancel()))

    if moment == "as it begins":
        event.listen(base.engine.sync_engine, "commit", cancel, once=True)

    async def write() -> None:
        async with store.write() as work:
            work.after_commit(lambda: said.append("durable"))
            if moment == "when it is over":
                work.after_commit(cancel)
            await work.runs.add(make.run(id="run_1"))

    task = asyncio.create_task(write())
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sorted(said) == ["True", "durable"]
    async with store.read() as work:
        assert (await work.runs.find("run_1")).id == "run_1"


async def test_what_never_ends_is_cut_off() -> None:
    """A call that goes on after its task was cancelled is awaited for its grace only."""
    cut: list[bool] = []

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cut.append(True)
            raise

    task = asyncio.create_task(run_to_end(endless(), grace=0.02))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cut == [True]
