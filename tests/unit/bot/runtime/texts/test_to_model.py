"""What the runtime tells the model: one form for every call without a result."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.domain.actions import ActionState
from bot.runtime.texts import to_model
from tests import builders as make


@pytest.mark.parametrize(
    ("response", "code"),
    [
        (to_model.rejected("too early"), "rejected_by_user"),
        (to_model.denied("The rule says so."), "denied_by_policy"),
        (to_model.expired(), "nobody_answered"),
        (to_model.cancelled(make.action()), "cancelled"),
        (to_model.outcome_unknown("Gmail, under Sent"), "outcome_unknown"),
        (to_model.too_many_calls(16), "too_many_calls"),
        (to_model.repeated(), "repeated_call"),
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
    assert "too early" in str(to_model.rejected("too early"))
    assert "reason" not in str(to_model.rejected(""))
    assert "The rule says so." in str(to_model.denied("The rule says so."))
    assert "Gmail" in str(to_model.outcome_unknown("Gmail, under Sent"))
    assert "Look" not in str(to_model.outcome_unknown(""))


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
    response: Any = to_model.unsettled(make.action(state=state))
    assert response["error"]["code"] == code


def test_what_the_model_is_to_do_about_a_no_is_no_sentence_for_people() -> None:
    """The message can be repeated to the person who said “Not now”; what the model is to do stands apart."""
    told = cast("dict[str, str]", to_model.not_connected_now()["error"])
    assert "try it again" not in told["message"]
    assert "the person" not in told["message"].lower()
    assert "do not try it again" in told["try"]


def test_an_edit_is_told_where_the_record_of_the_call_was_cut() -> None:
    """Without the arguments of its call, every argument that counts now is named."""
    cut = make.action(args_proposed='{"text": "it', args='{"text": "that"}')
    edited: Any = to_model.edited({"output": {}}, cut)["edited_by_person"]
    assert edited["arguments"] == {"text": "that"}
