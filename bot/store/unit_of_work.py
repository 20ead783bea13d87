"""The store: units of work over one engine, one process-wide write lock, and errors that say that nothing was saved."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.runtime.ports import Keyring, NotSaved
from bot.store.actions import Actions
from bot.store.audit import Audit
from bot.store.connections import Connections
from bot.store.engine import WRITES
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
        self.threads = Threads(connection)
        self.messages = Messages(connection)
        self.inbox = Inbox(connection)
        self.runs = Runs(connection)
        self.steps = Steps(connection)
        self.actions = Actions(connection)
        self.questions = Questions(connection)
        self.objects = Objects(connection)
        self.users = Users(connection)
        self.rules = Rules(connection)
        self.memories = Memories(connection)
        self.connections = Connections(connection)
        self.outbox = Outbox(connection)
        self.posts = Posts(connection)
        self.audit = Audit(connection, keyring=keyring, clock=clock)
        self.leases = Leases(connection)
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

    @asynccontextmanager
    async def write(self, *, patience: float | None = None) -> AsyncGenerator[UnitOfWork]:
        """One writing transaction; see the port."""
        await self._acquire(patience)
        try:
            async with self._engine.connect() as plain:
                connection = await plain.execution_options(**{WRITES: True})
                async with connection.begin():
                    work = UnitOfWork(connection, keyring=self._keyring, clock=self._clock)
                    yield work
        except DBAPIError as error:
            raise NotSaved("The database refused the write; nothing was saved.") from error
        finally:
            self._write_lock.release()
        work.committed()

    async def _acquire(self, patience: float | None) -> None:
        try:
            async with asyncio.timeout(patience):
                await self._write_lock.acquire()
        except TimeoutError:
            raise NotSaved("The database was busy for too long; nothing was saved.") from None

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[UnitOfWork]:
        """One reading transaction; see the port."""
        async with self._engine.connect() as connection, connection.begin():
            yield UnitOfWork(connection, keyring=self._keyring, clock=self._clock)
