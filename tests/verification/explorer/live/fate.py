"""Fates of workers: the store as one worker has it, which ends with its worker or lets a frozen one wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from tests.stores import Opened


class Died(BaseException):
    """The process of this worker is gone; nothing of ours handles that."""


class GoesRound(BaseException):
    """Somebody enters the store again and again without a word from outside; nothing of ours handles that."""


MOST_ENTRIES = 1000  # until nothing goes on by itself


@dataclass(slots=True)
class Traffic:
    """Who is in the store right now: one transaction at a time, so that every walk can be taken again, each commit
    looked at before the next. `seen` looks. `inside` are those who are there or wait to be, `entered` how many went in.
    """

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    inside: int = 0
    entered: int = 0
    seen: Callable[[], Awaitable[None]] | None = None

    @contextmanager
    def counted(self) -> Generator[None]:
        """Something is under way of which the loop may know nothing."""
        if self.entered > MOST_ENTRIES:
            raise GoesRound
        self.inside += 1
        self.entered += 1
        try:
            yield
        finally:
            self.inside -= 1

    @asynccontextmanager
    async def alone(self) -> AsyncGenerator[None]:
        """When the others are out of the store."""
        with self.counted():
            async with self.turn:
                yield


@dataclass(slots=True)
class Life:
    """A worker's: `commits` are those that it has left, None for as many as it likes; the last one is `kept` or not."""

    dead: bool = False
    commits: int | None = None
    kept: bool = True
    awake: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.awake.set()

    async def lives(self) -> None:
        """Where it goes on, unless it is frozen or dead."""
        await self.awake.wait()
        if self.dead:
            raise Died

    def commits_now(self) -> None:
        """Just before a commit."""
        if self.commits is None:
            return
        self.commits -= 1
        if self.commits <= 0:
            self.dead = True
            if not self.kept:
                raise Died


class FatedStore(Store):
    """The store of one worker. Nobody runs out of patience: time passes when told to, and how busy the machine is must
    not matter.
    """

    def __init__(self, base: Opened, life: Life, traffic: Traffic) -> None:
        super().__init__(base.database, keyring=base.keyring, clock=base.clock)
        self._life = life
        self._traffic = traffic

    @asynccontextmanager
    async def write(self, *, patience: float | None = None, long: bool = False) -> AsyncGenerator[UnitOfWork]:
        """One writing transaction; of a worker that dies with it nobody hears that it was committed."""
        del patience, long
        await self._life.lives()
        async with self._traffic.alone():
            async with super().write() as work:
                yield work
                self._life.commits_now()
            if self._traffic.seen is not None:
                await self._traffic.seen()
        if self._life.dead:
            raise Died

    @asynccontextmanager
    async def read(self, *, patience: float | None = None, long: bool = False) -> AsyncGenerator[UnitOfWork]:
        """One reading transaction."""
        del patience, long
        await self._life.lives()
        async with self._traffic.alone(), super().read() as work:
            yield work
