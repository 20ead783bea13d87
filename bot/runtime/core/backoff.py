"""How often a job crashed in this process: a job that keeps crashing rests, longer each time, and then ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

MOST_CRASHES = 5
"""So many crashes of the same job in a row end its run: they show a defect, which no waiting mends."""

_FIRST_REST_SECONDS = 1.0
_LONGEST_REST_SECONDS = 60.0
_KEPT_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class _Crashed:
    """So many in a row, the last one at this time."""

    count: int
    at: float

    def rest(self) -> float:
        """A second, doubled each time, up to a minute."""
        return min(_FIRST_REST_SECONDS * 2.0 ** (self.count - 1), _LONGEST_REST_SECONDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrashBackoff:
    """Counted by the names of jobs, on the monotonic clock; a job without a crash for ten minutes starts from zero."""

    monotonic: Callable[[], float] = time.monotonic
    _last: dict[str, _Crashed] = field(default_factory=dict[str, _Crashed])

    def crashed(self, job: str) -> int:
        """Count a crash; how many there are in a row."""
        now = self.monotonic()
        for name in [name for name, last in self._last.items() if now - last.at >= _KEPT_SECONDS]:
            del self._last[name]
        count = self._last[job].count + 1 if job in self._last else 1
        self._last[job] = _Crashed(count, now)
        return count

    def worked(self, job: str) -> None:
        """Forget its crashes: it came to its end."""
        self._last.pop(job, None)

    def rests(self, job: str) -> bool:
        """Whether it must not begin again yet."""
        last = self._last.get(job)
        return last is not None and self.monotonic() - last.at < last.rest()
