"""One thread with a run of two steps of two actions, explored: the rules of `bot/domain` hold in every world."""

from __future__ import annotations

import pytest

from bot.domain import states
from bot.domain.actions import ACTION_MOVES, ActionState
from bot.domain.questions import QUESTION_MOVES
from bot.domain.runs import RUN_MOVES, RunState
from bot.domain.states import State
from tests.verification.explorer import moves, people, runs
from tests.verification.explorer.__main__ import SMALL
from tests.verification.explorer.conditions_out import BARE, HELD, KEYED, LATER, READ
from tests.verification.explorer.runs import Bounds
from tests.verification.explorer.search import Search

Made = set[tuple[str, State, State]]
TABLES = {"run": RUN_MOVES, "action": ACTION_MOVES, "question": QUESTION_MOVES}
ELSEWHERE = {
    ("action", ActionState.PLANNED, ActionState.COMPLETED),  # the call that ends the run of an agent
    ("action", ActionState.AWAITING, ActionState.FAILED),  # the run of an agent that did its work failed
    *(("run", state, state) for state in (RunState.PLANNING, RunState.EXECUTING, RunState.AWAITING)),  # no move
}
"""Moves that this world does not make."""


def test_every_world_of_any_calls() -> None:
    """Whatever two steps call and whatever single disturbance comes: nothing is stuck, doubled or unapproved."""
    seen = Search(disturbances=SMALL).run()
    assert seen.worlds > 50_000
    assert seen.transitions > 150_000


@pytest.mark.parametrize("starts", [(KEYED, READ), (BARE,)], ids=["keyed and read", "bare"])
def test_every_world_of_one_step_twice_disturbed(starts: tuple[moves.Act, ...]) -> None:
    """One step and two disturbances at any places: the same holds."""
    assert Search(disturbances=2, bounds=Bounds(starts, 1)).run().worlds > 3_000


@pytest.mark.parametrize("bounds", [Bounds(HELD, 1, held=True), Bounds(LATER, 1)], ids=["held", "to be held"])
def test_every_world_of_what_is_held_back(bounds: Bounds) -> None:
    """What waits for its moment, and what is about to, with Undo, stops, crashes and other rules at any two places."""
    assert Search(disturbances=2, bounds=bounds).run().worlds > 500


def test_every_move_of_the_tables_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search makes every move that the tables have, and no other: none of them is only written down."""
    made: Made = set()

    def check(kind: str, table: object, from_: State, to: State) -> None:
        states.check_move(kind, TABLES[kind], from_, to)
        assert table is TABLES[kind]
        made.add((kind, from_, to))

    for module in (moves, people, runs):
        monkeypatch.setattr(module, "check_move", check)
    Search(disturbances=1).run()
    written = {(kind, from_, to) for kind, table in TABLES.items() for from_, all_ in table.items() for to in all_}
    assert written - made - ELSEWHERE == set()
