"""The store: units of work over one engine, one process-wide write lock, and errors that say that nothing was saved."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.runtime import ports
from bot.runtime.ports import Keyring, NotRead, NotSaved
from bot.store.actions import Actions
from bot.store.audit import Audit
from bot.store.connections import Connections
from bot.store.engine import BUSY_MS, WRITES
from bot.store.inbox import Inbox
from bot.store.leases import Leases
from bot.store.memories import Memories
from bot.store.messages import Messages
from bot.store.objects import Objects
from bot.store.outbox import Outbox
from bot.store.posts import Posts
from bot.store.questions import Questions
from bot.store.rules import Rules
from bot.store.runs import Runs
from bot.store.steps import Steps
from bot.store.threads import Threads
from bot.store.users import Users
from integrations.base import Clock


class UnitOfWork:
    """One transaction and its repositories. Implements `ports.UnitOfWork`."""

    def __init__(self, connection: AsyncConnection, *, keyring: Keyring, clock: Clock) -> None:
        self.threads: ports.Threads = Threads(connection)
        self.messages: ports.Messages = Messages(connection)
        self.inbox: ports.Inbox = Inbox(connection)
        self.runs: ports.Runs = Runs(connection)
        self.steps: ports.Steps = Steps(connection)
        self.actions: ports.Actions = Actions(connection)
        self.questions: ports.Questions = Questions(connection)
        self.objects: ports.Objects = Objects(connection)
        self.users: ports.Users = Users(connection)
        self.rules: ports.Rules = Rules(connection)
        self.memories: ports.StoredMemories = Memories(connection)
        self.connections: ports.Connections = Connections(connection)
        self.outbox: ports.Outbox = Outbox(connection)
        self.posts: ports.Posts = Posts(connection)
        self.audit: ports.Audit = Audit(connection, keyring=keyring, clock=clock)
        self.leases: ports.Leases = Leases(connection)
        self._calls: list[Callable[[], None]] = []

    def after_commit(self, call: Callable[[], None]) -> None:
        """Call this once the transaction is durable."""
        self._calls.append(call)

    def committed(self) -> None:
        """Publish and wake, now that it is durable."""
        for call in self._calls:
            call()


class SqlStore:
    """Implements `ports.Store` over SQLAlchemy. Writers of this process queue for one lock (SQLite has one anyway)."""

    def __init__(self, engine: AsyncEngine, *, keyring: Keyring, clock: Clock) -> None:
        self._engine = engine
        self._keyring = keyring
        self._clock = clock
        self._write_lock = asyncio.Lock()
        self._listeners: list[Callable[[], None]] = []

    def on_commit(self, call: Callable[[], None]) -> None:
        """Call this after every commit."""
        self._listeners.append(call)

    @asynccontextmanager
    async def write(self, *, patience: float | None = None) -> AsyncGenerator[UnitOfWork]:
        """One writing transaction; see the port."""
        end = _end(patience)
        await self._acquire(end)
        try:
            async with self._connected(end) as plain:
                connection = await plain.execution_options(**{WRITES: _busy_ms(end)})
                async with connection.begin():
                    work = UnitOfWork(connection, keyring=self._keyring, clock=self._clock)
                    yield work
        except DBAPIError as error:
            raise NotSaved(f"The database refused the write ({error.orig}); nothing was saved.") from error
        except _NoConnection as error:
            raise NotSaved("The database was busy for too long; nothing was saved.") from error
        finally:
            self._write_lock.release()
        work.committed()
        for call in self._listeners:
            call()

    async def _acquire(self, end: float | None) -> None:
        try:
            async with asyncio.timeout_at(end):
                await self._write_lock.acquire()
        except TimeoutError:
            raise NotSaved("The database was busy for too long; nothing was saved.") from None

    @asynccontextmanager
    async def read(self, *, patience: float | None = None) -> AsyncGenerator[UnitOfWork]:
        """One reading transaction; see the port."""
        try:
            async with self._connected(_end(patience)) as connection, connection.begin():
                yield UnitOfWork(connection, keyring=self._keyring, clock=self._clock)
        except DBAPIError as error:
            raise NotRead(f"The database could not be read ({error.orig}).") from error
        except _NoConnection as error:
            raise NotRead("The database was busy for too long.") from error

    @asynccontextmanager
    async def _connected(self, end: float | None) -> AsyncGenerator[AsyncConnection]:
        """A connection of the pool, waited for until then; raises `_NoConnection`."""
        async with AsyncExitStack() as stack:
            try:
                async with asyncio.timeout_at(end):
                    connection = await stack.enter_async_context(self._engine.connect())
            except (TimeoutError, PoolTimeout) as error:
                raise _NoConnection from error
            yield connection


class _NoConnection(Exception):
    """Every connection of the pool was in use for too long."""


def _end(patience: float | None) -> float | None:
    return None if patience is None else asyncio.get_running_loop().time() + patience


def _busy_ms(end: float | None) -> int:
    """The milliseconds that are left for the lock of the file."""
    return BUSY_MS if end is None else max(1, int((end - asyncio.get_running_loop().time()) * 1000))
