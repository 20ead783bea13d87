"""The emulators' clock: the machine's, moved forward when a test or the page asks."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class Clock:
    """Seconds since the epoch, plus what `advance` added. Timers of the event loop do not follow it."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def seconds(self) -> float:
        return time.time() + self.ahead

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.seconds(), UTC)

    def advance(self, seconds: float) -> None:
        """Moves the clock; the next request sees expiries that were due in between."""
        self.ahead += seconds
