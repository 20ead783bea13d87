"""A worker that was frozen until another took its thread over: it begins nothing more, and goes."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.domain.actions import ActionState
from bot.domain.runs import RunState
from tests.unit.bot.runtime.runtime_harness import House, until


async def asking(home: House) -> asyncio.Task[None]:
    """A worker in the middle of its model call; its lease is over by the time it goes on."""
    home.model.hold = asyncio.Event()
    await home.request()
    serving = asyncio.create_task(home.serve())
    await until(lambda: home.model.requests)
    home.base.clock.advance(31)
    return serving


async def test_the_model_is_not_asked_again_and_again(home: House) -> None:
    """Its answer does not count, and it leaves the thread to the other instead of asking once more."""
    serving = await asking(home)
    other = asyncio.create_task(replace(home.runner, holder="other").serve("thr_1", asyncio.Event()))
    await until(lambda: len(home.model.requests) >= 2)
    hold, home.model.hold = home.model.hold, asyncio.Event()
    assert hold is not None
    hold.set()
    await asyncio.gather(serving, other)
    assert len(home.model.requests) == 2
    assert home.codes().count("run.completed") == 1


async def test_what_it_does_outside_may_end(home: House) -> None:
    """A call that is under way is not cut off: what it says may still be the answer to a doubt."""
    home.read.busy = asyncio.Event()
    home.model.says = [[("gmail_search", {"text": "it"})]]
    run = await home.request()
    serving = asyncio.create_task(home.serve())
    await until(lambda: home.read.calls)
    home.base.clock.advance(31)
    async with home.base.store.write() as work:
        assert await work.leases.take("thread:thr_1", "other", now=home.base.clock.now(), seconds=30)
        await work.runs.change(run.id, hinted=("x",))
    await asyncio.sleep(0.1)
    assert not serving.done()
    home.read.busy.set()
    await serving
    assert (await home.run(run.id)).state is RunState.EXECUTING
    (row,) = home.base.rows("SELECT state FROM actions")
    assert row["state"] == ActionState.EXECUTING.value
