"""What goes first where the event loop has more to do than it can do at once.

asyncio runs what is ready in the order in which it became ready. So what can wait asks for its turn before it begins:
first comes what Slack or a program waits for, then an effect that a person waits for, then the rest, and last the words
of the models. It waits for a moment at the longest, and of those that waited one begins in each round of the loop, so
that what arrives meanwhile comes between.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum

LONGEST_SECONDS = 0.05
"""How long something waits for its turn, and for how long one piece of work holds up others."""

MOST_SPEAKING = 4
"""So many models may say something in one round of the loop. A round is as long as what is done in it, and a request
takes some rounds until it is known what it is.
"""

SPEAKING_SECONDS = 0.002
"""For so long a model goes on that has its turn: what came while it waited is told together."""

LINGER_ROUNDS = 8
"""Rounds of the loop after a piece of work in which its next one may follow, such as an effect after its claim. They
are only counted where somebody waits: each is a look at all sockets.
"""

LINGER_SECONDS = 0.002
"""Who comes later than this after a piece of work does not wait for its next one."""


class Priority(IntEnum):
    """Whose turn comes first: the lower number."""

    REQUEST = 0
    EFFECT = 1
    REST = 2
    WORDS = 3


@dataclass(frozen=True, slots=True)
class _Waiter:
    turn: asyncio.Future[None]
    until: float


@dataclass(slots=True)
class _Level:
    """What is under way with one priority, until when it holds up others, and what waits for its turn."""

    under_way: int = 0
    begun: int = 0
    until: float = 0.0
    lingers: bool = False
    waiting: deque[_Waiter] = field(default_factory=deque[_Waiter])


class Priorities:
    """The priorities of one event loop."""

    def __init__(
        self,
        *,
        longest: float = LONGEST_SECONDS,
        linger: int = LINGER_ROUNDS,
        lingers: float = LINGER_SECONDS,
        speaking: float = SPEAKING_SECONDS,
    ) -> None:
        self._longest = longest
        self._linger = linger
        self._lingers = lingers if linger else 0.0
        self._speaking = speaking
        self._levels = {priority: _Level() for priority in Priority}
        self._next: asyncio.TimerHandle | None = None
        self._spoke = 0  # models in this round

    @contextmanager
    def work(self, priority: Priority) -> Generator[None]:
        """What is done in the block holds up what has a lower priority, for a moment at the longest."""
        level, loop = self._levels[priority], asyncio.get_running_loop()
        level.under_way += 1
        level.begun += 1
        level.lingers = False
        level.until = loop.time() + self._longest
        try:
            yield
        finally:
            level.under_way -= 1
            if not level.under_way:
                self._rest(priority, level)

    async def turn(self, priority: Priority) -> None:
        """Wait until nothing with a higher priority is under way."""
        if self._levels[priority].waiting or self._held_until(priority) > asyncio.get_running_loop().time():
            await self._wait(priority)

    async def _wait(self, priority: Priority) -> None:
        loop = asyncio.get_running_loop()
        for other, level in self._levels.items():
            if other < priority and level.lingers:
                level.lingers = False
                self._end(level, level.begun, self._linger)
        waiter = _Waiter(loop.create_future(), loop.time() + self._longest)
        self._levels[priority].waiting.append(waiter)
        self._look_again(loop)
        await waiter.turn

    def speaking(self) -> Speaking:
        """The turns of one model that is being listened to."""
        return Speaking(self, seconds=self._speaking)

    async def speak(self) -> None:
        """Wait for the turn of a model's words."""
        await (self.turn(Priority.WORDS) if self._spoke < MOST_SPEAKING else self._wait(Priority.WORDS))
        if not self._spoke:
            asyncio.get_running_loop().call_soon(self._begin_round)
        self._spoke += 1

    def _begin_round(self) -> None:
        self._spoke = 0

    def _rest(self, priority: Priority, level: _Level) -> None:
        """Nothing of this priority is under way: who waits for that, or comes soon, begins some rounds later."""
        if any(other.waiting for lower, other in self._levels.items() if lower > priority):
            self._end(level, level.begun, self._linger)
            return
        level.lingers = True
        level.until = min(level.until, asyncio.get_running_loop().time() + self._lingers)

    def _end(self, level: _Level, begun: int, rounds: int) -> None:
        """Let others begin after so many rounds of the loop, unless more of this priority begins until then."""
        loop = asyncio.get_running_loop()
        if level.begun != begun:
            return
        if rounds:
            loop.call_soon(self._end, level, begun, rounds - 1)
            return
        level.until = 0.0
        self._look_again(loop)

    def _held_until(self, priority: Priority) -> float:
        return max((level.until for other, level in self._levels.items() if other < priority), default=0.0)

    def _look_again(self, loop: asyncio.AbstractEventLoop) -> None:
        """At the first moment at which somebody's turn may have come."""
        moments = [
            min(level.waiting[0].until, self._held_until(priority))
            for priority, level in self._levels.items()
            if level.waiting
        ]
        if self._next is not None:
            self._next.cancel()
        self._next = loop.call_at(min(moments), self._let_one) if moments else None

    def _let_one(self) -> None:
        """Let the first one begin whose turn has come, and look again in the next round of the loop."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for priority, level in self._levels.items():
            while level.waiting and level.waiting[0].turn.done():  # it was cancelled
                level.waiting.popleft()
            if level.waiting and min(level.waiting[0].until, self._held_until(priority)) <= now:
                level.waiting.popleft().turn.set_result(None)
                break
        self._look_again(loop)


class Speaking:
    """The turns of one model that says a text piece by piece."""

    def __init__(self, priorities: Priorities, *, seconds: float) -> None:
        self._priorities = priorities
        self._seconds = seconds
        self._until = 0.0

    async def turn(self) -> None:
        """Wait until its next piece may be told; those that follow at once belong to it."""
        loop = asyncio.get_running_loop()
        if loop.time() >= self._until:
            await self._priorities.speak()
            self._until = loop.time() + self._seconds
