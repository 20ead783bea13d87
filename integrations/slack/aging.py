"""A small memory of what Slack said lately."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from integrations.ports import Clock

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MOST = 2_000


class Aging(Generic[K, V]):
    """Loads a value once and keeps it for so long; the oldest go when there are too many. Failures are not kept."""

    def __init__(self, load: Callable[[K], Awaitable[V]], *, seconds: float, clock: Clock) -> None:
        self._load = load
        self._life = timedelta(seconds=seconds)
        self._clock = clock
        self._kept: dict[K, tuple[datetime, V]] = {}

    async def get(self, key: K) -> V:
        """The value, at most `seconds` old."""
        kept = self._kept.get(key)
        if kept and timedelta(0) <= self._clock.now() - kept[0] < self._life:  # a clock may go back
            return kept[1]
        value = await self._load(key)
        self.put(key, value)
        return value

    def put(self, key: K, value: V) -> None:
        """Keep what was learnt on the way."""
        self._kept.pop(key, None)
        while len(self._kept) >= MOST:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = (self._clock.now(), value)
