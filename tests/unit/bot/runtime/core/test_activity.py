"""Working time, and what a run's row says at its end whatever happened."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
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
from tests.patience import PATIENCE_SECONDS
from tests.unit.bot.runtime.runtime_harness import Harness, harness

LOOK = ("gmail_search", {"text": "it"})


@asynccontextmanager
async def asking(here: Harness) -> AsyncGenerator[asyncio.Task[None]]:
    """The thread is served, and the model was asked and has not answered; afterwards it may answer."""
    here.model.hold = asyncio.Event()
    serving = asyncio.create_task(here.serve())
    while not here.model.requests:
        await asyncio.sleep(0.005)
    yield serving
    here.model.hold.set()


async def stopped(here: Harness, run: Run) -> None:
    async with here.transactions.write() as tx:
        await cancel(tx, await tx.work.runs.find(run.id), by=DANA)


async def test_a_finished_run_says_how_long_it_took(here: Harness) -> None:
    """Wall clock from the request on, working time from its beginning on, the moment of its end."""
    run = await here.request()
    here.base.clock.advance(100)
    here.model.says = [[LOOK], "Done."]
    await here.serve()
    after = await here.run(run.id)
    assert (after.state, after.duration_ms, after.active_ms) == (RunState.COMPLETED, 102_000, 2_000)
    assert (after.completed_at, after.active_since, after.error) == (here.base.clock.now(), None, "")


async def test_a_failed_run_has_its_record_as_well(here: Harness) -> None:
    """The error in words, and the same columns as of any other end."""
    run = await here.asked(ModelRejected("no"))
    assert (run.state, run.duration_ms, run.active_ms, run.summary) == (RunState.FAILED, 1_000, 1_000, "")
    assert run.error
    assert run.completed_at == here.base.clock.now()


async def test_after_a_crash_the_record_is_that_of_the_whole_run(here: Harness) -> None:
    """A process dies in the middle, another takes over an hour later: the hour is in its duration, not in its work."""
    run = await here.request()
    async with asking(here) as serving:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
    here.base.clock.advance(3_600)
    here.model.hold = None
    here.model.says = ["Done."]
    await here.serve()
    after = await here.run(run.id)
    assert (after.state, after.summary) == (RunState.COMPLETED, "Done.")
    assert after.duration_ms is not None
    assert (after.duration_ms >= 3_600_000, after.active_ms) == (True, 2_000)


async def test_a_beat_counts_what_was_worked_since_the_last(tmp_path: Path) -> None:
    """While a call lasts its time is written down with the lease, so a crash loses a beat at most."""
    async with harness(tmp_path, renew_seconds=0.01) as at:
        run = await at.request()
        async with asking(at) as serving:
            at.base.clock.advance(20)
            async with asyncio.timeout(PATIENCE_SECONDS):
                while (await at.run(run.id)).active_ms < 20_000:
                    await asyncio.sleep(0.005)
        await serving
        assert (await at.run(run.id)).active_ms == 21_000


@pytest.mark.parametrize(("seconds", "counted"), [(5, 5_000), (3_600, 30_000), (-3_600, 0)])
def test_a_clock_that_is_set_ends_no_run(seconds: int, counted: int) -> None:
    """A stretch longer than any beat counts as one, and time never runs backwards."""
    clock = make.HandClock()
    run = make.run(state=RunState.PLANNING, active_since=NOW)
    clock.advance(seconds)
    assert activity.active_ms(run, clock.now()) == counted


async def test_who_lost_the_lease_counts_nothing(here: Harness) -> None:
    """A worker that was taken over leaves the clock of the thread's runs alone when it ends."""
    run = await here.request(state=RunState.PLANNING)
    async with leased(here.transactions, "thr_1", "frozen") as first:
        assert first is not None
        here.base.clock.advance(LEASE_SECONDS + 1)
        async with leased(here.transactions, "thr_1", "second") as second:
            assert second is not None
            since = here.base.clock.now()
            here.base.clock.advance(2)
            await leases._give_back(first, "thr_1")  # pyright: ignore[reportPrivateUsage] - what its end does
            assert (await here.run(run.id)).active_since == since
    assert (await here.run(run.id)).active_ms == 2_000


# What was written when it was stopped ---------------------------------------------------------------------------


async def streaming(here: Harness, *texts: str) -> tuple[Run, asyncio.Task[None]]:
    """A run whose model has said this much of its answer."""
    here.model.before = [TextDelta(text) for text in texts]
    here.model.hold_after = asyncio.Event()
    run = await here.request()
    async with here.transactions.bus.subscribe() as queue:
        serving = asyncio.create_task(here.serve())
        async with asyncio.timeout(PATIENCE_SECONDS):
            for text in texts:
                while await queue.get() != TextStreamed(run.id, text):
                    pass
    return run, serving


async def test_a_stopped_run_keeps_what_was_written(here: Harness) -> None:
    """The part of the answer that was on the screen is kept apart from the summary, and shown under it."""
    run, serving = await streaming(here, "The answer ", "is probably")
    await stopped(here, run)
    await serving
    after = await here.run(run.id)
    assert (after.state, after.summary, after.partial) == (
        RunState.CANCELLED,
        "Stopped. Nothing was changed.",
        "The answer is probably",
    )
    view = await Queries(store=here.base.store, clock=here.base.clock, side_effects_enabled=True).answer(run.id)
    assert view.text == ("Stopped. Nothing was changed.\n\nWhat I had written by then:\n> The answer is probably")
    assert here.base.rows("SELECT count(*) AS answers FROM outbox WHERE kind = 'answer'") == [{"answers": 2}]


async def test_what_was_void_is_not_kept(here: Harness) -> None:
    """A step that was begun anew has said nothing before."""
    here.model.before = [TextDelta("Wrong."), Restarted()]
    here.model.hold_after = asyncio.Event()
    run = await here.request()
    serving = asyncio.create_task(here.serve())
    while not here.model.requests:
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.02)
    await stopped(here, run)
    await serving
    assert (await here.run(run.id)).partial == ""


async def test_a_process_that_goes_keeps_nothing(here: Harness) -> None:
    """When the work is only let go of, the next process asks again: there is no partial answer."""
    run, serving = await streaming(here, "The answer")
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    after = await here.run(run.id)
    assert (after.state, after.partial) == (RunState.PLANNING, "")


async def test_a_turn_that_comes_too_late_is_paid_for_and_kept(here: Harness) -> None:
    """What the model answered to a run that was stopped meanwhile counts as spent, and stands as its partial answer."""
    run = await here.request(state=RunState.PLANNING)
    here.model.says = ["The whole answer."]
    async with leased(here.transactions, "thr_1", "here") as lease:
        assert lease is not None
        here.model.hold = asyncio.Event()
        step = asyncio.create_task(here.runner.loop.step(run, lease))
        while not here.model.requests:
            await asyncio.sleep(0.005)
        await stopped(here, run)
        here.model.hold.set()
        await step
    assert (await here.run(run.id)).partial == "The whole answer."
