"""How calls are repeated: how long they wait, and which items of a batch of reads go again.

Gmail's guide "Batching requests" advises against more than 50 requests in one batch, and large ones are met with 429:
so they are small, and side by side. Items are counted and refused one by one, so each has an outcome of its own.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field

from integrations.google.calls import ApiCall, GoogleRefusal, Outcome
from integrations.google.errors import is_passing

LIMIT_SECONDS = 10.0
FIRST_SECONDS = 1.0
CHUNK = 20
CHUNK_AFTER_REFUSAL = 10
SendChunk = Callable[[Sequence[ApiCall]], Awaitable[Sequence[Outcome]]]


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


async def read_batch(
    calls: Sequence[ApiCall], *, send: SendChunk, backoff: Backoff, sleep: Callable[[float], Awaitable[None]]
) -> list[Outcome]:
    """The outcome of each call, in order. Only refused items that may pass later are sent again."""
    outcomes: dict[int, Outcome] = {}
    todo, size = list(range(len(calls))), CHUNK
    while todo:
        chunks = list(_chunks(todo, size))
        answered = await asyncio.gather(*(send([calls[place] for place in places]) for places in chunks))
        for places, answers in zip(chunks, answered, strict=True):
            outcomes.update(zip(places, answers, strict=True))
        waiting = [(place, outcome) for place in todo if is_passing(outcome := outcomes[place])]
        pause = backoff.pause(asked_wait([outcome for _, outcome in waiting])) if waiting else None
        if pause is None:
            break
        await sleep(pause)
        todo, size = [place for place, _ in waiting], CHUNK_AFTER_REFUSAL
    return [outcomes[place] for place in range(len(calls))]


def _chunks(places: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(places), size):
        yield places[start : start + size]


def asked_wait(outcomes: Sequence[Outcome]) -> float | None:
    """The longest wait in seconds that these answers ask for; None where none does."""
    waits = [o.retry_after for o in outcomes if isinstance(o, GoogleRefusal) and o.retry_after is not None]
    return max(waits, default=None)
