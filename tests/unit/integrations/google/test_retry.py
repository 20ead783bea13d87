"""Batches: chunks, and another go for what was only asked to wait."""

from __future__ import annotations

from collections.abc import Sequence

from integrations.google.calls import Answer, ApiCall, Outcome, Refusal
from integrations.google.retry import Backoff, read_batch


def calls(count: int) -> list[ApiCall]:
    return [ApiCall(api="gmail", resource="users.threads", method="get", params={"id": n}) for n in range(count)]


async def test_only_items_that_were_asked_to_wait_go_again_in_smaller_chunks() -> None:
    """Of 60 items 20 are refused with 429 and one with 404: the 20 go again, ten at a time, the one does not."""
    sizes: list[int] = []
    pauses: list[float] = []

    async def send(chunk: Sequence[ApiCall]) -> Sequence[Outcome]:
        first = len(sizes) < 3
        sizes.append(len(chunk))
        return [_answer(int(str(call.params["id"])), first) for call in chunk]

    def _answer(n: int, first: bool) -> Outcome:
        if n == 59:
            return Refusal(status=404)
        return Refusal(status=429, retry_after=2.0) if first and n % 3 == 0 else Answer(n)

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    outcomes = await read_batch(calls(60), send=send, backoff=Backoff(jitter=lambda: 0.5), sleep=sleep)
    assert sizes == [20, 20, 20, 10, 10]
    assert pauses == [2.0]
    assert outcomes == [*(Answer(n) for n in range(59)), Refusal(status=404)]


async def test_a_batch_gives_up_with_the_items_refusals() -> None:
    """When backoff ends, each item keeps its own refusal."""

    async def send(chunk: Sequence[ApiCall]) -> Sequence[Outcome]:
        return [Refusal(status=503)] * len(chunk)

    async def sleep(seconds: float) -> None:
        del seconds

    outcomes = await read_batch(calls(2), send=send, backoff=Backoff(jitter=lambda: 0.5), sleep=sleep)
    assert outcomes == [Refusal(status=503), Refusal(status=503)]
