"""A worker that was frozen until another took its thread over: it begins nothing more, and goes."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.domain.actions import ActionState
from bot.domain.runs import RunState
from tests.unit.bot.runtime.runtime_harness import Harness, until


async def asking(here: Harness) -> asyncio.Task[None]:
    """A worker in the middle of its model call; its lease is over by the time it goes on."""
    here.model.hold = asyncio.Event()
    await here.request()
    serving = asyncio.create_task(here.serve())
    await until(lambda: here.model.requests)
    here.base.clock.advance(31)
    return serving


async def test_the_model_is_not_asked_again_and_again(here: Harness) -> None:
    """Its answer does not count, and it leaves the thread to the other instead of asking once more."""
    serving = await asking(here)
    other = asyncio.create_task(replace(here.runner, holder="other").serve("thr_1", asyncio.Event()))
    await until(lambda: len(here.model.requests) >= 2)
    hold, here.model.hold = here.model.hold, asyncio.Event()
    assert hold is not None
    hold.set()
    await asyncio.gather(serving, other)
    assert len(here.model.requests) == 2
    assert here.codes().count("run.completed") == 1


async def test_what_it_does_outside_may_end(here: Harness) -> None:
    """A call that is under way is not cut off: what it says may still be the answer to a doubt."""
    here.read.busy = asyncio.Event()
    here.model.says = [[("gmail_search", {"text": "it"})]]
    run = await here.request()
    serving = asyncio.create_task(here.serve())
    await until(lambda: here.read.calls)
    here.base.clock.advance(31)
    async with here.base.store.write() as work:
        assert await work.leases.take("thread:thr_1", "other", now=here.base.clock.now(), seconds=30)
        await work.runs.change(run.id, hinted=("x",))
    await asyncio.sleep(0.1)
    assert not serving.done()
    here.read.busy.set()
    await serving
    assert (await here.run(run.id)).state is RunState.EXECUTING
    (row,) = here.base.rows("SELECT state FROM actions")
    assert row["state"] == ActionState.EXECUTING.value
