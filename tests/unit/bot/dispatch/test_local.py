"""The local dispatcher, as far as it differs from the contract of all: wake-ups to the turn, and quick ends."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.dispatch.local import LocalDispatcher
from bot.dispatch.serving import GRACE_SECONDS
from bot.domain.runs import RunState
from bot.errors import BotError
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.lease import leased
from bot.runtime.core.transaction import TransactionFactory
from bot.store.engine.sqlite_driver import SqliteConnection
from bot.store.errors import NotSaved
from tests import builders as make
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened, opened


@dataclass(slots=True)
class Work:
    """Serves threads, and notes which, and whether one was served by two at once."""

    served: list[str] = field(default_factory=list[str])
    ended: list[str] = field(default_factory=list[str])
    now: set[str] = field(default_factory=set[str])
    doubled: bool = False
    gate: asyncio.Event | None = None

    async def serve(self, thread_id: str, woken: asyncio.Event) -> None:
        woken.clear()
        self.doubled |= thread_id in self.now
        self.now.add(thread_id)
        self.served.append(thread_id)
        try:
            if self.gate:
                await self.gate.wait()
            await asyncio.sleep(0)
            self.ended.append(thread_id)
        finally:
            self.now.discard(thread_id)


@pytest.fixture
async def base(tmp_path: Path) -> AsyncGenerator[Opened]:
    async with opened(tmp_path) as made:
        yield made


@pytest.fixture
def work() -> Work:
    return Work()


@pytest.fixture
def dispatcher(base: Opened, work: Work) -> LocalDispatcher:
    made = LocalDispatcher(base.store)
    made.serve_with(work.serve)
    return made


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_woken_thread_is_served(dispatcher: LocalDispatcher, work: Work) -> None:
    """Once it is open; before that and after it a wake-up is nothing."""
    dispatcher.wake("early")
    async with dispatcher:
        dispatcher.wake("a")
        dispatcher.wake("b")
        await settled()
        dispatcher.wake("a")
        await settled()
    dispatcher.wake("late")
    await settled()
    assert work.served == ["a", "b", "a"]


async def test_a_thread_is_served_by_one_at_a_time(dispatcher: LocalDispatcher, work: Work) -> None:
    """A wake-up during the work means one more turn afterwards, however many there were; other threads go on."""
    work.gate = asyncio.Event()
    async with dispatcher:
        for _ in range(5):
            dispatcher.wake("a")
        await settled()
        for _ in range(5):
            dispatcher.wake("a")
        dispatcher.wake("b")
        await settled()
        assert work.served == ["a", "b"]
        work.gate.set()
        await settled()
    assert work.served == ["a", "b", "a"]
    assert not work.doubled


@dataclass(slots=True)
class Leases:
    """Serves threads under their leases, and notes what is known of each with the lease, and whenever it is woken."""

    base: Opened
    dispatcher: LocalDispatcher
    known: list[list[str]] = field(default_factory=list[list[str]])
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def transactions(self) -> TransactionFactory:
        return TransactionFactory(store=self.base.store, clock=self.base.clock, bus=Bus(), dispatcher=self.dispatcher)

    async def serve(self, thread_id: str, woken: asyncio.Event) -> None:
        async with leased(self.transactions, thread_id, "holder") as lease:
            assert lease is not None
            self.known.append(list(lease.working_set.runs))
            while not self.gate.is_set():
                if woken.is_set():
                    woken.clear()
                    await lease.working_set.look(self.base.store)
                    self.known.append(list(lease.working_set.runs))
                await asyncio.sleep(0)

    async def ask(self, name: str, thread: str = "a", *, fails: bool = False) -> None:
        """Somebody does something for which a person waits."""
        async with self.transactions.write() as tx:
            await tx.work.threads.ensure(make.thread(id=thread, root_ts=thread))
            await tx.work.runs.add(make.run(id=name, thread_id=thread, state=RunState.QUEUED))
            tx.serve_soon(thread)
            tx.wake(thread)
            if fails:
                raise BotError("it breaks")


@pytest.fixture
def leases(base: Opened, dispatcher: LocalDispatcher) -> Leases:
    made = Leases(base, dispatcher)
    dispatcher.serve_with(made.serve)
    return made


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    made, commit = list[None](), SqliteConnection.commit

    async def counted(connection: SqliteConnection) -> None:
        made.append(None)
        await commit(connection)

    monkeypatch.setattr(SqliteConnection, "commit", counted)
    return made


async def test_what_a_person_waits_for_is_served_by_its_own_commit(leases: Leases, commits: list[None]) -> None:
    """The lease is taken in it, knows what was written, and no wake-up follows. Where it is served already, it is
    woken as ever.
    """
    async with leases.dispatcher:
        await leases.ask("run_1")
        await settled()
        assert (leases.known, len(commits)) == ([["run_1"]], 1)
        await leases.ask("run_2")
        await settled()
        assert [sorted(known) for known in leases.known] == [["run_1"], ["run_1", "run_2"]]
        leases.gate.set()


async def test_what_was_not_saved_is_not_served(leases: Leases, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a transaction that fails nothing is begun; where its commit fails, the lease was not taken either."""

    async def full(_: SqliteConnection) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    async with leases.dispatcher:
        with pytest.raises(BotError):
            await leases.ask("run_1", fails=True)
        with monkeypatch.context() as now:
            now.setattr(SqliteConnection, "commit", full)
            with pytest.raises(NotSaved):
                await leases.ask("run_2")
            await settled()
        assert leases.known == []
        leases.gate.set()
        await leases.ask("run_3")
        await settled()
        assert leases.known == [["run_3"]]
    await leases.ask("run_4")  # at its end nothing more is begun
    assert leases.known == [["run_3"]]


async def test_a_closed_one_expects_nothing(dispatcher: LocalDispatcher) -> None:
    """What is committed at the end of the process is for the next one."""
    assert not dispatcher.expect("a")
    async with dispatcher:
        assert dispatcher.expect("a")
    assert not dispatcher.expect("b")
    assert not dispatcher.is_expected("b")


async def test_a_turn_that_breaks_costs_no_wake_up(dispatcher: LocalDispatcher, work: Work) -> None:
    """A defect in the middle of a turn is logged; whoever woke the thread meanwhile has it served."""
    work.gate = asyncio.Event()

    async def serve(thread_id: str, woken: asyncio.Event) -> None:
        is_first = not work.served
        await work.serve(thread_id, woken)
        if is_first:
            raise RuntimeError("a defect")

    dispatcher.serve_with(serve)
    async with dispatcher:
        dispatcher.wake("a")
        await settled()
        dispatcher.wake("a")
        work.gate.set()
        await settled()
        assert work.served == ["a", "a"]


async def test_leaving_waits_for_what_runs(dispatcher: LocalDispatcher, work: Work) -> None:
    """What is under way is given its time, begins nothing more meanwhile, and knows that the end is near."""
    work.gate = asyncio.Event()
    async with dispatcher:
        assert not dispatcher.closing
        dispatcher.wake("a")
        await settled()
        dispatcher.wake("a")
        asyncio.get_running_loop().call_later(0.03, work.gate.set)
    assert dispatcher.closing
    assert (work.served, work.ended) == (["a"], ["a"])


async def test_leaving_twice_is_leaving_now(dispatcher: LocalDispatcher, work: Work) -> None:
    """The waiting can be interrupted; what runs is cancelled all the same."""
    work.gate = asyncio.Event()

    async def stay() -> None:
        async with dispatcher:
            dispatcher.wake("a")
            await settled()

    leaving = asyncio.create_task(stay())
    async with asyncio.timeout(PATIENCE_SECONDS):
        while work.now != {"a"} or not dispatcher.closing:
            await asyncio.sleep(0.01)
    leaving.cancel()
    await asyncio.wait([leaving], timeout=30)
    assert leaving.cancelled()
    assert work.now == set()


async def test_leaving_with_nothing_to_do_is_quick(dispatcher: LocalDispatcher) -> None:
    """An idle process ends at once: nobody waits for the time that work would be given."""
    async with asyncio.timeout(GRACE_SECONDS / 2):
        async with dispatcher:
            dispatcher.wake("a")
            await settled()
