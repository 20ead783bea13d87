"""SQLite's one writer: units of work that share a commit are saved together, and fail alone."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.errors import BotError
from bot.store.engine.group import MOST
from bot.store.engine.sqlite_driver import SqliteConnection
from bot.store.errors import NotRead, NotSaved
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from tests import builders as make
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened


@dataclass(slots=True, kw_only=True)
class Commits:
    """The commits of a store, each of which waits until `go` is set; `told` is who heard that they are durable."""

    begun: int = 0
    go: asyncio.Event = field(default_factory=asyncio.Event)
    told: list[str] = field(default_factory=list[str])


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> Generator[Commits]:
    made, commit = Commits(), SqliteConnection.commit

    async def slowly(connection: SqliteConnection) -> None:
        made.begun += 1
        await made.go.wait()
        await commit(connection)

    monkeypatch.setattr(SqliteConnection, "commit", slowly)
    yield made
    made.go.set()


def ids(base: Opened) -> list[str]:
    """The runs that are saved."""
    return [row["id"] for row in base.rows("SELECT id FROM runs ORDER BY id")]


@asynccontextmanager
async def adding(store: Store, name: str, commits: Commits) -> AsyncGenerator[UnitOfWork]:
    """A unit of work that adds a run, and has it told that it is durable."""
    async with store.write() as work:
        work.after_commit(lambda: commits.told.append(name))
        await work.runs.add(make.run(id=name))
        yield work


async def add(store: Store, name: str, commits: Commits, ends: Callable[[], None] = lambda: None) -> None:
    async with adding(store, name, commits):
        ends()


def fails() -> None:
    raise BotError("it breaks")


async def together(store: Store, *works: Any) -> list[BaseException | None]:
    """These are ready while another writes, so they share a commit; what came of each."""
    tasks = list[asyncio.Future[None]]()
    with suppress(NotSaved):
        async with store.write():
            tasks += [asyncio.ensure_future(work) for work in works]
            await asyncio.sleep(0)
    return await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize("broken", range(3))
async def test_a_unit_that_fails_fails_alone(sqlite: Opened, commits: Commits, broken: int) -> None:
    """Whichever of a group raises: nothing of it is saved or told, and the others are, in one commit."""
    commits.go.set()
    names = ["run_0", "run_1", "run_2"]
    ends = [fails if n == broken else lambda: None for n in range(3)]
    came = await together(
        sqlite.store, *(add(sqlite.store, name, commits, end) for name, end in zip(names, ends, strict=True))
    )
    others = [name for n, name in enumerate(names) if n != broken]
    assert [type(error) for error in came] == [BotError if n == broken else type(None) for n in range(3)]
    assert (ids(sqlite), commits.told, commits.begun) == (others, others, 1)


async def test_nobody_is_told_before_the_shared_commit_is_durable(sqlite: Opened, commits: Commits) -> None:
    """Units of a group go on, and are told, once their commit has ended, in their order."""
    sharing = asyncio.create_task(together(sqlite.store, *(add(sqlite.store, f"run_{n}", commits) for n in range(3))))
    while not commits.begun:
        await asyncio.sleep(0.001)
    await asyncio.sleep(0.02)
    assert (commits.told, ids(sqlite), sharing.done()) == ([], [], False)
    commits.go.set()
    assert await sharing == [None] * 3
    assert (commits.told, ids(sqlite)) == (["run_0", "run_1", "run_2"],) * 2


async def test_a_failed_commit_fails_all_of_its_units(
    sqlite: Opened, commits: Commits, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the disk is full at the commit no unit of the group is saved or told, and the next one is."""

    async def full(_: SqliteConnection) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    commits.go.set()
    with monkeypatch.context() as now:
        now.setattr(SqliteConnection, "commit", full)
        came = await together(sqlite.store, *(add(sqlite.store, f"run_{n}", commits) for n in range(3)))
    assert [type(error) for error in came] == [NotSaved] * 3
    await add(sqlite.store, "run_3", commits)
    assert (commits.told, ids(sqlite)) == (["run_3"],) * 2


async def test_a_transaction_that_is_rolled_back_fails_all_of_its_units(sqlite: Opened, commits: Commits) -> None:
    """Where SQLite itself rolls back in the middle of a group, as when the disk is full, no unit of it counts as saved,
    the ones before and after included.
    """
    commits.go.set()

    async def rolled_back() -> None:
        async with adding(sqlite.store, "run_1", commits) as work:
            connection: Any = work.session._connection  # pyright: ignore[reportPrivateUsage] - the disk is full
            connection.rollback()
            raise sqlite3.OperationalError("database or disk is full")

    first, last = add(sqlite.store, "run_0", commits), add(sqlite.store, "run_2", commits)
    came = await together(sqlite.store, first, rolled_back(), last)
    assert [type(error) for error in came[:2]] == [NotSaved] * 2
    assert commits.told == ids(sqlite) == ["run_2"]


@pytest.mark.parametrize("patience", [None, 60.0])
async def test_a_group_ends_when_the_one_that_it_waits_for_gives_up(
    sqlite: Opened, commits: Commits, patience: float | None
) -> None:
    """A unit that is cancelled just as its turn comes leaves the group to be committed: nobody waits for another."""
    commits.go.set()

    async def waits() -> None:
        async with sqlite.store.write(patience=patience):
            pytest.fail("it was cancelled")

    async def first() -> None:
        async with adding(sqlite.store, "run_0", commits):
            waiting.append(asyncio.create_task(waits()))
            await asyncio.sleep(0)
            asyncio.get_running_loop().call_soon(waiting[0].cancel)

    waiting = list[asyncio.Task[None]]()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await first()
    assert waiting[0].cancelled() or await asyncio.wait(waiting)
    assert commits.told == ids(sqlite) == ["run_0"]


async def test_a_call_that_breaks_after_the_commit_breaks_its_own_unit_only(sqlite: Opened, commits: Commits) -> None:
    """What is told of a commit may have a defect: the others of the group are told, and the writers go on."""
    commits.go.set()

    async def breaks() -> None:
        async with sqlite.store.write() as work:
            work.after_commit(fails)
            await work.runs.add(make.run(id="run_1"))

    store = sqlite.store
    async with asyncio.timeout(PATIENCE_SECONDS):
        came = await together(store, add(store, "run_0", commits), breaks(), add(store, "run_2", commits))
        await add(store, "run_3", commits)
    assert [type(error) for error in came] == [type(None), BotError, type(None)]
    assert commits.told == ["run_0", "run_2", "run_3"]
    assert ids(sqlite) == ["run_0", "run_1", "run_2", "run_3"]


async def test_what_a_unit_saw_of_its_group_is_durable_when_it_raises(sqlite: Opened, commits: Commits) -> None:
    """A unit that ends with an error because of what another one of its group wrote, such as a click that came second,
    tells so only once that is durable.
    """
    seen = list[BaseException | None]()

    async def second() -> None:
        try:
            async with sqlite.store.write() as work:
                if await work.runs.live("thr_1"):
                    fails()
        except BotError as error:
            seen.append(error)

    sharing = asyncio.create_task(together(sqlite.store, add(sqlite.store, "run_0", commits), second()))
    while not commits.begun:
        await asyncio.sleep(0.001)
    await asyncio.sleep(0.02)
    assert seen == []
    commits.go.set()
    await sharing
    assert [type(error) for error in seen] == [BotError]


async def test_a_unit_that_cannot_be_undone_alone_takes_its_group_with_it(sqlite: Opened, commits: Commits) -> None:
    """Nothing of a unit that failed is ever saved, not even where the savepoint cannot be gone back to."""
    commits.go.set()

    async def cannot_be_undone() -> None:
        async with adding(sqlite.store, "run_1", commits) as work:
            connection: Any = work.session._connection  # pyright: ignore[reportPrivateUsage] - a disk that fails
            connection._raw.set_authorizer(_no_way_back)
            fails()

    first, last = add(sqlite.store, "run_0", commits), add(sqlite.store, "run_2", commits)
    came = await together(sqlite.store, first, cannot_be_undone(), last)
    assert [type(error) for error in came] == [NotSaved, NotSaved, type(None)]
    assert commits.told == ids(sqlite) == ["run_2"]


def _no_way_back(action: int, operation: str | None, *_: str | None) -> int:
    refused = action == sqlite3.SQLITE_SAVEPOINT and operation == "ROLLBACK"
    return sqlite3.SQLITE_DENY if refused else sqlite3.SQLITE_OK


async def test_the_loop_goes_on_while_another_process_writes(sqlite: Opened, commits: Commits) -> None:
    """A writer that waits for the lock of the file holds up nothing else: whoever has the lock can let it go."""
    commits.go.set()
    with closing(sqlite3.connect(sqlite.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        adding_one = asyncio.create_task(add(sqlite.store, "run_0", commits))
        await asyncio.sleep(0.1)
        async with sqlite.store.read() as work:
            assert await work.runs.live("thr_1") == []
        other.execute("COMMIT")
        await adding_one
    assert commits.told == ["run_0"]


async def test_who_closes_the_database_waits_for_its_commit(sqlite: Opened, commits: Commits) -> None:
    """What is being committed is saved and told before the connections are closed."""
    adding_one = asyncio.create_task(add(sqlite.store, "run_0", commits))
    while not commits.begun:
        await asyncio.sleep(0.001)
    closing_all = asyncio.create_task(sqlite.database.dispose())
    await asyncio.sleep(0.02)
    assert not closing_all.done()
    commits.go.set()
    await closing_all
    await adding_one
    assert commits.told == ids(sqlite) == ["run_0"]


async def test_a_group_has_an_end(sqlite: Opened, commits: Commits) -> None:
    """However many are ready, the first of them waits for so many others at most."""
    commits.go.set()
    many = [f"run_{n:02}" for n in range(2 * MOST)]
    assert set(await together(sqlite.store, *(add(sqlite.store, name, commits) for name in many))) == {None}
    assert commits.told == many
    assert commits.begun == 3  # the one that they waited for is part of the first


async def test_text_that_is_no_text_cannot_be_read(sqlite: Opened) -> None:
    """A column that somebody damaged is told as any other trouble of the database."""
    await add(sqlite.store, "run_0", Commits())
    await sqlite.tamper("UPDATE runs SET summary = CAST(x'ff' AS TEXT)")
    with pytest.raises(NotRead):
        async with sqlite.store.read() as work:
            await work.runs.find("run_0")
