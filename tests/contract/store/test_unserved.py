"""Threads with something to do that nobody serves: what a sweep of several replicas takes."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.runs import RunState
from bot.store.unit_of_work import UnitOfWork
from tests import builders as make
from tests.builders import NOW

LATER = NOW + timedelta(seconds=31)


async def test_threads_that_nobody_serves(work: UnitOfWork) -> None:
    """Those with work whose lease was never taken, was given back, or ran out; one may ask about some of them only."""
    states = {"a": RunState.QUEUED, "b": RunState.EXECUTING, "c": RunState.AWAITING, "d": RunState.PLANNING}
    for thread, state in states.items():
        await work.runs.add(make.run(thread_id=thread, state=state))
    await work.leases.take("thread:b", "x", now=NOW, seconds=30)
    epoch = await work.leases.take("thread:d", "x", now=NOW, seconds=30)
    assert await work.runs.unserved_threads(now=NOW) == ["a"]
    assert sorted(await work.runs.unserved_threads(now=LATER)) == ["a", "b", "d"]
    await work.leases.release("thread:d", "x", epoch or 0)
    assert sorted(await work.runs.unserved_threads(now=NOW)) == ["a", "d"]
    assert await work.runs.unserved_threads(now=NOW, among=["b", "d"]) == ["d"]
