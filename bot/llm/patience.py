"""Timeouts and retries of a model call."""

from __future__ import annotations

import random
from dataclasses import dataclass

from bot.llm.model import ModelUnavailable


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Seconds one attempt may take: to connect, to the first chunk, between chunks, and in all."""

    connect: float = 10.0
    first: float = 60.0
    idle: float = 30.0
    total: float = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """How an unavailable model is asked again.

    `attempts` counts the first one; waits double from `first_delay` to `longest_delay` with jitter; the provider's own
    advice is followed up to `longest_advice` and reported beyond it; no attempt begins later than `overall` seconds
    after the step began.
    """

    attempts: int = 4
    first_delay: float = 0.25
    longest_delay: float = 8.0
    longest_advice: float = 15.0
    overall: float = 120.0

    def delay(self, failure: ModelUnavailable, *, attempt: int, elapsed: float) -> float | None:
        """Seconds to wait after the given attempt (counted from 1), or None to give up."""
        wait = failure.retry_after
        if wait is None:
            wait = min(self.longest_delay, self.first_delay * 2 ** (attempt - 1)) * random.uniform(0.5, 1.0)
        elif wait > self.longest_advice:
            return None
        return wait if attempt < self.attempts and elapsed + wait < self.overall else None
