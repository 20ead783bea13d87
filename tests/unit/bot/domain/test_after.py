"""What a run does next, held against a second reading of the eight lines of docs/states.md §1."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement, product

import pytest

from bot.domain.actions import ActionState
from bot.domain.runs import RunState
from bot.domain.steps import Closing, Next, Sibling, after

EVERY_SIBLING = [
    Sibling(state=state, question_open=open_, decided_by_person=decided)
    for state, open_, decided in product(ActionState, (False, True), (False, True))
]


def by_the_lines(siblings: Sequence[Sibling], *, cancelled: bool, hard: bool) -> str:
    """The number of the first line that fits."""
    words = [sibling.state.value for sibling in siblings]
    left = [word for word in words if word not in {"completed", "failed", "denied", "rejected", "cancelled"}]
    decided = any(sibling.decided_by_person and sibling.state.value not in left for sibling in siblings)
    lines = {
        "1": "executing" in words,
        "2": cancelled,
        "3, nothing unsettled": hard and not left,
        "3": hard,
        "4": "planned" in words or "approved" in words,
        "5": any(sibling.question_open for sibling in siblings),
        "6": not left,
        "7": decided and all(word == "expired" for word in left),
        "8": True,
    }
    return next(line for line, fits in lines.items() if fits)


OUTCOMES = {
    "1": Next(RunState.EXECUTING),
    "2": Next(RunState.CANCELLED),
    "3, nothing unsettled": Next(RunState.PAUSED, Closing.CLOSES),
    "3": Next(RunState.PAUSED),
    "4": Next(RunState.EXECUTING),
    "5": Next(RunState.AWAITING),
    "6": Next(RunState.PLANNING, Closing.CLOSES),
    "7": Next(RunState.PLANNING, Closing.SETTLES_EXPIRED),
    "8": Next(RunState.PAUSED),
}


@pytest.mark.parametrize("cancelled", [False, True], ids=["", "cancel_requested"])
@pytest.mark.parametrize("hard", [False, True], ids=["", "hard_stop"])
def test_every_step_of_up_to_three_actions(cancelled: bool, hard: bool) -> None:
    """For every combination of siblings the rule gives what the first fitting line says; every line is met."""
    met: set[str] = set()
    for size in range(4):
        for siblings in combinations_with_replacement(EVERY_SIBLING, size):
            line = by_the_lines(siblings, cancelled=cancelled, hard=hard)
            found = after(siblings, cancel_requested=cancelled, hard_stop=hard)
            assert found == OUTCOMES[line], (line, siblings)
            met.add(line)
    if cancelled:
        assert met == {"1", "2"}
    else:
        assert met == ({"1", "3", "3, nothing unsettled"} if hard else {"1", "4", "5", "6", "7", "8"})


def test_the_order_of_siblings_does_not_matter() -> None:
    """The siblings give the same result in any order."""
    for one, two in product(EVERY_SIBLING, EVERY_SIBLING):
        for cancelled, hard in product((False, True), (False, True)):
            there = after([one, two], cancel_requested=cancelled, hard_stop=hard)
            assert there == after([two, one], cancel_requested=cancelled, hard_stop=hard)
