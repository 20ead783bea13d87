"""One thing of a round: what goes wrong in it is logged, and keeps no other from its turn."""

from __future__ import annotations

from structlog.testing import capture_logs

from bot.runtime.core.batch import isolated
from bot.runtime.core.lease import TransactionFactory
from bot.store.errors import NotSaved


async def test_an_outage_is_no_defect(transactions: TransactionFactory) -> None:
    """When the store is away the log has the reason and no traceback; a defect has one."""
    with capture_logs() as logs:
        async with isolated(transactions, "expiry", "question_1"):
            raise NotSaved("The disk is full.")
        async with isolated(transactions, "expiry", "question_2"):
            raise KeyError
    outage = {"job": "expiry", "about": "question_1", "why": "The disk is full.", "log_level": "error"}
    assert logs[0] == {"event": "round.store_in_trouble", **outage}
    assert (logs[1]["event"], logs[1]["exc_info"]) == ("round.failed", True)
