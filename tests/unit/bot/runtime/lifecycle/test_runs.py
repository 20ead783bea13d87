"""However a run ends, its end is in the outbox with it."""

from __future__ import annotations

import pytest

from bot.domain.deliveries import DeliveryKind
from bot.domain.runs import RunState
from bot.runtime.lifecycle.progress import finish_run
from tests.unit.bot.runtime.runtime_harness import Harness


@pytest.mark.parametrize("end", [RunState.COMPLETED, RunState.FAILED, RunState.CANCELLED, RunState.PAUSED])
async def test_every_end_is_to_be_told(here: Harness, end: RunState) -> None:
    """The transaction that ends a run, or lets it rest, holds the delivery that says so."""
    run = await here.request(state=RunState.PLANNING)
    async with here.transactions.write() as tx:
        await finish_run(tx, run, end, summary="It is over.")
    told = here.base.rows("SELECT subject, lane, state FROM outbox WHERE kind = ?", DeliveryKind.ANSWER.value)
    assert told == [{"subject": run.id, "lane": run.thread_id, "state": "pending"}]
