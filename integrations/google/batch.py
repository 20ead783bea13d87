"""Many reads in one request: in chunks, and repeated for the items that Google asked to wait.

Gmail's guide "Batching requests" advises against more than 50 requests in one batch, and large ones are met with 429:
so they are small, and side by side. Items are counted and refused one by one, so each has an outcome of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence

from integrations.google.calls import ApiCall, Outcome, Refusal
from integrations.google.errors import is_passing
from integrations.google.retry import Backoff

CHUNK = 20
CHUNK_AFTER_REFUSAL = 10

SendChunk = Callable[[Sequence[ApiCall]], Awaitable[Sequence[Outcome]]]


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
        waiting = [(place, outcome) for place in todo if _may_pass(outcome := outcomes[place])]
        pause = backoff.pause(_longest_wait([outcome for _, outcome in waiting])) if waiting else None
        if pause is None:
            break
        await sleep(pause)
        todo, size = [place for place, _ in waiting], CHUNK_AFTER_REFUSAL
    return [outcomes[place] for place in range(len(calls))]


def _chunks(places: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(places), size):
        yield places[start : start + size]


def _may_pass(outcome: Outcome) -> bool:
    return isinstance(outcome, Refusal) and is_passing(outcome)


def _longest_wait(outcomes: Sequence[Outcome]) -> float | None:
    waits = [o.retry_after for o in outcomes if isinstance(o, Refusal) and o.retry_after is not None]
    return max(waits, default=None)
