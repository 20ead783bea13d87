"""The write queue: writers of one process come one after the other, urgent ones first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import pytest

from bot.store.engine.write_queue import IN_A_ROW, QueueTimeout, WriteQueue
from tests.patience import PATIENCE_SECONDS

LATER = 1000.0


@asynccontextmanager
async def turn(queue: WriteQueue, end: float | None = None) -> AsyncGenerator[None]:
    """A turn for as long as the block lasts."""
    await queue.come(end)
    try:
        yield
    finally:
        queue.pass_on()


class Line:
    """A turn that is taken, and those who wait for it."""

    def __init__(self) -> None:
        self.queue = WriteQueue()
        self.served: list[str] = []
        self._over = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def join(self, *names: str, end: float | None = None) -> Sequence[asyncio.Task[None]]:
        """These wait, in this order."""
        tasks = [asyncio.create_task(self._wait(name, end)) for name in names]
        self._tasks += tasks
        await asyncio.sleep(0)
        return tasks

    async def _wait(self, name: str, end: float | None) -> None:
        async with turn(self.queue, None if end is None else asyncio.get_running_loop().time() + end):
            await asyncio.sleep(0)
            self.served.append(name)

    async def over(self) -> Sequence[str]:
        """Everybody who waited had a turn, or none any more; who was served, in order."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
        async with asyncio.timeout(PATIENCE_SECONDS), turn(self.queue):
            return self.served


@pytest.mark.parametrize(("hurried", "order"), [([], ["a", "b"]), (["person", "other"], ["person", "other", "a", "b"])])
async def test_who_cannot_wait_goes_first(hurried: list[str], order: list[str]) -> None:
    """Turns come in the order of arrival, but those who have to be done by a moment go before those who can wait."""
    line = Line()
    async with turn(line.queue):
        await line.join("a", "b")
        await line.join(*hurried, end=LATER)
    assert await line.over() == order


async def test_nobody_waits_for_ever() -> None:
    """However many cannot wait, who can has a turn after a few of them."""
    line = Line()
    async with turn(line.queue):
        await line.join("work")
        await line.join(*map(str, range(2 * IN_A_ROW)), end=LATER)
    assert (await line.over()).index("work") == IN_A_ROW


async def test_who_comes_to_no_turn_is_told() -> None:
    """Whose moment passes while others have their turns is told, takes none, and keeps nobody."""
    line = Line()
    async with turn(line.queue):
        await line.join("late", end=0.0)
        (late,) = await line.join("late too", end=0.01)
        await line.join("a")
        with pytest.raises(QueueTimeout):
            await late
    assert await line.over() == ["a"]


async def test_a_turn_that_comes_as_its_task_is_cancelled() -> None:
    """A turn that was given to a writer that is cancelled at the same moment goes to the next."""
    line = Line()
    async with turn(line.queue):
        (gone, *_) = await line.join("gone", "next")
    gone.cancel()
    assert await line.over() == ["next"]


async def test_a_turn_ends_whatever_happens_in_it() -> None:
    """An error goes to its caller as it is, and the turn to the next."""
    line = Line()

    async def breaks() -> None:
        async with turn(line.queue, LATER):
            await line.join("next")
            raise TimeoutError("of its own")

    with pytest.raises(TimeoutError, match="of its own"):
        await breaks()
    assert await line.over() == ["next"]
