"""The real runtime under any events in any order, against the explored world, on both databases.

`python -m tests.verification.explorer.machine --examples 1000` takes more ways, and others each time; so do the tests
marked chaos.
"""

from __future__ import annotations

import pytest

from tests.depth import first
from tests.postgres import PostgresServer
from tests.verification.explorer.agreeing import Agreeing
from tests.verification.explorer.machine import explore

STEPS = 30
MANY, FEWER, MORE_STEPS = 60, 15, 50


class TestOnSQLite:
    """Classes are shared out among the workers."""

    @pytest.mark.parametrize("part", first(1, range(19)))
    def test_every_commit_is_a_move_of_the_explored_world(self, part: int) -> None:
        """Every commit of the runtime is a move of the explored world, and everything comes to an end."""
        explore(None, examples=10, steps=STEPS, number=part)

    @pytest.mark.parametrize("part", first(1, range(6)))
    def test_every_commit_is_one_where_others_have_to_agree(self, part: int) -> None:
        """The same of a mail to which others have to agree: who said yes, whose turn it is and who comes next, too."""
        explore(None, examples=4, steps=STEPS, number=40 + part, kind=Agreeing)

    @pytest.mark.chaos
    @pytest.mark.timeout(1200)
    def test_many_ways(self) -> None:
        """The same, other ways each time."""
        explore(None, examples=MANY, steps=MORE_STEPS, shrink=True)


class TestOnPostgreSQL:
    """The runtime is the same, and each way takes three times as long, so there are fewer."""

    @pytest.mark.parametrize("part", first(0, range(2)))
    def test_every_commit_is_a_move_of_the_explored_world(self, postgres: PostgresServer, part: int) -> None:
        """Every commit of the runtime is a move of the explored world, and everything comes to an end."""
        explore(postgres, examples=5, steps=STEPS, number=19 + part)

    @pytest.mark.deep
    def test_every_commit_is_one_where_others_have_to_agree(self, postgres: PostgresServer) -> None:
        """The same of a mail to which others have to agree."""
        explore(postgres, examples=5, steps=STEPS, number=46, kind=Agreeing)

    @pytest.mark.chaos
    @pytest.mark.timeout(1200)
    def test_many_ways(self, postgres: PostgresServer) -> None:
        """The same, other ways each time."""
        explore(postgres, examples=FEWER, steps=MORE_STEPS, shrink=True)
