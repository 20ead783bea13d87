"""The state machines: the only moves there are, as docs/states.md tells them, and a caption for every state."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bot.domain.actions import ACTION_MOVES, SETTLED, ActionState
from bot.domain.deliveries import DeliveryState
from bot.domain.questions import QUESTION_MOVES, QuestionState
from bot.domain.runs import RUN_MOVES, RunState
from bot.domain.schedules import SCHEDULE_MOVES, ScheduleState
from bot.domain.states import IllegalMove, State, check_move

RUNS = {
    "queued": "planning cancelled",
    "planning": "planning executing completed failed paused cancelled",
    "executing": "executing awaiting_confirmation planning paused cancelled",
    "awaiting_confirmation": "executing awaiting_confirmation planning paused cancelled",
    "completed": "",
    "failed": "",
    "cancelled": "",
    "paused": "planning executing awaiting_confirmation cancelled",
}
ACTIONS = {
    "planned": "approved awaiting_confirmation completed rejected denied failed cancelled",
    "awaiting_confirmation": "approved planned completed failed rejected denied expired cancelled",
    "approved": "executing planned denied cancelled awaiting_confirmation",
    "executing": "completed failed executing approved planned awaiting_confirmation unknown",
    "completed": "",
    "failed": "",
    "denied": "",
    "rejected": "",
    "expired": "planned",
    "cancelled": "",
    "unknown": "completed failed approved",
}
QUESTIONS = {
    "open": "decided replaced expired withdrawn",
    "decided": "",
    "replaced": "",
    "expired": "",
    "withdrawn": "",
}
SCHEDULES = {
    "active": "paused ended",
    "paused": "active ended",
    "ended": "",
}

MACHINES = [
    pytest.param(RunState, RUN_MOVES, RUNS, id="run"),
    pytest.param(ActionState, ACTION_MOVES, ACTIONS, id="action"),
    pytest.param(QuestionState, QUESTION_MOVES, QUESTIONS, id="question"),
    pytest.param(ScheduleState, SCHEDULE_MOVES, SCHEDULES, id="schedule"),
]


@pytest.mark.parametrize(("states", "table", "written"), MACHINES)
def test_the_moves_are_those_of_the_tables(
    states: type[State], table: Mapping[State, frozenset[State]], written: Mapping[str, str]
) -> None:
    """Every move that the document names is in the table, and no other one."""
    assert {state.value for state in states} == written.keys()
    assert {state.value: {to.value for to in table.get(state, frozenset())} for state in states} == {
        state: set(targets.split()) for state, targets in written.items()
    }


@pytest.mark.parametrize(("states", "table", "written"), MACHINES)
def test_a_move_outside_the_table_is_a_defect(
    states: type[State], table: Mapping[State, frozenset[State]], written: Mapping[str, str]
) -> None:
    """What no table names raises, and the words name both states."""
    for from_ in states:
        for to in states:
            if to.value in written[from_.value].split():
                check_move("thing", table, from_, to)
            else:
                with pytest.raises(IllegalMove, match=f"from {from_.value} to {to.value}"):
                    check_move("thing", table, from_, to)


@pytest.mark.parametrize("states", [RunState, ActionState, QuestionState, DeliveryState])
def test_every_state_has_a_caption(states: type[State]) -> None:
    """A caption that a person can read, another one for every state, also when the state comes from its word."""
    captions = [states(state.value).caption for state in states]
    assert all(captions)
    assert len(set(captions)) == len(captions)


def test_what_is_final_is_left_by_no_move() -> None:
    """Final runs have no moves, all others do; paused is neither final nor live."""
    assert {state for state in RunState if state.is_final()} == {
        state for state in RunState if not RUN_MOVES.get(state)
    }
    assert not RunState.PAUSED.is_final()
    assert {state.value for state in RunState if state.is_live()} == {
        "queued",
        "planning",
        "executing",
        "awaiting_confirmation",
    }
    assert {state.value for state in RunState if state.holds_thread()} == {"planning", "executing"}


def test_what_is_settled_is_left_by_no_move() -> None:
    """Settled are the five ends that a step does not wait for; nothing leads out of them."""
    assert {state.value for state in SETTLED} == {"completed", "failed", "denied", "rejected", "cancelled"}
    assert {state for state in ActionState if state.is_settled()} == SETTLED
    assert not any(ACTION_MOVES.get(state) for state in SETTLED)
