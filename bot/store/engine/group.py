"""SQLite's one writer: units of work that are ready together share one commit, and so one fsync.

Units run one after the other. While a commit is under way the next ones queue; they form the next group. Each but the
first of a group has a savepoint, so one that fails is undone alone. Nobody is told before the commit is durable.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from bot.store.engine.connection import Told, TooBusy
from bot.store.engine.memory import WriterMemory
from bot.store.engine.pool import Pool
from bot.store.engine.shield import wait_to_end
from bot.store.engine.sqlite_driver import SqliteConnection
from bot.store.engine.write_queue import QueueTimeout, WriteQueue

MOST = 32
"""Units in one commit: the first of them waits for the last."""


@dataclass(slots=True, kw_only=True)
class _Unit:
    """A unit of work of a group. `told` is called once it is durable; `error` is what it ends with then."""

    told: Told
    error: Exception | None = None

    def tell(self) -> None:
        """A defect of what is told is none of the others'."""
        try:
            self.told()
        except Exception as error:  # it is raised where the unit of work ends
            self.error = error


@dataclass(slots=True)
class _Group:
    """Units that share a transaction, in their order."""

    connection: SqliteConnection
    units: list[_Unit] = field(default_factory=list[_Unit])
    durable: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    @property
    def is_open(self) -> bool:
        """Whether one more can become part of it."""
        return bool(self.units) and self.connection.in_transaction and len(self.units) < MOST


class GroupedWriter:
    """Begins and commits the writing transactions of one SQLite file."""

    def __init__(self, pool: Pool[SqliteConnection], memory: WriterMemory) -> None:
        self._pool = pool
        self._memory = memory
        self._queue = WriteQueue(self._close_group)
        self._group: _Group | None = None
        self._commits: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def unit(self, end: float | None, told: Told, *, long: bool) -> AsyncGenerator[SqliteConnection]:
        """One unit of work; `told` is called once it is durable. Raises `TooBusy` where it cannot begin by `end` of the
        loop's clock, and `sqlite3.Error` where it was not saved. A commit that began is awaited before a cancellation.

        One that raises may do so because of what it saw of its group: it ends when that is durable, too.
        """
        group = await self._joined(end)
        try:
            unit = _Unit(told=told)
            try:
                with _alone(group), group.connection.slowly(long):
                    yield group.connection
            except Exception as error:
                if not group.units or isinstance(error, TooBusy):
                    raise
                unit = _Unit(told=_nobody, error=error)
            group.units.append(unit)
        finally:
            self._leave(group)
        await wait_to_end(group.durable)
        if unit.error is not None:
            raise unit.error

    async def settled(self) -> None:
        """Wait for the commits that are under way."""
        await asyncio.gather(*self._commits)

    async def _joined(self, end: float | None) -> _Group:
        """A turn in the group that is open, or in a new one; `_leave` must follow."""
        try:
            await self._queue.come(end)
        except QueueTimeout:
            raise TooBusy from None
        try:
            group = self._group = self._group or await self._begun(end)
        except BaseException:
            self._queue.pass_on()
            raise
        return group

    def _leave(self, group: _Group) -> None:
        if group.is_open:
            self._queue.pass_on()
        else:
            self._close_group()

    def _close_group(self) -> bool:
        """Have the group committed, if there is one: it is full, or nobody is ready to become part of it."""
        if self._group is None:
            return False
        commit = asyncio.create_task(self._end(self._group), name="commit")
        self._commits.add(commit)
        commit.add_done_callback(self._commits.discard)
        return True

    async def _begun(self, end: float | None) -> _Group:
        connection = await self._pool.lend(end)
        try:
            await connection.begin(end)
            self._memory.begins(connection.version())
        except BaseException:
            await self._pool.take_back(connection)
            raise
        return _Group(connection)

    async def _end(self, group: _Group) -> None:
        """Commit what succeeded, tell of it, and let the next group begin."""
        try:
            try:
                await _commit(group)
            finally:
                await self._pool.take_back(group.connection)
        except Exception as error:  # whatever it was, its units must not wait for ever
            self._memory.clear()
            group.durable.add_done_callback(_retrieved)
            group.durable.set_exception(error)
        else:
            for unit in group.units:
                unit.tell()
            group.durable.set_result(None)
        finally:
            self._group = None
            self._queue.pass_on()


def _nobody() -> None:
    """Nobody is told of what failed."""


def _retrieved(durable: asyncio.Future[None]) -> None:
    """A unit that was cancelled does not ask for the error."""
    durable.exception()


async def _commit(group: _Group) -> None:
    if not group.units:
        group.connection.rollback()
    elif group.connection.in_transaction:
        await group.connection.commit()
    else:
        raise sqlite3.OperationalError("the transaction was rolled back")


@contextmanager
def _alone(group: _Group) -> Generator[None]:
    """A part of the transaction that is undone by itself; the first unit is all of it."""
    if not group.units:
        yield
        return
    group.connection.savepoint()
    try:
        yield
    except BaseException:
        group.connection.undo()
        raise
    group.connection.release()
