"""Limits, when something else happened a moment before."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.actions import ActionState
from bot.domain.limits import Limit, Limits, Rate
from bot.domain.runs import RunState
from bot.runtime.core import activity
from bot.runtime.core.lease import Lease, leased
from bot.runtime.limits import stops
from bot.runtime.limits.quotas import no_place
from tests.unit.bot.runtime.runtime_harness import Harness
from tests.unit.bot.runtime.scripted import MODEL

STEPS = Limits(steps=0)


@pytest.fixture
async def lease(here: Harness) -> AsyncGenerator[Lease]:
    async with leased(here.transactions, "thr_1", "here") as held:
        assert held is not None
        yield held


async def test_a_run_that_was_ended_meanwhile_is_told_nothing(here: Harness, lease: Lease) -> None:
    """At its limit a run that somebody stopped a moment ago asks nothing and stays as it is."""
    run = await here.request(state=RunState.CANCELLED, limits=STEPS, ceiling=STEPS)
    await here.runner.loop.step(run, lease)
    assert (await here.run(run.id)).stopping is None
    assert here.model.requests == []


async def test_the_first_limit_is_the_one_that_is_told(here: Harness) -> None:
    """A second limit that is reached on the way to the last word changes nothing."""
    run = await here.request(state=RunState.PLANNING, stopping="Enough.")
    async with here.transactions.write() as tx:
        await stops.softly(tx, run, Limit.TOKENS)
    assert ((await here.run(run.id)).stopping, "run.limit" in here.codes()) == ("Enough.", False)


async def test_a_watch_that_comes_late_does_nothing(here: Harness, lease: Lease) -> None:
    """When the run rests by the time that its stop is to be written, there is nothing to stop."""
    run = await here.request(state=RunState.AWAITING, limits=Limits(active_ms=1), ceiling=Limits(active_ms=1))
    await here.runner.deadlines.stop(run, lease)
    after = await here.run(run.id)
    assert (after.stopping, after.hard_stop) == (None, None)


async def test_who_was_ended_while_it_waited_for_its_turn_does_not_work(here: Harness, lease: Lease) -> None:
    """The clock of a run that was stopped in the meantime is not started again."""
    run = await here.request(state=RunState.PLANNING)

    async def sleep(seconds: float) -> None:
        del seconds
        async with here.base.store.write() as work:
            await work.runs.move(await work.runs.find(run.id), RunState.CANCELLED)

    rate = Rate(per_minute=1, ahead=timedelta(minutes=2))
    throttle = replace(here.runner.loop.throttle, rate=rate, sleep=sleep)
    await throttle.wait(run, MODEL, lease)
    await throttle.wait(run, MODEL, lease)
    assert (await here.run(run.id)).active_since is None


async def test_only_what_works_grows_older(here: Harness) -> None:
    """A beat, and the end of serving, leave alone what waits in the same thread."""
    waiting = await here.request(state=RunState.AWAITING)
    working = await here.request(state=RunState.PLANNING, active_since=here.base.clock.now())
    here.base.clock.advance(2)
    async with here.base.store.write() as work:
        await activity.beat(work, "thr_1", here.base.clock.now())
    here.base.clock.advance(3)
    async with here.base.store.write() as work:
        await activity.left(work, "thr_1", here.base.clock.now())
    assert [(await here.run(run.id)).active_ms for run in (waiting, working)] == [0, 6_000]
    assert (await here.run(working.id)).active_since is None


async def test_a_second_attempt_needs_no_second_place(here: Harness) -> None:
    """What began once may begin again, however full the run is; what was never judged reaches nobody."""
    tried = await here.standing(here.effect, ActionState.APPROVED, attempt=1)
    async with here.base.store.write() as work:
        run = replace(await work.runs.find(tried.run_id), ceiling=Limits(effects=0, cards=0))
        assert await no_place(work, run, tried, ("helen@x.example",), asks=True) is None
        other = replace(tried, id="act_other", attempt=0)
        assert await no_place(work, run, other, None, asks=False) is Limit.EFFECTS
        roomy = replace(run, ceiling=Limits(recipients=1))
        assert await no_place(work, roomy, other, ("helen@x.example",), asks=False) is None
