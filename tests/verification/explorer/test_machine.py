"""The real runtime under any events in any order, against the explored world, on both databases.

`python -m tests.verification.explorer.machine --examples 1000` takes more ways, and others each time; so do the tests
marked chaos.
"""

from __future__ import annotations

import pytest

from tests.postgres import PostgresServer
from tests.verification.explorer.machine import explore

MODEST, STEPS = 8, 30
FEW = 3  # the runtime is the same on both databases; PostgreSQL takes longer
MANY, FEWER, MORE_STEPS = 20, 8, 50


def test_every_way_on_sqlite() -> None:
    """Every commit of the runtime is a move of the explored world, and everything comes to an end."""
    explore(None, examples=MODEST, steps=STEPS, derandomize=True)


def test_every_way_on_postgresql(postgres: PostgresServer) -> None:
    """The same over PostgreSQL."""
    explore(postgres, examples=FEW, steps=STEPS, derandomize=True)


@pytest.mark.chaos
@pytest.mark.timeout(1200)
def test_many_ways_on_sqlite() -> None:
    """The same, other ways each time."""
    explore(None, examples=MANY, steps=MORE_STEPS, shrink=True)


@pytest.mark.chaos
@pytest.mark.timeout(1200)
def test_many_ways_on_postgresql(postgres: PostgresServer) -> None:
    """The same, other ways each time, over PostgreSQL."""
    explore(postgres, examples=FEWER, steps=MORE_STEPS, shrink=True)
