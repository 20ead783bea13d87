"""What goes first where the event loop has more to do than it can do at once.

asyncio runs what is ready in the order in which it became ready. So what can wait asks for its turn before it begins:
first comes what Slack waits for, then an effect that a person waits for, then the rest. It waits for a moment at the
longest, and of those that waited one begins in each round of the loop, so that what arrives meanwhile comes between.
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

LINGER_ROUNDS = 8
"""Rounds of the loop after a piece of work in which its next one may follow, such as an effect after its claim."""


class Priority(IntEnum):
    """Whose turn comes first: the lower number."""

    REQUEST = 0
    EFFECT = 1
    REST = 2


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
    waiting: deque[_Waiter] = field(default_factory=deque[_Waiter])


class Priorities:
    """The priorities of one event loop."""

    def __init__(self, *, longest: float = LONGEST_SECONDS, linger: int = LINGER_ROUNDS) -> None:
        self._longest = longest
        self._linger = linger
        self._levels = {priority: _Level() for priority in Priority}
        self._next: asyncio.TimerHandle | None = None

    @contextmanager
    def work(self, priority: Priority) -> Generator[None]:
        """What is done in the block holds up what has a lower priority, for a moment at the longest."""
        level, loop = self._levels[priority], asyncio.get_running_loop()
        level.under_way += 1
        level.begun += 1
        level.until = loop.time() + self._longest
        try:
            yield
        finally:
            level.under_way -= 1
            if not level.under_way:
                self._end(level, level.begun, self._linger)

    async def turn(self, priority: Priority) -> None:
        """Wait until nothing with a higher priority is under way."""
        loop, waiting = asyncio.get_running_loop(), self._levels[priority].waiting
        if not waiting and self._held_until(priority) <= loop.time():
            return
        waiter = _Waiter(loop.create_future(), loop.time() + self._longest)
        waiting.append(waiter)
        self._look_again(loop)
        await waiter.turn

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
