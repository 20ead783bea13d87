"""Crashes of jobs: how long each rests, and what is forgotten."""

from __future__ import annotations

from bot.runtime.core.backoff import CrashBackoff


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
