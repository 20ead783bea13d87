"""The one place that asks the operating system for the time."""

from __future__ import annotations

import datetime as dt
import time


class SystemClock:
    """Wall clock in UTC, and a monotonic clock for durations. Implements `integrations.ports.Clock`."""

    def now(self) -> dt.datetime:
        """The current moment, aware, in UTC."""
        return dt.datetime.now(dt.UTC)  # noqa: TID251 - the one place

    def monotonic(self) -> float:
        """Seconds that only ever grow; for measuring durations inside one process."""
        return time.monotonic()
