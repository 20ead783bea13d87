"""What the runtime says: to the model in one form, to people with what was done and what was not."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.domain.actions import ActionState
from bot.runtime import words
from integrations.errors import Lack
from policies.types import EffectClass
from tests import builders as make


@pytest.mark.parametrize(
    ("response", "code"),
    [
        (words.rejected("too early"), "rejected_by_user"),
        (words.denied("The rule says so."), "denied_by_policy"),
        (words.expired(), "nobody_answered"),
        (words.cancelled(make.action()), "cancelled"),
        (words.outcome_unknown("Gmail, under Sent"), "outcome_unknown"),
        (words.too_many_calls(16), "too_many_calls"),
        (words.repeated(), "repeated_call"),
        (words.after_stop(), "tools_off"),
    ],
)
def test_every_failure_has_one_form(response: dict[str, Any], code: str) -> None:
    """The model reads a code, whether trying again can help, and a sentence."""
    error = response["error"]
    assert error["code"] == code
    assert isinstance(error["retryable"], bool)
    assert error["message"].endswith((".", "Sent", "early"))
    assert error.keys() <= {"code", "retryable", "message", "try"}


def test_what_a_person_or_policy_said_is_passed_on() -> None:
    """A reason goes to the model; without one the sentence still stands."""
    assert "too early" in str(words.rejected("too early"))
    assert "reason" not in str(words.rejected(""))
    assert "The rule says so." in str(words.denied("The rule says so."))
    assert "Gmail" in str(words.outcome_unknown("Gmail, under Sent"))
    assert "Look" not in str(words.outcome_unknown(""))


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (ActionState.UNKNOWN, "outcome_unknown"),
        (ActionState.EXPIRED, "nobody_answered"),
        (ActionState.PLANNED, "cancelled"),
        (ActionState.CANCELLED, "cancelled"),
    ],
)
def test_a_call_without_a_response_gets_one_in_words(state: ActionState, code: str) -> None:
    """Whatever state it was left in, the model is told which."""
    response: Any = words.unsettled(make.action(state=state))
    assert response["error"]["code"] == code


@pytest.mark.parametrize("state", ActionState)
def test_doubt_is_always_said(state: ActionState) -> None:
    """Whatever became of an action, an attempt that may have happened is mentioned."""
    told = words.outcome(make.action(state=state, attempt=2, doubt=True))
    assert "may have happened" in told or "not known whether this happened" in told
    assert "attempt 2" not in words.outcome(make.action(state=state, attempt=2))
    assert "attempt 2 may have happened" in str(words.cancelled(make.action(attempt=2, doubt=True))).lower()


def test_only_what_was_done_is_called_done() -> None:
    """No state but completed is told as done."""
    done = {state for state in ActionState if words.outcome(make.action(state=state)) == "done"}
    assert done == {ActionState.COMPLETED}


def test_the_ledger_tells_of_changes_first() -> None:
    """A line for each side effect; when there was none, the last things looked at."""
    sent = make.action(caption="Send", state=ActionState.COMPLETED)
    looked = [make.action(caption=f"Look {n}", effect=EffectClass.READ, state=ActionState.COMPLETED) for n in range(9)]
    assert words.ledger([*looked, sent]) == ["• Send: done"]
    assert words.ledger(looked) == [f"• Look {n}: done" for n in range(4, 9)]
    assert words.joined("Stopped.", ["• Send: done"]) == "Stopped.\n• Send: done"
    assert words.joined("Stopped.", []) == "Stopped. Nothing was changed."


def test_unknown_tools_are_named_briefly() -> None:
    """At most three names, each cut: what the model invents is not repeated at length."""
    told = words.unknown_tool(["x" * 500, "b", "c", "d"])
    assert "“b”, “c”" in told
    assert "“d”" not in told
    assert len(told) < 400


def test_a_defect_is_told_with_an_id_to_quote() -> None:
    """Never an exception's text; the run's id."""
    run = make.run()
    assert run.id in words.run_failed(run)


def test_what_the_model_is_to_do_about_a_no_is_no_sentence_for_people() -> None:
    """The message can be repeated to the person who said “Not now”; what the model is to do stands apart."""
    told = cast("dict[str, str]", words.not_connected_now()["error"])
    assert "try it again" not in told["message"]
    assert "the person" not in told["message"].lower()
    assert "do not try it again" in told["try"]


def test_an_account_may_have_been_connected_before() -> None:
    """Right after disconnecting nobody is told that nothing was connected yet."""
    _, why = words.CONNECT_CARDS[Lack.ACCOUNT]
    assert "yet" not in why
