"""Which threads this process served, and since when no other one did."""

from __future__ import annotations

from typing import NamedTuple

from bot.domain.deliveries import Place

MOST = 10_000
"""Threads that are remembered; of one that was forgotten anything may be true."""


class _Epochs(NamedTuple):
    """Epochs of a thread's lease that follow each other, all of them of this process."""

    first: int
    last: int


class ServedThreads:
    """The newest unbroken stretch of each thread."""

    def __init__(self) -> None:
        self._threads: dict[str, _Epochs] = {}

    def hear(self, thread_id: str, epoch: int) -> None:
        """This process serves the thread under this epoch."""
        before = self._threads.pop(thread_id, None)
        first = before.first if before is not None and before.last == epoch - 1 else epoch
        self._threads[thread_id] = _Epochs(first, epoch)
        if len(self._threads) > MOST:
            del self._threads[next(iter(self._threads))]

    def alone(self, place: Place, *, since: int) -> bool:
        """Whether nobody else served the run's thread since that epoch."""
        served = self._threads.get(place.thread_id)
        return served is not None and served.first <= since and served.last == place.epoch
