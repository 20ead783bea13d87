"""What a transaction tells others, it tells once it is durable."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.events import Event, HomeChanged
from bot.runtime.core.lease import leased
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


async def test_a_worker_needs_no_wake_up_for_what_it_commits_itself(here: Harness) -> None:
    """Its own thread is not woken by what is committed under its lease, unless the process is about to end by then:
    somebody else goes on with it.
    """
    dispatcher = Nobody()
    async with leased(replace(here.transactions, dispatcher=dispatcher), "thr_1", "here") as lease:
        assert lease is not None
        async with lease.write() as tx:
            tx.wake("thr_1")
            tx.wake("thr_2")
        assert dispatcher.woken == ["thr_2"]
        async with lease.write() as tx:
            tx.wake("thr_1")
            dispatcher.closing = True
    assert dispatcher.woken == ["thr_2", "thr_1"]
