"""The scheduler: ticks begin jobs, and the jobs' tasks are ours."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from structlog.testing import capture_logs

from bot.scheduler import Scheduler
from bot.store.errors import NotSaved
from tests.patience import PATIENCE_SECONDS

TICK = 0.01


@dataclass(slots=True)
class Job:
    """A job that counts its calls, and may fail."""

    error: Exception | None = None
    calls: int = 0

    async def __call__(self) -> None:
        self.calls += 1
        if self.error:
            raise self.error


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not holds():
            await asyncio.sleep(0.002)


async def test_a_job_is_called_again_and_again() -> None:
    """Between entering and leaving, and not before or after."""
    scheduler, job = Scheduler(), Job()
    scheduler.every(TICK, "count", job)
    await asyncio.sleep(5 * TICK)
    assert job.calls == 0
    async with scheduler:
        await until(lambda: job.calls >= 3)
    count = job.calls
    await asyncio.sleep(5 * TICK)
    assert job.calls == count


async def test_a_job_that_still_runs_is_not_begun_anew() -> None:
    """However long it takes, one at a time; afterwards the ticks go on."""
    gate, begun = asyncio.Event(), 0

    async def slow() -> None:
        nonlocal begun
        begun += 1
        await gate.wait()

    scheduler = Scheduler()
    scheduler.every(TICK, "slow", slow)
    async with scheduler:
        await until(lambda: begun)
        await asyncio.sleep(8 * TICK)
        assert begun == 1
        gate.set()
        await until(lambda: begun > 1)


async def test_a_slow_job_holds_no_other_up() -> None:
    """Each job has a task of its own, with its name."""
    names: set[str] = set()

    async def slow() -> None:
        names.add((asyncio.current_task() or asyncio.Task(slow())).get_name())
        await asyncio.Event().wait()

    async def quick() -> None:
        names.add((asyncio.current_task() or asyncio.Task(quick())).get_name())

    scheduler = Scheduler()
    scheduler.every(TICK, "slow", slow)
    scheduler.every(TICK, "quick", quick)
    async with scheduler:
        await until(lambda: names == {"job slow", "job quick"})


async def test_leaving_ends_what_runs() -> None:
    """A job under way is cancelled, and its end is waited for."""
    begun, ended = asyncio.Event(), False

    async def slow() -> None:
        nonlocal ended
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.02)
            ended = True

    scheduler = Scheduler()
    scheduler.every(TICK, "slow", slow)
    async with scheduler:
        await begun.wait()
    assert ended


async def test_a_job_that_fails_is_called_again() -> None:
    """Its error is logged, and the next tick tries again."""
    scheduler, broken = Scheduler(), Job(error=KeyError())
    scheduler.every(TICK, "broken", broken)
    async with scheduler:
        await until(lambda: broken.calls >= 2)


async def test_a_job_whose_store_is_away_is_called_again() -> None:
    """An outage is no defect: the log has its reason and no traceback."""
    scheduler = Scheduler()
    scheduler.every(TICK, "refused", Job(error=NotSaved("The disk is full.")))
    with capture_logs() as logs:
        async with scheduler:
            await until(lambda: len(logs) >= 2)
    expected = {"event": "job.store_in_trouble", "log_level": "error", "job": "refused", "why": "The disk is full."}
    assert logs[0] == expected


async def test_a_job_that_hangs_is_seen() -> None:
    """Each job has a pulse that beats at its ends, also when it failed: one that hangs has none any more, though the
    scheduler ticks on.
    """

    async def hangs() -> None:
        await asyncio.Event().wait()

    scheduler = Scheduler()
    for name, job in (("hangs", hangs), ("fails", Job(error=KeyError()))):
        scheduler.every(TICK, name, job, within=2 * TICK)
    async with scheduler:
        await until(lambda: scheduler.heartbeats["hangs"].age() > 10 * TICK)
        assert scheduler.heartbeats["fails"].age() < 10 * TICK
        assert scheduler.heartbeat.age() < 10 * TICK


@dataclass(slots=True)
class Look:
    """A look that finds these, and may fail."""

    found: set[str]
    error: Exception | None = None
    calls: int = 0

    async def __call__(self) -> set[str]:
        self.calls += 1
        if self.error:
            raise self.error
        return self.found


async def test_a_look_begins_what_has_something_to_do() -> None:
    """Again and again while it has, and nothing else; a name that nobody has is nobody's."""
    scheduler, due, idle, look = Scheduler(), Job(), Job(), Look({"due", "unknown"})
    scheduler.when_found("due", due)
    scheduler.when_found("idle", idle)
    scheduler.look_for_work(TICK, look)
    async with scheduler:
        await until(lambda: due.calls >= 3)
        assert idle.calls == 0
        look.found = {"idle"}
        await until(lambda: idle.calls)
        before = due.calls
        await until(lambda: idle.calls >= 3)
    assert due.calls == before


async def test_what_a_look_began_is_not_begun_anew() -> None:
    """While it runs, and within its seconds; the others do not wait for it."""
    scheduler, rare, often, begun = Scheduler(), Job(), Job(), 0

    async def slow() -> None:
        nonlocal begun
        begun += 1
        await asyncio.Event().wait()

    scheduler.when_found("slow", slow)
    scheduler.when_found("rare", rare, seconds=60.0)
    scheduler.when_found("often", often)
    scheduler.look_for_work(TICK, Look({"slow", "rare", "often"}))
    async with scheduler:
        await until(lambda: often.calls >= 4)
    assert (begun, rare.calls) == (1, 1)


async def test_a_job_that_nothing_is_found_for_is_well() -> None:
    """Also when the look fails, which begins nothing; one that hangs is seen as ever."""
    scheduler, look = Scheduler(), Look({"hangs"})

    async def hangs() -> None:
        await asyncio.Event().wait()

    scheduler.when_found("hangs", hangs, within=2 * TICK)
    scheduler.when_found("idle", Job(), within=2 * TICK)
    scheduler.look_for_work(TICK, look)
    async with scheduler:
        await until(lambda: scheduler.heartbeats["hangs"].age() > 10 * TICK)
        look.error = NotSaved("The disk is full.")
        before = look.calls
        await until(lambda: look.calls >= before + 10)
        await until(lambda: scheduler.heartbeats["idle"].age() == 0)
        assert scheduler.heartbeats["hangs"].age() > 10 * TICK


async def test_ticks_that_stop_coming_are_noticed() -> None:
    """While ticks come the scheduler's task goes on; after too long a silence it ends, which ends the process."""
    busy, silent = Scheduler(silence=100 * TICK), Scheduler(silence=5 * TICK)
    busy.every(TICK, "often", Job())
    silent.every(60.0, "seldom", Job())
    async with busy, silent:
        await asyncio.wait_for(silent.task, PATIENCE_SECONDS)
        await asyncio.sleep(150 * TICK)
        assert not busy.task.done()
    assert busy.task.cancelled()


async def test_a_clock_that_goes_back_stalls_nothing() -> None:
    """What was due in a moment is due in an hour then; it is called all the same, and soon."""
    scheduler, job = Scheduler(look=TICK), Job()
    scheduler.every(TICK, "often", job)
    async with scheduler:
        await until(lambda: job.calls)
        due = datetime.now(UTC) + timedelta(hours=1)  # noqa: TID251 - as APScheduler itself counted before
        cast("Any", scheduler)._ticks.modify_job("often", next_run_time=due)
        job.calls = 0
        await until(lambda: job.calls >= 2)


async def test_a_clock_that_leaps_ahead_is_one_tick() -> None:
    """A machine that wakes up in another year does not make up for every minute in between."""
    scheduler, job = Scheduler(), Job()
    scheduler.every(60.0, "seldom", job)
    async with scheduler:
        due = datetime.now(UTC) - timedelta(days=20_000)  # noqa: TID251 - as APScheduler itself counted before
        cast("Any", scheduler)._ticks.modify_job("seldom", next_run_time=due)
        await until(lambda: job.calls)
        await asyncio.sleep(5 * TICK)
        assert job.calls == 1
