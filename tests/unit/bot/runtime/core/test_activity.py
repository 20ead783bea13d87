"""Working time, and what a run's row says at its end whatever happened."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.domain.events import TextStreamed
from bot.domain.runs import Run, RunState
from bot.llm.model import ModelRejected, Restarted, TextDelta
from bot.runtime.core import activity
from bot.runtime.core import lease as leases
from bot.runtime.core.lease import leased
from bot.runtime.core.transaction import LEASE_SECONDS
from bot.runtime.delivery.queries import Queries
from bot.runtime.runs.stop import cancel
from tests import builders as make
from tests.builders import DANA, NOW
from tests.unit.bot.runtime.runtime_harness import House, house

LOOK = ("gmail_search", {"text": "it"})


@pytest.fixture
async def home(tmp_path: Path) -> AsyncGenerator[House]:
    async with house(tmp_path) as made:
        yield made


async def stopped(home: House, run: Run) -> None:
    async with home.transactions.write() as tx:
        await cancel(tx, await tx.work.runs.find(run.id), by=DANA)


async def test_a_finished_run_says_how_long_it_took(home: House) -> None:
    """Wall clock from the request on, working time from its beginning on, the moment of its end."""
    run = await home.request()
    home.base.clock.advance(100)
    home.model.says = [[LOOK], "Done."]
    await home.serve()
    after = await home.run(run.id)
    assert (after.state, after.duration_ms, after.active_ms) == (RunState.COMPLETED, 102_000, 2_000)
    assert (after.completed_at, after.active_since, after.error) == (home.base.clock.now(), None, "")


async def test_a_failed_run_has_its_record_as_well(home: House) -> None:
    """The error in words, and the same columns as of any other end."""
    run = await home.asked(ModelRejected("no"))
    assert (run.state, run.duration_ms, run.active_ms, run.summary) == (RunState.FAILED, 1_000, 1_000, "")
    assert run.error
    assert run.completed_at == home.base.clock.now()


async def test_after_a_crash_the_record_is_that_of_the_whole_run(home: House) -> None:
    """A process dies in the middle, another takes over an hour later: the hour is in its duration, not in its work."""
    run = await home.request()
    home.model.hold = asyncio.Event()
    serving = asyncio.create_task(home.serve())
    while not home.model.requests:
        await asyncio.sleep(0.005)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    home.base.clock.advance(3_600)
    home.model.hold = None
    home.model.says = ["Done."]
    await home.serve()
    after = await home.run(run.id)
    assert (after.state, after.summary) == (RunState.COMPLETED, "Done.")
    assert after.duration_ms is not None
    assert (after.duration_ms >= 3_600_000, after.active_ms) == (True, 2_000)


async def test_a_beat_counts_what_was_worked_since_the_last(tmp_path: Path) -> None:
    """While a call lasts its time is written down with the lease, so a crash loses a beat at most."""
    async with house(tmp_path, renew_seconds=0.01) as home:
        run = await home.request()
        home.model.hold = asyncio.Event()
        serving = asyncio.create_task(home.serve())
        while not home.model.requests:
            await asyncio.sleep(0.005)
        home.base.clock.advance(20)
        async with asyncio.timeout(5):
            while (await home.run(run.id)).active_ms < 20_000:
                await asyncio.sleep(0.005)
        home.model.hold.set()
        await serving
        assert (await home.run(run.id)).active_ms == 21_000


@pytest.mark.parametrize(("seconds", "counted"), [(5, 5_000), (3_600, 30_000), (-3_600, 0)])
def test_a_clock_that_is_set_ends_no_run(seconds: int, counted: int) -> None:
    """A stretch longer than any beat counts as one, and time never runs backwards."""
    clock = make.HandClock()
    run = make.run(state=RunState.PLANNING, active_since=NOW)
    clock.advance(seconds)
    assert activity.active_ms(run, clock.now()) == counted


async def test_who_lost_the_lease_counts_nothing(home: House) -> None:
    """A worker that was taken over leaves the clock of the thread's runs alone when it ends."""
    run = await home.request(state=RunState.PLANNING)
    async with leased(home.transactions, "thr_1", "frozen") as first:
        assert first is not None
        home.base.clock.advance(LEASE_SECONDS + 1)
        async with leased(home.transactions, "thr_1", "second") as second:
            assert second is not None
            since = home.base.clock.now()
            home.base.clock.advance(2)
            await leases._give_back(first, "thr_1")  # pyright: ignore[reportPrivateUsage] - what its end does
            assert (await home.run(run.id)).active_since == since
    assert (await home.run(run.id)).active_ms == 2_000


# What was written when it was stopped ---------------------------------------------------------------------------


async def streaming(home: House, *texts: str) -> tuple[Run, asyncio.Task[None]]:
    """A run whose model has said this much of its answer."""
    home.model.before = [TextDelta(text) for text in texts]
    home.model.hold_after = asyncio.Event()
    run = await home.request()
    async with home.transactions.bus.subscribe() as queue:
        serving = asyncio.create_task(home.serve())
        async with asyncio.timeout(5):
            for text in texts:
                while await queue.get() != TextStreamed(run.id, text):
                    pass
    return run, serving


async def test_a_stopped_run_keeps_what_was_written(home: House) -> None:
    """The part of the answer that was on the screen is kept apart from the summary, and shown under it."""
    run, serving = await streaming(home, "The answer ", "is probably")
    await stopped(home, run)
    await serving
    after = await home.run(run.id)
    assert (after.state, after.summary, after.partial) == (
        RunState.CANCELLED,
        "Stopped. Nothing was changed.",
        "The answer is probably",
    )
    view = await Queries(store=home.base.store, side_effects_enabled=True).answer(run.id)
    assert view.text == ("Stopped. Nothing was changed.\n\nWhat I had written by then:\n> The answer is probably")
    assert home.base.rows("SELECT count(*) AS answers FROM outbox WHERE kind = 'answer'") == [{"answers": 2}]


async def test_what_was_void_is_not_kept(home: House) -> None:
    """A step that was begun anew has said nothing before."""
    home.model.before = [TextDelta("Wrong."), Restarted()]
    home.model.hold_after = asyncio.Event()
    run = await home.request()
    serving = asyncio.create_task(home.serve())
    while not home.model.requests:
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.02)
    await stopped(home, run)
    await serving
    assert (await home.run(run.id)).partial == ""


async def test_a_process_that_goes_keeps_nothing(home: House) -> None:
    """When the work is only let go of, the next process asks again: there is no partial answer."""
    run, serving = await streaming(home, "The answer")
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    after = await home.run(run.id)
    assert (after.state, after.partial) == (RunState.PLANNING, "")


async def test_a_turn_that_comes_too_late_is_paid_for_and_kept(home: House) -> None:
    """What the model answered to a run that was stopped meanwhile counts as spent, and stands as its partial answer."""
    run = await home.request(state=RunState.PLANNING)
    home.model.says = ["The whole answer."]
    async with leased(home.transactions, "thr_1", "house") as lease:
        assert lease is not None
        home.model.hold = asyncio.Event()
        step = asyncio.create_task(home.runner.loop.step(run, lease))
        while not home.model.requests:
            await asyncio.sleep(0.005)
        await stopped(home, run)
        home.model.hold.set()
        await step
    assert (await home.run(run.id)).partial == "The whole answer."
