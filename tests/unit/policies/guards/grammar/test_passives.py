"""What says that something becomes of a thing: which of it asks for that, and which only tells of it."""

from __future__ import annotations

import pytest

from policies.guards.wishes import asks
from policies.guards.words import words_of

REVIEW = words_of("Supplier review")
VERBS = ["move", "… verschieben"]


@pytest.mark.parametrize(
    "text",
    [
        "I need the supplier review moved",
        "I really need the supplier review moved",
        "I would like the supplier review moved",
        "I'd prefer the supplier review moved",
        "I need the supplier review moved at 3",
        "I need the supplier review moved Friday",
        "I need the supplier review moved until Friday",
        "I need the supplier review moved roughly at 3",
        "I need the supplier review moved by about an hour",
        "The supplier review must be moved by two hours",
        "Could the supplier review be moved?",
        "Could the supplier review be moved, please?",
        "Could that be moved to 3?",
        "Das supplier review muss verschoben werden",
        "Kann das supplier review auf 15 Uhr verschoben werden?",
    ],
)
def test_a_need_or_a_polite_question_asks(text: str) -> None:
    """Where nothing follows but to when."""
    assert asks(text, VERBS, [REVIEW])


@pytest.mark.parametrize(
    "text",
    [
        "I like the supplier review moved",
        "I prefer the supplier review moved",
        "Need the supplier review moved",
        "We the supplier review moved",
        "I need the supplier review moved at once",
        "I need the supplier review moved at the start",
        "I need the supplier review moved Dana",
        "I need the supplier review moved by Dana",
        "I need the supplier review moved by the team",
        "The supplier review must be moved by Dana",
        "The supplier review needs to be moved, right?",
        "Could the supplier review be moved",
        "Can the supplier review be moved to Friday",
        "Could be moved?",
        "The supplier review be moved?",
        "Verschoben werden",
        "Das supplier review verschoben werden",
        "Das supplier review muss noch verschoben werden",
        "Das supplier review muss, wenn du kannst, verschoben werden",
        "Das supplier review kann bitte verschoben werden",
        "Das supplier review kann auf 15 Uhr verschoben werden?",
    ],
)
def test_what_is_told_or_done_by_others_does_not(text: str) -> None:
    """Nor what lacks a part, or says something else behind it."""
    assert not asks(text, VERBS, [REVIEW])
