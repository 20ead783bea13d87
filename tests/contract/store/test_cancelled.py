"""Tasks that are cancelled in the middle of a unit of work: connections come back whole, and nothing is left locked."""

from __future__ import annotations

import asyncio
import gc
import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from sqlalchemy import text

from bot.store.engine.database import database_for
from bot.store.engine.pool import Pool
from bot.store.engine.shield import run_to_end
from bot.store.engine.statements import MOST_VALUES
from bot.store.errors import NotSaved
from bot.store.store import Store
from bot.store.tables.coordination import marks
from tests import builders as make
from tests.stores import Opened


@asynccontextmanager
async def opened_anew(base: Opened) -> AsyncGenerator[tuple[Store, Sequence[Pool[Any]]]]:
    """Another store on the same database, without a connection yet, and where it keeps them."""
    database = database_for(base.url)
    try:
        yield Store(database, keyring=base.keyring, clock=base.clock), database.pools
    finally:
        await database.dispose()


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
    """Wherever it is cancelled, and however often: all connections are given back, and the next write goes on."""
    dice = random.Random(7)
    for _ in range(40):
        if fresh_connections:
            await base.database.dispose()
        tasks = [asyncio.create_task(work(base.store)) for work in (_write, _read, _write, _read)]
        await asyncio.sleep(dice.random() * 0.008)
        for _ in range(dice.randint(1, 3)):
            for task in tasks:
                task.cancel()
            await asyncio.sleep(dice.choice((0, 0.0003)))
        await asyncio.gather(*tasks, return_exceptions=True)
    async with base.store.write(patience=1.0) as work:  # after the last commit that was under way
        await work.runs.add(make.run())
    gc.collect()  # a connection that was left to the collector would warn, and warnings are errors here
    await asyncio.sleep(0)
    assert base.lent == 0
    assert len(base.rows("SELECT id FROM runs")) % 2 == 1


async def test_a_connection_that_is_late_is_not_left_half_open(base: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who gives up while a connection is opened is told before it is open; then it is kept, and serves."""
    reachable, opened = asyncio.Event(), list[object]()

    def slowly(pool: Pool[Any]) -> None:
        opens = pool.opens

        async def late() -> object:
            await reachable.wait()
            opened.append(made := await opens())
            return made

        monkeypatch.setattr(pool, "opens", late)

    async with opened_anew(base) as (store, pools):
        for pool in pools:
            slowly(pool)
        with pytest.raises(NotSaved):
            await _write(store, patience=0.02)
        assert opened == []
        reachable.set()
        while not opened:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0)  # it is kept
        async with store.write() as work:
            await work.runs.add(make.run())
        assert len(opened) == 1
    gc.collect()  # a connection that was left to the collector would warn, and warnings are errors here
    await asyncio.sleep(0)


async def test_many_rows_at_once_are_cancelled_as_one(base: Opened) -> None:
    """Several rows that are cancelled anywhere are all written or none, and end as cancelled, as nothing else."""
    rows = [{"name": str(number), "value": "x"} for number in range(MOST_VALUES)]

    async def write() -> None:
        async with base.store.write() as work:
            await work.session.insert(marks, rows)
            raise KeyError

    for steps in range(40):
        task = asyncio.create_task(write())
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError, KeyError):
            await task
    assert base.rows("SELECT name FROM marks WHERE value = 'x'") == []


@pytest.mark.parametrize("moment", ["as it begins", "when it is over"])
async def test_a_commit_that_began_is_told_before_the_cancellation(
    base: Opened, store: Store, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """A task that is cancelled during its commit is cancelled, but the calls that follow a commit were made."""
    said, commit = list[str](), base.connections.commit

    def cancel() -> None:
        said.append(str(task.cancel()))

    async def cancelled(connection: Any) -> None:
        cancel()
        await commit(connection)

    if moment == "as it begins":
        monkeypatch.setattr(base.connections, "commit", cancelled)

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


_ENDLESS = text(
    "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 10000000000) SELECT count(*) FROM n"
)


async def test_a_long_read_that_nobody_waits_for_ends(base: Opened) -> None:
    """Who is cancelled in the middle of a statement that takes long keeps neither the loop nor the connection busy."""

    async def read() -> None:
        async with base.store.read(long=True) as work:
            await work.session.value(_ENDLESS)

    reading = asyncio.create_task(read())
    await asyncio.sleep(0.2)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    async with base.store.read() as work:
        assert await work.runs.live("thr_1") == []
    assert base.lent == 0
