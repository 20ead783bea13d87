"""Crashes of jobs: how long each rests, and what is forgotten; one thing of a round keeps no other from its turn."""

from __future__ import annotations

from structlog.testing import capture_logs

from bot.runtime.core.backoff import CrashBackoff
from bot.runtime.core.batch import isolated
from bot.runtime.core.lease import TransactionFactory
from bot.store.errors import NotSaved


class Hand:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_rest_is_a_second_and_doubles_up_to_a_minute() -> None:
    """Each crash in a row waits longer than the one before; another job waits for nothing."""
    hand = Hand()
    crashes = CrashBackoff(monotonic=hand)
    for count, rest in enumerate([1, 2, 4, 8, 16, 32, 60, 60], start=1):
        assert crashes.crashed("a") == count
        hand.seconds += rest - 0.5
        assert crashes.rests("a")
        assert not crashes.rests("b")
        hand.seconds += 0.5
        assert not crashes.rests("a")


def test_what_worked_begins_anew() -> None:
    """Only crashes in a row count, within ten minutes."""
    hand = Hand()
    crashes = CrashBackoff(monotonic=hand)
    crashes.crashed("a")
    crashes.worked("a")
    assert not crashes.rests("a")
    assert crashes.crashed("a") == 1
    hand.seconds = 601
    assert crashes.crashed("a") == 1


# One thing of a round ----------------------------------------------------------------------------------------------


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
