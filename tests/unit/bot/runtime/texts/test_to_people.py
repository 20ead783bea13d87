"""What people are told: what was done and what was not, and never an exception's text."""

from __future__ import annotations

import pytest

from bot.domain.actions import ActionState
from bot.llm.model import ModelError
from bot.runtime.texts import to_model, to_people
from integrations.errors import Lack
from policies.types import EffectClass
from tests import builders as make


@pytest.mark.parametrize("state", ActionState)
def test_doubt_is_always_said(state: ActionState) -> None:
    """Whatever became of an action, an attempt that may have happened is mentioned."""
    told = to_people.outcome(make.action(state=state, attempt=2, doubt=True))
    assert "may have happened" in told or "not known whether this happened" in told
    assert "attempt 2" not in to_people.outcome(make.action(state=state, attempt=2))
    assert "attempt 2 may have happened" in str(to_model.cancelled(make.action(attempt=2, doubt=True))).lower()


def test_only_what_was_done_is_called_done() -> None:
    """No state but completed is told as done."""
    done = {state for state in ActionState if to_people.outcome(make.action(state=state)) == "done"}
    assert done == {ActionState.COMPLETED}


def test_the_ledger_tells_of_changes_first() -> None:
    """A line for each side effect; when there was none, the last things looked at."""
    sent = make.action(caption="Send", state=ActionState.COMPLETED)
    looked = [make.action(caption=f"Look {n}", effect=EffectClass.READ, state=ActionState.COMPLETED) for n in range(9)]
    assert to_people.ledger([*looked, sent]) == ["• Send: done"]
    assert to_people.ledger(looked) == [f"• Look {n}: done" for n in range(4, 9)]
    assert to_people.joined("Stopped.", ["• Send: done"]) == "Stopped.\n• Send: done"
    assert to_people.joined("Stopped.", []) == "Stopped. Nothing was changed."


def test_unknown_tools_are_named_briefly() -> None:
    """At most three names, each cut: what the model invents is not repeated at length."""
    told = to_people.unknown_tool(["x" * 500, "b", "c", "d"])
    assert "“b”, “c”" in told
    assert "“d”" not in told
    assert len(told) < 400


def test_a_defect_is_told_with_an_id_to_quote() -> None:
    """Never an exception's text; the run's id."""
    run = make.run()
    assert run.id in to_people.run_failed(run, [])


def test_a_model_that_refuses_is_told_without_its_own_words() -> None:
    """Whatever the error says, people read that the request was refused and what to do."""
    told = to_people.model_failed(ModelError("400 INVALID_ARGUMENT"))
    assert told.startswith("The language model refused this request, so I stopped. Please ask again")
    assert "400" not in told


def test_an_account_may_have_been_connected_before() -> None:
    """Right after disconnecting nobody is told that nothing was connected yet."""
    _, why = to_people.CONNECT_CARDS[Lack.ACCOUNT]
    assert "yet" not in why
