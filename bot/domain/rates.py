"""Rates: at most so many in a minute, as one moment per name (the generic cell rate algorithm, ATM Forum UNI 3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """So many per minute. `burst` of them may come at once; 1 spaces them evenly. Places are given away at most so long
    `ahead` of their time. A stored time beyond that was made by a clock that went back since, and counts for nothing.
    So no step of a clock makes anybody wait for longer than the rate itself.
    """

    per_minute: int
    burst: int = 1
    ahead: timedelta = timedelta(0)

    def ask(self, next_at: datetime | None, now: datetime) -> Answer:
        """Whether one more is in time. `next_at` is the moment that the last answer left, None before the first."""
        interval = _MINUTE / self.per_minute
        due = max(now, next_at or now)
        if due - now > self.ahead + interval * self.burst:  # the clock went back since it was stored
            due = now
        in_time_at = due - interval * (self.burst - 1)
        granted = in_time_at - now <= self.ahead
        return Answer(in_time_at=max(now, in_time_at), next_at=due + interval, granted=granted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """In time from `in_time_at` on. The caller stores `next_at` when the place is `granted`, else asks again later."""

    granted: bool
    in_time_at: datetime
    next_at: datetime
