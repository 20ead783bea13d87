"""The clock that replicas agree on: it goes on from what the database said, however a machine's own is set."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import pytest

from bot.clock import SyncedClock, SystemClock
from tests.builders import NOW


@dataclass(slots=True)
class Stopwatch:
    """Seconds that pass when a test says so."""

    at: float = 100.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def watch() -> Stopwatch:
    return Stopwatch()


@pytest.fixture
def clock(watch: Stopwatch) -> SyncedClock:
    return SyncedClock(watch)


def test_before_anybody_was_asked_it_is_this_machines(clock: SyncedClock) -> None:
    """There is nothing better."""
    assert abs(clock.now() - SystemClock().now()) < timedelta(seconds=5)


def test_it_goes_on_from_what_was_said_halfway_between_question_and_answer(
    clock: SyncedClock, watch: Stopwatch
) -> None:
    """Half a second after a question that took as long: a quarter after the moment that was said."""
    clock.agree(NOW, asked=100.0, answered=100.5)
    watch.at = 100.5
    assert clock.now() == NOW + timedelta(seconds=0.25)
    watch.at = 160.25
    assert clock.now() == NOW + timedelta(minutes=1)


def test_an_answer_that_took_long_changes_nothing(clock: SyncedClock, watch: Stopwatch) -> None:
    """Who knows when it was given: what is known already is nearer; only where nothing is known it counts."""
    clock.agree(NOW, asked=80.0, answered=100.0)
    assert clock.now() == NOW + timedelta(seconds=10)
    clock.agree(NOW + timedelta(hours=1), asked=90.0, answered=100.0)
    assert clock.now() == NOW + timedelta(seconds=10)
    clock.agree(NOW + timedelta(hours=1), asked=99.5, answered=100.5)
    assert clock.now() == NOW + timedelta(hours=1)


def test_it_does_not_stand_still() -> None:
    """As the product makes it: on the machine's own count of seconds."""
    clock = SyncedClock()
    clock.agree(NOW, asked=clock.elapsed(), answered=clock.elapsed())
    first = clock.now()
    assert NOW <= first < clock.now() + timedelta(microseconds=1)
