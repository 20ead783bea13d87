"""Both dispatchers: a woken thread is served, by one at a time, and no wake-up is needed for anything to be found.

The local one has its database for itself. Of the other there are two here, as in two replicas on one PostgreSQL.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from procrastinate import App
from procrastinate.exceptions import ConnectorException

from bot.dispatch.local import LocalDispatcher
from bot.dispatch.procrastinate import ProcrastinateDispatcher
from bot.dispatch.serving import Serve
from bot.domain.runs import RunState
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.lease import leased
from bot.runtime.core.transaction import TransactionFactory
from bot.store.errors import NotRead, NotSaved
from tests import builders as make
from tests.patience import PATIENCE_SECONDS
from tests.stores import Opened, opened

Dispatcher = LocalDispatcher | ProcrastinateDispatcher


@dataclass(slots=True)
class Work:
    """What is done for threads, under their leases: how often, and whether ever by two at once."""

    base: Opened
    served: Counter[str] = field(default_factory=Counter[str])
    ended: Counter[str] = field(default_factory=Counter[str])
    by: Counter[str] = field(default_factory=Counter[str])
    now: set[str] = field(default_factory=set[str])
    most: int = 0
    doubled: bool = False
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    errors: dict[str, Exception] = field(default_factory=dict[str, Exception])

    def of(self, holder: str, dispatcher: Dispatcher) -> Serve:
        """How this holder serves: it looks at nothing but whether it was woken."""
        transactions = TransactionFactory(
            store=self.base.store, clock=self.base.clock, bus=Bus(), dispatcher=dispatcher
        )

        async def serve(thread_id: str, woken: asyncio.Event) -> None:
            async with leased(transactions, thread_id, holder) as lease:
                woken.clear()
                if lease is not None:
                    self.by[holder] += 1
                    await self._work(thread_id)

        return serve

    async def _work(self, thread_id: str) -> None:
        self.doubled |= thread_id in self.now
        self.now.add(thread_id)
        self.most = max(self.most, len(self.now))
        self.served[thread_id] += 1
        try:
            if error := self.errors.pop(thread_id, None):
                raise error
            await self.gate.wait()
            async with self.base.store.write() as work:
                for run in await work.runs.live(thread_id):
                    if run.state is not RunState.PAUSED:
                        planning = await work.runs.move(run, RunState.PLANNING)
                        await work.runs.move(planning, RunState.COMPLETED)
            self.ended[thread_id] += 1
        finally:
            self.now.discard(thread_id)


@dataclass(slots=True)
class Fleet:
    """The dispatchers on one database, and what they do."""

    base: Opened
    work: Work
    members: Sequence[Dispatcher]

    async def queue(self, *threads: str) -> None:
        """Somebody asked for something in each of these threads, and wakes nobody."""
        async with self.base.store.write() as work:
            for thread in threads:
                await work.threads.ensure(make.thread(id=thread, root_ts=thread))
                await work.runs.add(make.run(thread_id=thread, state=RunState.QUEUED))

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for it."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not true():
                await asyncio.sleep(0.01)


KINDS = ["local", "procrastinate", "here or procrastinate"]
"""The third one serves itself what it is told of, as in service; the second one writes a job for each wake-up."""

FEW = 2


def members(kind: str, base: Opened, **more: float) -> list[Dispatcher]:
    """As many as may share the database."""
    if kind == "local":
        return [LocalDispatcher(base.store, grace=more.get("grace", 7.0))]
    near = FEW if kind.startswith("here") else 0
    return [*(_of_several(base, near=near, **more) for _ in range(2))]


def _of_several(base: Opened, *, near: int, grace: float = 7.0, room: float = 64) -> ProcrastinateDispatcher:
    return ProcrastinateDispatcher(base.store, clock=base.clock, url=base.url, grace=grace, room=int(room), near=near)


def joined(base: Opened, made: Sequence[Dispatcher]) -> Fleet:
    """With somebody who serves."""
    work = Work(base)
    for n, member in enumerate(made):
        member.serve_with(work.of(f"holder {n}", member))
    return Fleet(base=base, work=work, members=made)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
async def base(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Opened]:
    url = request.getfixturevalue("postgres_url") if kind != "local" else None
    async with opened(tmp_path, postgresql=url) as made:
        yield made


@pytest.fixture
def idle(kind: str, base: Opened) -> Fleet:
    """Not entered."""
    return joined(base, members(kind, base))


@pytest.fixture
async def fleet(idle: Fleet) -> AsyncGenerator[Fleet]:
    """At work."""
    async with AsyncExitStack() as stack:
        for member in idle.members:
            await stack.enter_async_context(member)
        yield idle
        idle.work.gate.set()


async def test_who_is_woken_is_served(fleet: Fleet) -> None:
    """Every thread, and again when it is woken again; at the end nobody is being served."""
    fleet.work.gate.set()
    for thread in "abc":
        fleet.members[0].wake(thread)
    await fleet.until(lambda: set(fleet.work.ended) == set("abc"))
    before = fleet.work.ended["a"]
    fleet.members[-1].wake("a")
    await fleet.until(lambda: fleet.work.ended["a"] > before)
    await fleet.until(lambda: not fleet.work.now)


async def test_doubled_wake_ups_do_not_serve_a_thread_twice_at_once(fleet: Fleet) -> None:
    """However often and wherever it is woken, one serves it at a time, and once more after the last wake-up."""
    for _ in range(20):
        for member in fleet.members:
            member.wake("a")
    await fleet.until(lambda: fleet.work.now == {"a"})
    for member in fleet.members:
        member.wake("a")
    fleet.work.gate.set()
    await fleet.until(lambda: fleet.work.ended["a"] > 0 and not fleet.work.now)
    assert not fleet.work.doubled


async def test_a_thread_that_is_busy_holds_no_other_up(fleet: Fleet) -> None:
    """While one is being served, others are, too."""
    for thread in "abcdefgh":
        fleet.members[0].wake(thread)
    await fleet.until(lambda: fleet.work.now == set("abcdefgh"))


async def test_what_nobody_woke_is_found(fleet: Fleet) -> None:
    """A lost wake-up is made up for by the next sweep."""
    fleet.work.gate.set()
    await fleet.queue("a", "b")
    await asyncio.gather(*(member.sweep() for member in fleet.members))
    await fleet.until(lambda: set(fleet.work.ended) == {"a", "b"})
    assert not fleet.work.doubled


async def test_a_start_finds_what_is_unfinished(idle: Fleet) -> None:
    """What a dead process left is served from the start."""
    await idle.queue("a")
    idle.work.gate.set()
    async with idle.members[0]:
        await idle.until(lambda: idle.work.ended["a"] > 0)


@pytest.mark.parametrize("error", [NotSaved(), NotRead(), KeyError()], ids=["not saved", "not read", "a defect"])
async def test_an_error_in_one_thread_stops_no_other(fleet: Fleet, error: Exception) -> None:
    """The thread itself is served again when it is woken again."""
    fleet.work.gate.set()
    fleet.work.errors["a"] = error
    for thread in "ab":
        fleet.members[0].wake(thread)
    await fleet.until(lambda: fleet.work.served["a"] > 0 and fleet.work.ended["b"] > 0 and not fleet.work.now)
    fleet.members[0].wake("a")
    await fleet.until(lambda: fleet.work.ended["a"] > 0)


async def test_leaving_waits_for_what_runs(idle: Fleet) -> None:
    """What is under way is given its time, and knows that the end is near."""
    (member, *_) = idle.members
    async with member:
        assert not member.closing
        member.wake("a")
        await idle.until(lambda: idle.work.now == {"a"})
        asyncio.get_running_loop().call_later(0.1, idle.work.gate.set)
    assert member.closing
    assert idle.work.ended["a"] == 1


async def test_leaving_does_not_wait_for_ever(kind: str, base: Opened) -> None:
    """After the time of grace the rest is cancelled; its lease is free at once."""
    fleet = joined(base, members(kind, base, grace=0.05)[:1])
    await fleet.queue("a")
    async with asyncio.timeout(PATIENCE_SECONDS):
        async with fleet.members[0]:
            await fleet.until(lambda: fleet.work.now == {"a"})
    assert (fleet.work.now, fleet.work.ended) == (set(), Counter())
    async with base.store.read() as work:
        assert await work.runs.unserved_threads(now=base.clock.now()) == ["a"]


# Several replicas ---------------------------------------------------------------------------------------------------

several = pytest.mark.parametrize("kind", ["procrastinate"], indirect=True)
near = pytest.mark.parametrize("kind", ["here or procrastinate"], indirect=True)


def jobs(base: Opened) -> list[str]:
    """The states of the jobs that are kept."""
    return [row["status"] for row in base.rows("SELECT status::text FROM procrastinate_jobs ORDER BY id")]


@several
async def test_jobs_that_are_done_are_not_kept(fleet: Fleet) -> None:
    """Neither those that went well nor those that failed."""
    fleet.work.gate.set()
    fleet.work.errors["a"] = KeyError()
    for thread in "abc":
        fleet.members[0].wake(thread)
    await fleet.until(lambda: set(fleet.work.ended) == {"b", "c"} and fleet.work.served["a"] > 0)
    await fleet.until(lambda: jobs(fleet.base) == [])


@several
async def test_several_share_the_work(base: Opened) -> None:
    """A replica takes no more than it has room for; what is more goes to others, or waits until there is room."""
    fleet = joined(base, members("procrastinate", base, room=2))
    async with fleet.members[0], fleet.members[1]:
        for thread in "abcdef":
            fleet.members[0].wake(thread)
        await fleet.until(lambda: len(fleet.work.now) == 4)
        await fleet.until(lambda: Counter(jobs(base)) == {"doing": 4, "todo": 2})
        assert fleet.work.by == {"holder 0": 2, "holder 1": 2}
        fleet.work.gate.set()
        await fleet.until(lambda: set(fleet.work.ended) == set("abcdef"))
    assert fleet.work.most == 4


@near
async def test_a_few_are_served_by_the_replica_that_was_told(fleet: Fleet) -> None:
    """Without a job; what is more than a few is one, which any replica fetches."""
    first = fleet.members[0]
    for thread in "ab":
        first.wake(thread)
    await fleet.until(lambda: fleet.work.now == set("ab"))
    assert (fleet.work.by, jobs(fleet.base)) == ({"holder 0": 2}, [])
    first.wake("c")
    await fleet.until(lambda: fleet.work.now == set("abc") and jobs(fleet.base) == ["doing"])
    fleet.work.gate.set()
    await fleet.until(lambda: set(fleet.work.ended) == set("abc"))


@several
async def test_what_is_followed_is_served_by_the_replica_that_was_asked(base: Opened) -> None:
    """As long as it has room; where it has none, a job is written for whoever fetches it."""
    fleet = joined(base, members("procrastinate", base, room=2))
    async with fleet.members[0], fleet.members[1]:
        for thread in "ab":
            fleet.members[0].wake(thread, here=True)
        await fleet.until(lambda: len(fleet.work.now) == 2)
        assert (fleet.work.by, jobs(base)) == ({"holder 0": 2}, [])
        fleet.members[0].wake("c", here=True)
        await fleet.until(lambda: jobs(base) == ["doing"])
        fleet.work.gate.set()
        await fleet.until(lambda: set(fleet.work.ended) == set("abc"))


@several
async def test_the_sweep_takes_no_more_than_there_is_room_for(base: Opened) -> None:
    """What it leaves is found by another, or by the next one."""
    fleet = joined(base, members("procrastinate", base, room=2)[:1])
    await fleet.queue(*"abcdef")
    async with fleet.members[0]:
        await fleet.until(lambda: len(fleet.work.now) == 2)
        await fleet.members[0].sweep()
        await asyncio.sleep(0.05)
        assert len(fleet.work.now) == 2
        fleet.work.gate.set()
        while len(fleet.work.ended) < 6:
            await fleet.members[0].sweep()
            await asyncio.sleep(0.05)
    assert fleet.work.most == 2


@several
async def test_a_wake_up_that_cannot_be_written_down_is_served_here(fleet: Fleet) -> None:
    """Without the queue every replica does what it is told of itself."""
    fleet.work.gate.set()
    await fleet.base.tamper("ALTER TABLE procrastinate_jobs RENAME TO away")
    fleet.members[1].wake("a")
    await fleet.until(lambda: fleet.work.ended["a"] > 0)
    assert fleet.work.by == {"holder 1": 1}
    await fleet.base.tamper("ALTER TABLE away RENAME TO procrastinate_jobs")
    fleet.members[0].wake("b")
    await fleet.until(lambda: fleet.work.ended["b"] > 0)


@several
async def test_the_job_of_a_dead_worker_is_fetched_again(fleet: Fleet) -> None:
    """By the next sweep of any replica."""
    fleet.work.gate.set()
    await fleet.base.tamper(
        "INSERT INTO procrastinate_jobs (queue_name, task_name, args, status) "
        """VALUES ('threads', 'serve', '{"thread_id": "a"}', 'doing')"""
    )
    await asyncio.gather(*(member.sweep() for member in fleet.members))
    await fleet.until(lambda: fleet.work.ended["a"] > 0 and jobs(fleet.base) == [])


@several
async def test_a_worker_whose_place_was_given_away_goes_on(fleet: Fleet) -> None:
    """A replica that was taken for dead, and is not, takes a new place."""
    fleet.work.gate.set()
    await fleet.base.tamper("DELETE FROM procrastinate_workers")
    for n in range(6):
        fleet.members[n % 2].wake(f"t{n}")
    await fleet.until(lambda: len(fleet.work.ended) == 6)
    await fleet.until(lambda: len(fleet.base.rows("SELECT id FROM procrastinate_workers")) > 0)


@several
async def test_what_is_left_undone_is_passed_on(base: Opened) -> None:
    """A replica that leaves has another one go on at once, not at the next sweep."""
    fleet = joined(base, members("procrastinate", base, grace=0.05))
    leaving, staying = fleet.members
    async with staying:
        async with leaving:
            await fleet.queue("a")
            await leaving.sweep()
            await fleet.until(lambda: fleet.work.now == {"a"})
            assert fleet.work.by == {"holder 0": 1}
        fleet.work.gate.set()
        await fleet.until(lambda: fleet.work.ended["a"] > 0)
    assert fleet.work.by["holder 1"] == 1


@several
async def test_a_job_that_comes_at_the_end_is_passed_on(base: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that is told to end has just fetched one: another replica does it at once, not at the next sweep."""

    async def last_moment(worker: App, **_: object) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await worker.tasks["serve"].func("b")  # pyright: ignore[reportUnknownMemberType] - of any task

    fleet = joined(base, members("procrastinate", base))
    leaving, staying = fleet.members
    fleet.work.gate.set()
    async with staying:
        staying.wake("a")
        await fleet.until(lambda: fleet.work.ended["a"] > 0)
        monkeypatch.setattr(App, "run_worker_async", last_moment)
        async with leaving:
            await asyncio.sleep(0)  # it begins to fetch
        await fleet.until(lambda: fleet.work.ended["b"] > 0)
    assert set(fleet.work.by) == {"holder 1"}


@several
async def test_a_wake_up_that_was_refused_the_lease_is_not_lost(fleet: Fleet) -> None:
    """A replica that gives a thread back looks once more: what came meanwhile, anywhere, is done without a sweep."""
    fleet.members[0].wake("a")
    await fleet.until(lambda: fleet.work.now == {"a"})
    (holder,) = fleet.work.by
    other = fleet.members[1 - int(holder[-1])]
    fleet.work.gate.set()  # the work that is under way has its last look behind it
    await fleet.queue("a")
    other.wake("a")
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await _is_unfinished(fleet.base, "a"):
            await asyncio.sleep(0.01)


async def _is_unfinished(base: Opened, thread: str) -> bool:
    async with base.store.read() as work:
        return thread in await work.runs.unfinished_threads()


@pytest.mark.parametrize("kind", ["procrastinate"], indirect=True)
async def test_who_waits_for_notifications_is_woken_by_nothing_else(fleet: Fleet) -> None:
    """Left to itself, psycopg looks up ten times a second, on each replica that has nothing to do."""
    loop: Any = asyncio.get_running_loop()

    def waits() -> list[float]:
        timers = [timer for timer in loop._scheduled if "wait_async" in repr(timer) and not timer.cancelled()]
        return [timer.when() - loop.time() for timer in timers]

    await fleet.until(lambda: len(waits()) == len(fleet.members) == 2)
    assert min(waits()) > 60


@pytest.mark.parametrize("kind", ["procrastinate"], indirect=True)
async def test_a_worker_that_fails_when_it_is_told_to_end_holds_nobody_up(
    idle: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It loses its connection just then, and forgets what it was told; the process leaves all the same."""

    async def forgetful(*_: object, **__: object) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise ConnectorException from None

    monkeypatch.setattr(App, "run_worker_async", forgetful)
    async with asyncio.timeout(PATIENCE_SECONDS):
        async with idle.members[0]:
            await asyncio.sleep(0)  # it begins to fetch
        assert all(task.done() for task in idle.members[0].tasks)
