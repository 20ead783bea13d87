"""The pool: each connection is lent to one at a time, and every place comes back."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from bot.store.engine.pool import Pool


@dataclass(slots=True)
class Line:
    """A connection that can be lent again or not, and that closes at its own pace."""

    is_usable: bool = True
    may_close: asyncio.Event = field(default_factory=asyncio.Event)
    is_closed: bool = False

    async def close(self) -> None:
        await self.may_close.wait()
        self.is_closed = True


@dataclass(slots=True)
class Made:
    """A pool with one place, and the connections that it made."""

    lines: list[Line] = field(default_factory=list[Line])
    pool: Pool[Line] = field(init=False)

    def __post_init__(self) -> None:
        self.pool = Pool(self._open, size=1, wait_seconds=0.5)

    async def _open(self) -> Line:
        self.lines.append(line := Line())
        return line

    async def lend(self, *, breaks: bool = False) -> Line:
        """One that is used, and breaks meanwhile or not."""
        async with self.pool.connection(None) as line:
            line.is_usable = not breaks
            return line


@pytest.fixture
def made() -> Made:
    return Made()


async def test_a_place_comes_back_whatever_happens_to_its_connection(made: Made) -> None:
    """Who is cancelled while a broken connection is closed leaves no place taken."""
    using = asyncio.create_task(made.lend(breaks=True))
    while not made.lines:
        await asyncio.sleep(0)
    for _ in range(5):
        await asyncio.sleep(0)
    using.cancel()
    await asyncio.sleep(0)
    made.lines[0].may_close.set()
    with suppress(asyncio.CancelledError):
        await using
    assert made.lines[0].is_closed
    assert await made.lend() is made.lines[1]


async def test_a_connection_that_grew_too_old_unused_is_not_lent(made: Made) -> None:
    """What is not usable any more when it is asked for is closed, and another one is opened."""
    old = await made.lend()
    old.is_usable = False
    old.may_close.set()
    assert await made.lend() is not old
    assert old.is_closed


async def test_a_place_comes_back_when_none_can_be_opened(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the reason is, who comes next can try."""

    async def refused() -> Line:
        raise ValueError("a defect")

    with monkeypatch.context() as now:
        now.setattr(made.pool, "opens", refused)
        with pytest.raises(ValueError, match="a defect"):
            await made.lend()
    await asyncio.sleep(0.01)
    assert await made.lend() is made.lines[0]
