"""Heartbeats: a loop beats each time that it goes round, and `age` says for how long it has not."""

from __future__ import annotations

import time
from collections.abc import Callable


class Heartbeat:
    """The last sign of life of one loop, on the monotonic clock. `rest` is what may lie between two beats."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, *, rest: float = 0.0) -> None:
        self._monotonic = monotonic
        self._rest = rest
        self._last = monotonic()

    def beat(self) -> None:
        """The loop went round."""
        self._last = self._monotonic()

    def age(self) -> float:
        """The seconds since the last beat beyond its rest; before the first one, since the loop was made."""
        return max(0.0, self._monotonic() - self._last - self._rest)
