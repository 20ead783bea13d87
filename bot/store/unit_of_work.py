"""The store: units of work over one engine, and errors that say that nothing was saved."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.runtime.core import repositories
from bot.runtime.core.ports import Keyring, NotRead, NotSaved
from bot.store.actions import Actions
from bot.store.audit import Audit
from bot.store.connections import Connections
from bot.store.connects import Connects
from bot.store.endings import finished
from bot.store.engine import BUSY_MS, WRITES, is_postgresql
from bot.store.figures import Figures
from bot.store.inbox import Inbox
from bot.store.leases import Leases
from bot.store.marks import Marks
from bot.store.memories import Memories
from bot.store.messages import Messages
from bot.store.objects import Objects
from bot.store.outbox import Outbox
from bot.store.posts import Posts
from bot.store.questions import Questions
from bot.store.rates import Rates
from bot.store.records import Records
from bot.store.retention import Retention
from bot.store.revocations import Revocations
from bot.store.rules import Rules
from bot.store.runs import Runs
from bot.store.schedules import Schedules
from bot.store.seals import Seals
from bot.store.session import Session
from bot.store.spending import Spending
from bot.store.steps import Steps
from bot.store.threads import Threads
from bot.store.troubles import Troubles
from bot.store.turns import NoTurn, Turns
from bot.store.users import Users
from integrations.ports import Clock

_SOONER_MS = 50
"""A driver that is cut off while it waits for a lock may close its connection."""


class UnitOfWork:
    """One transaction and its repositories. Implements `ports.UnitOfWork`."""

    def __init__(self, session: Session, *, keyring: Keyring, clock: Clock, server_time: bool) -> None:
        self.threads: repositories.Threads = Threads(session)
        self.messages: repositories.Messages = Messages(session)
        self.inbox: repositories.Inbox = Inbox(session)
        self.runs: repositories.Runs = Runs(session)
        self.steps: repositories.Steps = Steps(session)
        self.actions: repositories.Actions = Actions(session)
        self.questions: repositories.Questions = Questions(session)
        self.objects: repositories.Objects = Objects(session)
        self.users: repositories.Users = Users(session)
        self.rules: repositories.Rules = Rules(session)
        self.memories: repositories.StoredMemories = Memories(session)
        self.connections: repositories.Connections = Connections(session)
        self.connects: repositories.Connects = Connects(session)
        self.revocations: repositories.Revocations = Revocations(session)
        self.outbox: repositories.Outbox = Outbox(session)
        self.posts: repositories.Posts = Posts(session)
        self.schedules: repositories.Schedules = Schedules(session)
        self.retention: repositories.Retention = Retention(session)
        self.audit: repositories.Audit = Audit(session, keyring=keyring, clock=clock)
        self.leases: repositories.Leases = Leases(session, server_time=server_time)
        self.marks: repositories.Marks = Marks(session)
        self.seals: repositories.Seals = Seals(session)
        self.troubles: repositories.Troubles = Troubles(session)
        self.figures: repositories.Figures = Figures(session)
        self.records: repositories.Records = Records(session)
        self.spending: repositories.Spending = Spending(session)
        self.rates: repositories.Rates = Rates(session)
        self._calls: list[Callable[[], None]] = []

    def after_commit(self, call: Callable[[], None]) -> None:
        """Call this once the transaction is durable."""
        self._calls.append(call)

    def committed(self) -> None:
        """Publish and wake, now that it is durable."""
        for call in self._calls:
            call()


class SqlStore:
    """Implements `ports.Store` over SQLAlchemy.

    SQLite has one writer, so writers of this process take turns: they would wait for the file's lock otherwise, which
    knows no order. PostgreSQL's writers wait for rows. With `server_time` leases end by the database's clock.
    """

    def __init__(self, engine: AsyncEngine, *, keyring: Keyring, clock: Clock, server_time: bool = False) -> None:
        self._server_time = server_time
        self._engine = engine
        self._keyring = keyring
        self._clock = clock
        self._shared = is_postgresql(engine)
        self._reads = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True} if self._shared else {}
        self._turns = Turns()
        self._late: set[asyncio.Task[None]] = set()
        self._listeners: list[Callable[[UnitOfWork], None]] = []

    def on_commit(self, call: Callable[[UnitOfWork], None]) -> None:
        """Call this after every commit, with what was committed."""
        self._listeners.append(call)

    @asynccontextmanager
    async def write(self, *, patience: float | None = None) -> AsyncGenerator[UnitOfWork]:
        """One writing transaction; see the port. A commit that began is awaited, and told, before a cancellation, and
        however long it takes.
        """
        end = _end(patience)
        try:
            async with self._turn(end), self._transaction(end, writes=True) as transaction:
                work = self._work(transaction.session)
                transaction.on_commit = lambda: self._committed(work)
                async with _within(end):
                    yield work
        except DBAPIError as error:
            raise NotSaved(f"The database refused the write ({error.orig}); nothing was saved.") from error
        except _TooBusy as error:
            raise NotSaved("The database was busy for too long; nothing was saved.") from error

    def _work(self, session: Session) -> UnitOfWork:
        return UnitOfWork(session, keyring=self._keyring, clock=self._clock, server_time=self._server_time)

    def _committed(self, work: UnitOfWork) -> None:
        work.committed()
        for call in self._listeners:
            call(work)

    @asynccontextmanager
    async def read(self, *, patience: float | None = None) -> AsyncGenerator[UnitOfWork]:
        """One reading transaction; see the port."""
        end = _end(patience)
        try:
            async with self._transaction(end, writes=False) as transaction, _within(end):
                yield self._work(transaction.session)
        except DBAPIError as error:
            raise NotRead(f"The database could not be read ({error.orig}).") from error
        except _TooBusy as error:
            raise NotRead("The database was busy for too long.") from error

    @asynccontextmanager
    async def _turn(self, end: float | None) -> AsyncGenerator[None]:
        """This process's turn to write, where there are turns."""
        if self._shared:
            yield
            return
        try:
            async with self._turns.turn(end):
                yield
        except NoTurn:
            raise _TooBusy from None

    @asynccontextmanager
    async def _transaction(self, end: float | None, *, writes: bool) -> AsyncGenerator[_Transaction]:
        """A transaction on a connection of the pool; whatever happens, the connection goes back as it came."""
        opened: list[AsyncConnection] = []
        try:
            await finished(self._begin(opened, end, writes=writes))
            transaction = _Transaction(opened[0])
            yield transaction
            await finished(transaction.commit())
        finally:
            for connection in opened:
                if not connection.closed:
                    await finished(connection.close())

    async def _begin(self, opened: list[AsyncConnection], end: float | None, *, writes: bool) -> None:
        """Connect until then, and begin."""
        try:
            async with asyncio.timeout_at(end):
                opened.append(await self._connected())
        except (TimeoutError, PoolTimeout) as error:
            raise _TooBusy from error
        options = {WRITES: _busy_ms(end)} if writes else self._reads
        connection = await opened[0].execution_options(**options) if options else opened[0]
        await connection.begin()

    async def _connected(self) -> AsyncConnection:
        """A connection of the pool. Whoever gives up goes at once, and it is given back when it is there: cut off while
        it is opened, it would be left half open, with its thread.
        """
        opening = asyncio.ensure_future(self._engine.connect())
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            late = asyncio.create_task(_given_back(opening), name="late connection")
            self._late.add(late)
            late.add_done_callback(self._late.discard)
            raise


async def _given_back(opening: Awaitable[AsyncConnection]) -> None:
    with suppress(SQLAlchemyError):  # then there is none
        await (await opening).close()


class _Transaction:
    """A session, and what is to be called once it is durable."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self.session = Session(connection)
        self.on_commit: Callable[[], None] = _nothing

    async def commit(self) -> None:
        """Make it durable, say so, and give the connection back. Who knows where a commit that failed left the
        connection: it is closed, so that its transaction, and the lock on the file, do not go back to the pool with it.
        """
        try:
            await self._connection.commit()
        except DBAPIError:
            await self._connection.invalidate()
            raise
        self.on_commit()
        await self._connection.close()


def _nothing() -> None:
    """A reader has nothing to tell."""


class _TooBusy(Exception):
    """Other writers, or every connection of the pool, were in use for too long."""


def _end(patience: float | None) -> float | None:
    return None if patience is None else asyncio.get_running_loop().time() + patience


@asynccontextmanager
async def _within(end: float | None) -> AsyncGenerator[None]:
    """Until then, however many locks are waited for: the database bounds each of them by itself. Raises `_TooBusy`."""
    limit: asyncio.Timeout | None = None
    try:
        async with asyncio.timeout_at(end) as limit:
            yield
    except TimeoutError as error:
        if limit is None or not limit.expired():
            raise
        raise _TooBusy from error


def _busy_ms(end: float | None) -> int:
    """The milliseconds that are left for a lock: the database refuses it in time, which leaves the connection well."""
    return BUSY_MS if end is None else max(1, int((end - asyncio.get_running_loop().time()) * 1000) - _SOONER_MS)
