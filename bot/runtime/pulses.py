"""Pulses: a loop beats each time that it goes round, and whoever asks sees for how long it has not."""

from __future__ import annotations

import time
from collections.abc import Callable


class Pulse:
    """The last sign of life of one loop, on a clock that nobody sets."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._last = monotonic()

    def beat(self) -> None:
        """The loop went round."""
        self._last = self._monotonic()

    def age(self) -> float:
        """The seconds since the last beat; before the first one, since the loop was made."""
        return self._monotonic() - self._last
