"""Units of work: what was saved and what was not, and who waits for whom."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from bot.errors import BotError
from bot.store.engine.database import database_for
from bot.store.engine.postgresql import WAIT_MS
from bot.store.errors import NotRead, NotSaved
from bot.store.store import Store
from tests import builders as make
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened


async def test_a_block_that_raises_saves_nothing(store: Store) -> None:
    """An exception inside a unit of work rolls everything back and comes out as it is."""

    async def fails() -> None:
        async with store.write() as work:
            await work.runs.add(make.run(id="run_1"))
            raise KeyError("mine")

    with pytest.raises(KeyError):
        await fails()
    async with store.read() as work:
        assert await work.runs.live("thr_1") == []


async def test_after_commit_is_called_only_then(store: Store) -> None:
    """Calls are made once the rows are durable, in order, with the store's listeners last; never after a rollback."""
    said: list[str] = []
    store.on_commit(lambda _: said.append("listener"))
    async with store.write() as work:
        work.after_commit(lambda: said.append("one"))
        work.after_commit(lambda: said.append("two"))
        await work.runs.add(make.run())
        assert said == []
    assert said == ["one", "two", "listener"]

    async def fails() -> None:
        async with store.write() as work:
            work.after_commit(lambda: said.append("never"))
            raise BotError

    with pytest.raises(BotError):
        await fails()
    assert said == ["one", "two", "listener"]


async def _add_one(store: Store) -> None:
    async with store.write() as work:
        await work.threads.lock("thr_1")
        before = await work.runs.find("run_1")
        await asyncio.sleep(0)
        await work.runs.change("run_1", active_ms=before.active_ms + 1)


async def _lock(store: Store, *, patience: float) -> None:
    async with store.write(patience=patience) as work:
        await work.threads.lock("thr_1")


async def _two_locks(store: Store, *, patience: float) -> None:
    async with store.write(patience=patience) as work:
        await work.runs.change("run_1", active_ms=7)
        await work.threads.lock("thr_1")
        await work.schedules.lock("T1", "U1")


async def _with_a_run(store: Store) -> None:
    async with store.write() as work:
        await work.threads.ensure(make.thread())
        await work.runs.add(make.run(id="run_1"))


async def test_a_hundred_read_modify_writes_lose_none(store: Store) -> None:
    """Concurrent units of work that lock their thread, read, wait and write are one after the other."""
    await _with_a_run(store)
    await asyncio.gather(*(_add_one(store) for _ in range(100)))
    async with store.read() as work:
        assert (await work.runs.find("run_1")).active_ms == 100


async def test_two_processes_lose_none_either(base: Opened) -> None:
    """A second engine on the same database, as another process has it, waits instead of losing an update."""
    other_database = database_for(base.url)
    other = Store(other_database, keyring=base.keyring, clock=base.clock)
    await _with_a_run(base.store)
    await asyncio.gather(*(_add_one(store) for _ in range(20) for store in (base.store, other)))
    await other_database.dispose()
    async with base.store.read() as work:
        assert (await work.runs.find("run_1")).active_ms == 40


async def test_a_writer_gives_up_when_its_patience_ends(store: Store) -> None:
    """Who waits longer than its patience for the write lock is told that nothing was saved; others write on."""
    await _with_a_run(store)
    async with store.write() as work:
        await work.threads.lock("thr_1")
        with pytest.raises(NotSaved):
            await _lock(store, patience=0.02)
    async with store.write(patience=1.0) as work:
        await work.threads.lock("thr_1")
        assert (await work.runs.find("run_1")).id == "run_1"


def _go_on(loop: asyncio.AbstractEventLoop, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many seconds pass at once, as the loop counts them."""
    time = loop.time
    monkeypatch.setattr(loop, "time", lambda: time() + seconds)


async def _waits_for(postgresql: Opened, kind: str) -> None:
    """Until somebody waits for a lock of this kind."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while postgresql.rows("SELECT locktype FROM pg_locks WHERE NOT granted") != [{"locktype": kind}]:
            await asyncio.sleep(0.005)


async def test_patience_counts_once_for_all_locks(postgresql: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for one lock after the other gives up when its patience ends, not when that of each lock does; nothing
    is saved, and its locks are free.
    """
    store = postgresql.store
    await _with_a_run(store)
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as first, AsyncExitStack() as second:
        held = await first.enter_async_context(store.write())
        await held.threads.lock("thr_1")
        held = await second.enter_async_context(store.write())
        await held.schedules.lock("T1", "U1")

        waiting = asyncio.create_task(_two_locks(store, patience=30.0))
        await _waits_for(postgresql, "transactionid")
        _go_on(loop, 20, monkeypatch)
        await asyncio.sleep(0.05)
        assert not waiting.done()
        await first.aclose()
        await _waits_for(postgresql, "advisory")
        _go_on(loop, 20, monkeypatch)
        with pytest.raises(NotSaved):
            await waiting
    async with store.write(patience=1.0) as work:
        assert (await work.runs.find("run_1")).active_ms == 0
        await work.threads.lock("thr_1")


async def test_a_timeout_of_its_own_is_its_own(store: Store) -> None:
    """Where the work in a transaction gives up by itself in time, that is what its caller hears."""
    with pytest.raises(TimeoutError):
        async with store.write(patience=5.0):
            raise TimeoutError


async def test_a_commit_that_fails_leaves_nothing_open(base: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk is full just at the commit nothing is saved or told, and no transaction is left with its lock."""
    told = list[str]()

    async def full(connection: object) -> None:
        raise base.database.errors[0]("database or disk is full")

    async def fails() -> None:
        async with base.store.write() as work:
            work.after_commit(lambda: told.append("it is durable"))
            await work.runs.add(make.run(id="run_1"))

    with monkeypatch.context() as now:
        now.setattr(base.connections, "commit", full)
        with pytest.raises(NotSaved):
            await fails()
    assert told == []
    for _ in range(3):
        async with base.store.write(patience=1.0) as work:
            assert await work.runs.live("thr_1") == []


async def test_a_hurried_write_leaves_no_hurry_behind(postgresql: Opened) -> None:
    """A connection that a write with little patience gave back waits as long as others again, reading or writing."""
    async with postgresql.store.write(patience=0.5):
        pass
    for mode in (postgresql.database.writing(None, lambda: None), postgresql.database.reading(None, long=False)):
        async with mode as connection:
            assert (await connection.run("SHOW lock_timeout", ())).rows == [(f"{WAIT_MS // 1_000}s",)]


@pytest.mark.parametrize("patience", [0.02, None], ids=["its own", "that of the pool"])
async def test_a_pool_that_is_used_up_is_told(base: Opened, patience: float | None) -> None:
    """Who gets no connection in time, by their own patience or the pool’s, is told: nothing saved, nothing read."""
    pool = base.database.pools[0]
    if patience is None:
        pool.wait_seconds = 0.02
    async with AsyncExitStack() as stack:
        for _ in range(pool.size):
            work = await stack.enter_async_context(base.store.read())
            assert await work.runs.live("thr_1") == []
        with pytest.raises(NotRead):
            async with base.store.read(patience=patience) as work:
                await work.runs.live("thr_1")
        if base.is_postgresql:  # a file has one connection more, which writes
            with pytest.raises(NotSaved):
                async with base.store.write(patience=patience):
                    pytest.fail("one connection too many")
    async with base.store.write(patience=1.0) as work:
        await work.runs.add(make.run())


async def test_who_reads_nothing_takes_no_connection(base: Opened) -> None:
    """A reading transaction begins at its first statement, and gives its connection back at its end, also in error."""
    pool = base.database.pools[0]
    with base.heard() as said:
        async with base.store.read() as work:
            assert (pool.lent, said) == (0, [])
            await work.runs.live("thr_1")
            assert pool.lent == 1
    assert pool.lent == 0

    async def fails() -> None:
        async with base.store.read() as work:
            await work.runs.live("thr_1")
            raise BotError

    with pytest.raises(BotError):
        await fails()
    assert pool.lent == 0


async def test_readers_do_not_wait_for_a_writer(store: Store) -> None:
    """A reader beside an open write sees the last commit, one snapshot throughout."""
    async with store.write() as work:
        await work.runs.add(make.run(id="run_1"))
        async with store.read() as reader:
            assert await reader.runs.live("thr_1") == []


async def test_a_database_that_cannot_be_written_is_not_saved(base: Opened) -> None:
    """A read-only database refuses the write as `NotSaved`, and reading goes on."""
    if base.is_postgresql:
        await base.tamper("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', "
            "current_database()); END $$")  # fmt: skip
    else:
        async with base.database.writing(None, lambda: None) as connection:
            await connection.run("PRAGMA query_only=ON", ())
    with pytest.raises(NotSaved):
        async with base.store.write() as work:
            await work.runs.add(make.run())
    async with base.store.read() as work:
        assert await work.runs.live("thr_1") == []


async def test_a_file_without_the_right_to_write_is_not_saved(sqlite: Opened) -> None:
    """A file that another user owns refuses the write as `NotSaved`."""
    readonly = database_for(f"sqlite+aiosqlite:///file:{sqlite.path}?mode=ro&uri=true")
    store = Store(readonly, keyring=sqlite.keyring, clock=sqlite.clock)
    try:
        with pytest.raises(NotSaved):
            async with store.write() as work:
                await work.runs.add(make.run())
    finally:
        await readonly.dispose()
