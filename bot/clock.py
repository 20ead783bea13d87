"""The one place that asks the operating system for the time."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable

_UNCERTAIN_SECONDS = 1.0


class SystemClock:
    """Wall clock in UTC, and a monotonic clock for durations. Implements `integrations.ports.Clock`."""

    def now(self) -> dt.datetime:
        """The current moment, aware, in UTC."""
        return dt.datetime.now(dt.UTC)  # noqa: TID251 - the one place

    def monotonic(self) -> float:
        """Seconds that only ever grow; for measuring durations inside one process."""
        return time.monotonic()


def _elapsed() -> float:
    """Seconds that nobody sets, those in which the machine slept included where it counts them (clock_gettime(2))."""
    counts_sleep: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if counts_sleep is None else time.clock_gettime(counts_sleep)


class SyncedClock(SystemClock):
    """The clock of a database that several processes share: their own differ, and any of them may be set.

    It goes on from the moment that the database said last, however this machine's wall clock is set meanwhile.
    """

    def __init__(self, elapsed: Callable[[], float] = _elapsed) -> None:
        self.elapsed = elapsed
        self._said: tuple[dt.datetime, float] | None = None

    def now(self) -> dt.datetime:
        """The database's moment; before it was asked for the first time, this machine's."""
        if self._said is None:
            return super().now()
        moment, at = self._said
        return moment + dt.timedelta(seconds=self.elapsed() - at)

    def agree(self, moment: dt.datetime, *, asked: float, answered: float) -> None:
        """The database said this somewhen between the two. What took too long says less than what is known."""
        if self._said is None or answered - asked <= _UNCERTAIN_SECONDS:
            self._said = (moment, (asked + answered) / 2)
