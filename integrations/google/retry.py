"""How long a call waits before it is repeated."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

LIMIT_SECONDS = 10.0
FIRST_SECONDS = 1.0


@dataclass(slots=True, kw_only=True)
class Backoff:
    """1, 2, 4 seconds with jitter, or what Retry-After asks; ten seconds in all, waited or worked, then it is over."""

    jitter: Callable[[], float]
    limit: float = LIMIT_SECONDS
    _began: float = field(default_factory=time.monotonic, init=False)
    _waited: float = field(default=0.0, init=False)
    _next: float = field(default=FIRST_SECONDS, init=False)

    def pause(self, retry_after: float | None = None) -> float | None:
        """Seconds to wait now, or None when the time is used up."""
        pause = retry_after if retry_after is not None else self._next * (0.5 + self.jitter())
        spent = max(self._waited, time.monotonic() - self._began)
        if spent + pause > self.limit:
            return None
        self._waited += pause
        self._next *= 2
        return pause
