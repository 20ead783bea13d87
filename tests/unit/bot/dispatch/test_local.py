"""The local dispatcher, as far as it differs from the contract of all: wake-ups to the turn, and quick ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.dispatch.local import LocalDispatcher
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
    async with asyncio.timeout(5):
        while work.now != {"a"}:
            await asyncio.sleep(0.01)
    leaving.cancel()
    await asyncio.wait([leaving], timeout=5)
    assert leaving.cancelled()
    assert work.now == set()


async def test_leaving_with_nothing_to_do_is_quick(dispatcher: LocalDispatcher) -> None:
    """An idle process ends at once."""
    async with asyncio.timeout(0.1):
        async with dispatcher:
            dispatcher.wake("a")
            await settled()
