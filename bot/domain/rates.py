"""Rates: at most so many in a minute, as one moment per name (the generic cell rate algorithm, ATM Forum UNI 3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

_MINUTE = timedelta(minutes=1)
_FARTHEST = timedelta(minutes=30)
"""Beyond the burst: so many may have taken a place in advance and wait for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """So many per minute. `burst` of them may come at once; 1 spaces them evenly."""

    per_minute: int
    burst: int = 1

    def ask(self, next_at: datetime | None, now: datetime) -> Answer:
        """Whether one more is in time. `next_at` is the moment that the last answer left, None before the first."""
        interval = _MINUTE / self.per_minute
        due = max(now, next_at or now)
        if due - now > _FARTHEST + interval * self.burst:  # the clock went back since it was stored
            due = now
        in_time_at = due - interval * (self.burst - 1)
        return Answer(in_time_at=max(now, in_time_at), next_at=due + interval, granted=in_time_at <= now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`granted`, or in time from `in_time_at` on. Whoever takes the place, now or then, stores `next_at`."""

    granted: bool
    in_time_at: datetime
    next_at: datetime
