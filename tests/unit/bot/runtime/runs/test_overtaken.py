"""A vote, a stop and words that arrive together between what a step read and what it writes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from itertools import permutations
from typing import Any

import pytest

from bot.domain.runs import RunState
from bot.llm import wire
from bot.runtime.core.lease import Lease
from bot.runtime.core.transaction import Transaction
from bot.runtime.runs.incoming import Admission
from policies.types import TrustLevel
from tests.unit.bot.runtime.runtime_harness import Harness

WRITES = ("its beginning", "the model's turn", "the result of a read", "the answer")
WORDS = "and the calendar"


@pytest.mark.parametrize("order", list(permutations(("vote", "stop", "words"))), ids=" ".join)
@pytest.mark.parametrize("write", WRITES)
async def test_nothing_that_arrives_before_a_write_is_lost(
    here: Harness, monkeypatch: pytest.MonkeyPatch, write: str, order: Sequence[str]
) -> None:
    """One run waits for its card, and a newer one is served: just before each of its writes somebody approves the card,
    says “stop”, and writes more. The newer one stops, with what was written by then. What was said before the stop is
    withdrawn with it; what was said after it is for the run that waits, and withdraws its card where that still waits.
    """
    waits = await here.asked([("gmail_send", {"text": "it"})], level=TrustLevel.SUPERVISED)
    card, stopped = await here.card_of(waits.id), await here.request()
    here.model.says = [[("gmail_search", {"text": "q"})], "Done.", "Done.", "Done."]
    arrivals = {"vote": lambda: here.click(card), "stop": lambda: here.says("stop"), "words": lambda: here.says(WORDS)}
    arrived = list[asyncio.Future[list[Any]]]()
    writes, plain = iter(WRITES), Lease.write

    @asynccontextmanager
    async def overtaken(lease: Lease) -> AsyncGenerator[Transaction]:
        if next(writes, None) == write:
            arrived.append(asyncio.gather(*(arrivals[name]() for name in order)))
            await asyncio.shield(arrived[0])  # the stop cancels who waits here
        async with plain(lease) as tx:
            yield tx

    monkeypatch.setattr(Lease, "write", overtaken)
    await here.serve()
    came = dict(zip(order, await arrived[0], strict=True))
    await here.serve()

    states = [(await here.run(run.id)).state for run in (waits, stopped)]
    assert states == [RunState.COMPLETED, RunState.CANCELLED]
    assert came["stop"].admission is Admission.STOPPED
    assert came["vote"].accepted is (order != ("stop", "words", "vote"))
    assert len(here.effect.calls) == came["vote"].accepted
    is_first = order.index("words") < order.index("stop")
    assert (came["words"].admission, came["words"].run_id) == (Admission.STEERS, (stopped if is_first else waits).id)
    assert here.codes().count("message.withdrawn") == is_first
    assert any(WORDS in text for text in _said_to_the_model(here)) is not is_first
    steps = here.base.rows("SELECT id FROM steps WHERE run_id = ?", stopped.id)
    assert len(steps) == (WRITES.index(write) > 1)


def _said_to_the_model(here: Harness) -> list[str]:
    return [str(part.get("text")) for one in here.model.requests for each in one.contents for part in wire.parts(each)]
