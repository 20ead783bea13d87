"""A unit of work that is cancelled at each of its awaits, one after the other: as the wait begins, and as it ends."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager
from itertools import count
from typing import Any

import pytest

from bot.store.store import Store
from tests import builders as make
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened


class Cancelled:
    """Runs work in a task of its own, which is cancelled once: at the wait of this number. `came` says whether it had
    so many.
    """

    def __init__(self, work: Coroutine[Any, Any, None], *, wait: int, as_it_ends: bool) -> None:
        self.came = False
        self._work = work
        self._wait = wait
        self._as_it_ends = as_it_ends
        self.task = asyncio.create_task(self._to_end())

    async def _to_end(self) -> None:
        await self

    def __await__(self) -> Generator[Any, Any, None]:
        """Hands each wait of the work to its task, as `await` does."""
        error: BaseException | None = None
        for number in count():
            try:
                waits_for = self._work.send(None) if error is None else self._work.throw(error)
            except StopIteration:
                return
            if number == self._wait:
                self._cancel(waits_for)
            try:
                error = yield waits_for
            except BaseException as raised:
                error = raised

    def _cancel(self, waits_for: asyncio.Future[Any] | None) -> None:
        self.came = True
        if self._as_it_ends and waits_for is not None:
            waits_for.add_done_callback(lambda _: self.task.cancel())  # called before the task is resumed
        else:
            self.task.cancel()


async def two_rows(store: Store, name: str, told: list[str], *, long: bool = False) -> None:
    async with store.write(long=long) as work:
        work.after_commit(lambda: told.append(name))
        await work.threads.ensure(make.thread())
        await work.runs.add(make.run(id=f"{name}_1"))
        await asyncio.sleep(0)
        await work.runs.add(make.run(id=f"{name}_2"))


@contextmanager
def locked(base: Opened) -> Generator[None]:
    """Another process writes."""
    with closing(sqlite3.connect(base.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("COMMIT")


@asynccontextmanager
async def undisturbed(_: Opened) -> AsyncGenerator[None]:
    yield


@asynccontextmanager
async def behind_another_process(base: Opened) -> AsyncGenerator[None]:
    with locked(base):
        yield
        await asyncio.sleep(0.002)  # it has looked, and looks again


@asynccontextmanager
async def in_a_group(base: Opened) -> AsyncGenerator[None]:
    """What becomes ready in the block shares the commit of the unit that is under way, and of those beside it."""
    async with base.store.write():
        yield
        await asyncio.sleep(0)


@pytest.mark.parametrize("as_it_ends", [False, True], ids=["as the wait begins", "as it ends"])
@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
@pytest.mark.parametrize("where", [undisturbed, behind_another_process, in_a_group])
async def test_a_unit_that_is_cancelled_at_any_await_is_whole_or_absent(
    sqlite: Opened, where: Callable[[Opened], AbstractAsyncContextManager[None]], long: bool, as_it_ends: bool
) -> None:
    """Of its two rows both are saved, and told, or none is; those beside it are saved, and the next one is."""
    for wait in count():
        await sqlite.tamper("DELETE FROM runs")
        await sqlite.database.dispose()  # it opens its connection, too
        told, beside = list[str](), ("a", "c") if where is in_a_group else ()
        async with asyncio.timeout(PATIENCE_SECONDS):
            async with where(sqlite):
                tasks = [asyncio.ensure_future(two_rows(sqlite.store, name, told)) for name in beside[:1]]
                one = Cancelled(two_rows(sqlite.store, "b", told, long=long), wait=wait, as_it_ends=as_it_ends)
                tasks += [asyncio.ensure_future(two_rows(sqlite.store, name, told)) for name in beside[1:]]
            await asyncio.gather(one.task, return_exceptions=True)
            await asyncio.gather(*tasks, two_rows(sqlite.store, "next", told))
        assert one.task.cancelled() is one.came
        assert {*told} - {"b"} == {*beside, "next"}
        saved = [row["id"] for row in sqlite.rows("SELECT id FROM runs ORDER BY id")]
        assert saved == sorted(f"{name}_{n}" for name in told for n in (1, 2))
        assert sqlite.lent == 0
        if not one.came:
            assert wait >= 3  # for its turn or its connection, in its middle, and for its commit
            break
