"""The card that asks its owner what became of an action, because nobody else can tell."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.domain.actions import ActionState
from bot.domain.questions import Choice, QuestionKind, QuestionState
from bot.slack.views import card
from tests.unit.bot.slack.cases import NOW, card_view, preview

ASKED: dict[str, Any] = {
    "kind": QuestionKind.SETTLE,
    "outcome": ActionState.UNKNOWN,
    "doubt": True,
    "detail": "Gmail, under Sent",
    "link": "https://mail.google.com/mail/u/0/#sent",
    "choices": (Choice.HAPPENED, Choice.DID_NOT, Choice.TRY_AGAIN),
    "preview": preview(warnings=["First contact: helen@x.example"]),
}


def shown(**changes: Any) -> str:
    return json.dumps(card.card(card_view(**{**ASKED, **changes})).blocks, ensure_ascii=False)


def test_it_says_what_is_not_known_and_where_to_look() -> None:
    """It asks whether it was done, not whether to do it, and has a way to where its owner can see that."""
    blocks = shown()
    assert '"Was this done?"' in blocks
    assert "No answer came back, so I do not know whether this was done. Please look: Gmail, under Sent." in blocks
    assert "https://mail.google.com/mail/u/0/#sent" in blocks
    assert "“It happened” and “It did not” end it; “Try again” does it once more." in blocks
    assert "Send this mail?" not in blocks


def test_without_a_place_to_look_it_asks_all_the_same() -> None:
    """A tool that knows no place leaves that out."""
    blocks = shown(detail="", link=None)
    assert "I do not know whether this was done. Please look whether it was." in blocks
    assert '"Open"' not in blocks


def test_it_has_nothing_of_the_card_that_asked_before_it() -> None:
    """Neither why policy asked nor what was to be known before it was approved: it may have been done."""
    blocks = shown()
    assert "you asked to be asked" not in blocks
    assert "level.supervised" not in blocks
    assert "First contact" not in blocks


@pytest.mark.parametrize(
    ("choice", "outcome", "said"),
    [
        (Choice.HAPPENED, ActionState.COMPLETED, "Answered “It happened”"),
        (Choice.DID_NOT, ActionState.FAILED, "Answered “It did not”"),
    ],
)
def test_its_final_form_has_the_answer(choice: Choice, outcome: ActionState, said: str) -> None:
    """Under the same title stands what its owner said, and nothing is asked any more."""
    answered = {"state": QuestionState.DECIDED, "decision": choice, "decided_by": "U1DANA", "decided_at": NOW}
    blocks = shown(**answered, outcome=outcome, doubt=False, detail="")
    assert '"Was this done?"' in blocks
    assert said in blocks
    assert "No answer came back" not in blocks
