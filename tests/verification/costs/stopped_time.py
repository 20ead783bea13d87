"""Time that stands still: no tick, renewal or poll happens unless a test moves it.

What a request costs must not depend on how fast the machine is, nor on the day. So the loop's clock, by which
everything sleeps and waits, those of the bot and those of the emulators stand. Sockets and threads go on as ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

from bot.clock import SyncedClock, SystemClock
from playground.clock import Clock

_BEGINNING = datetime(2026, 11, 24, 9, 30, 0, 123456, UTC)
"""Quarters of a second later there still are six digits, so that a moment has the same length in any text."""


@dataclass(slots=True)
class StoppedTime:
    """The moment that all clocks show, and the seconds of the loop's once it stands, too."""

    moment: datetime = _BEGINNING
    seconds: float | None = None

    def advance(self, seconds: float) -> None:
        """What waits for no longer than this wakes up."""
        assert self.seconds is not None, "the loop's clock still runs"
        self.seconds += seconds
        self.moment += timedelta(seconds=seconds)

    @contextmanager
    def in_the_loop(self) -> Generator[None]:
        """The running loop's clock stands until the block ends."""
        loop: Any = asyncio.get_running_loop()
        self.seconds = loop.time()
        loop.time = lambda: self.seconds
        try:
            yield
        finally:
            del loop.time


@contextmanager
def stopped_time() -> Generator[StoppedTime]:
    """Every clock of this process that shows a date shows the same moment until the block ends."""
    time = StoppedTime()

    def now(_: SystemClock) -> datetime:
        return time.moment

    def seconds(clock: Clock) -> float:
        return time.moment.timestamp() + clock.ahead

    own, synced = patch.object(SystemClock, "now", now), patch.object(SyncedClock, "now", now)
    with own, synced, patch.object(Clock, "seconds", seconds):
        yield time
