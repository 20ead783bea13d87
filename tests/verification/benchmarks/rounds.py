"""Contestants in turn, round after round, so that whatever else the machine does meets all of them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

Contestant = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Seconds of one contestant, one figure a round."""

    name: str
    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle round."""
        return statistics.median(self.seconds)

    def told(self, floor: Timing) -> str:
        """Its median beside the floor's: quote the ratio, the milliseconds are the machine's."""
        spread = f"{min(self.seconds) * 1e3:.2f} to {max(self.seconds) * 1e3:.2f}"
        return f"  {self.name:<44} {self.median * 1e3:9.2f} ms  ({spread})  × {self.median / floor.median:.2f}"


async def in_turn(contestants: Mapping[str, Contestant], *, rounds: int, calls: int = 1) -> list[Timing]:
    """Each contestant `calls` times a round, after one round that does not count; seconds of one call."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(rounds + 1):
        for name, contestant in contestants.items():
            began = time.perf_counter()
            for _ in range(calls):
                await contestant()
            if number:
                seconds[name].append((time.perf_counter() - began) / calls)
    return [Timing(name=name, seconds=tuple(taken)) for name, taken in seconds.items()]
