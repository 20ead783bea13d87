"""What a transaction tells others, it tells once it is durable."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.events import Event, HomeChanged
from tests.builders import DANA, TEAM
from tests.dispatchers import Nobody
from tests.unit.bot.runtime.runtime_harness import Harness


async def test_nobody_hears_of_what_is_not_durable(here: Harness) -> None:
    """Within the block nothing is told and nobody woken; after a block that raised neither ever happens."""
    dispatcher, heard = Nobody(), list[Event]()
    transactions = replace(here.transactions, dispatcher=dispatcher)
    transactions.bus.attend(heard.append)

    async def tells(*, fails: bool) -> None:
        async with transactions.write() as tx:
            tx.publish(HomeChanged(TEAM, DANA))
            tx.wake("thr_1")
            assert (heard, dispatcher.woken) == ([], [])
            if fails:
                raise RuntimeError("it breaks")

    with pytest.raises(RuntimeError, match="it breaks"):
        await tells(fails=True)
    assert (heard, dispatcher.woken) == ([], [])
    await tells(fails=False)
    assert (heard, dispatcher.woken) == ([HomeChanged(TEAM, DANA)], ["thr_1"])
