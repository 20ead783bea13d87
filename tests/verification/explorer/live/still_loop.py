"""An event loop whose time stands still: how fast the machine is and what else it does changes no walk.

It says when nothing goes on by itself any more. That is so when no callback is ready and nobody is in the store: the
loop asks its selector to wait only then (`BaseEventLoop._run_once`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from selectors import DefaultSelector, SelectorKey

_SHORT_SECONDS = 1.0
"""A pause up to this long ends by itself, and costs nothing. Longer ones (until the next tick, until a lease is
renewed, until a tool has taken too long) never end: on the stage that much time passes only when the test says so.
"""


class StillLoop(asyncio.SelectorEventLoop):
    """`is_busy` says whether something is under way of which the loop knows nothing, such as a thread of a driver."""

    def __init__(self, is_busy: Callable[[], bool] = lambda: False) -> None:
        self.is_busy = is_busy
        self._now = 0.0
        self._quiet: asyncio.Future[None] | None = None
        super().__init__(_Selector(self))

    def time(self) -> float:
        """The seconds of short pauses so far."""
        return self._now

    async def quiet(self) -> None:
        """Until nothing goes on by itself. One task at a time."""
        self._quiet = self.create_future()
        await self._quiet

    def rests(self, seconds: float | None) -> float | None:
        """Nothing is ready, and the first timer has so many seconds left, if there is one: for how long may be waited
        for what comes from outside (None: until it comes).
        """
        is_short = seconds is not None and seconds <= _SHORT_SECONDS
        if self.is_busy():
            return seconds if is_short else None
        if seconds is not None and is_short:
            self._now += seconds
            return 0.0
        if self._quiet is not None and not self._quiet.done():
            self._quiet.set_result(None)
            return 0.0
        return None

    def waited(self, seconds: float | None) -> None:
        """For so long nothing came."""
        self._now += seconds or 0.0


class _Selector(DefaultSelector):
    def __init__(self, loop: StillLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        if timeout is not None and timeout <= 0:
            return super().select(timeout)
        seconds = self._loop.rests(timeout)
        events = super().select(seconds)
        if not events:
            self._loop.waited(seconds)
        return events
