"""Fates of workers: the store as one worker has it, which ends with its worker or lets a frozen one wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from tests.stores import Opened


class Died(BaseException):
    """The process of this worker is gone; nothing of ours handles that."""


@dataclass(slots=True)
class Traffic:
    """Who is in the store right now: one commit at a time, each looked at before the next. `seen` looks."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    inside: int = 0
    seen: Callable[[], Awaitable[None]] | None = None


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
        super().__init__(base.engine, keyring=base.keyring, clock=base.clock)
        self._life = life
        self._traffic = traffic

    @asynccontextmanager
    async def write(self, *, patience: float | None = None) -> AsyncGenerator[UnitOfWork]:
        """One writing transaction; of a worker that dies with it nobody hears that it was committed."""
        del patience
        await self._life.lives()
        self._traffic.inside += 1
        try:
            async with self._traffic.turn:
                async with super().write() as work:
                    yield work
                    self._life.commits_now()
                if self._traffic.seen is not None:
                    await self._traffic.seen()
        finally:
            self._traffic.inside -= 1
        if self._life.dead:
            raise Died

    @asynccontextmanager
    async def read(self, *, patience: float | None = None) -> AsyncGenerator[UnitOfWork]:
        """One reading transaction."""
        del patience
        await self._life.lives()
        self._traffic.inside += 1
        try:
            async with super().read() as work:
                yield work
        finally:
            self._traffic.inside -= 1
