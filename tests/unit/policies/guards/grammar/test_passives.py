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
        "I want the supplier review moved",
        "I need the supplier review moved on “Friday”",
        "The supplier review needs to be moved please?",
        "The supplier review must be moved and right away",
        "The supplier review must be moved, so yes",
        "I need the supplier review moved at 3pm",
        "The supplier review must be moved by the afternoon",
        "Please could the supplier review be moved?",
        "Could this be moved?",
        "Could the supplier review at 3pm be moved to 4?",
        "Can the supplier review be moved, please, I am ill?",
        "Das supplier review muss verschoben werden bitte",
        "Es muss verschoben werden",
        "Kann das supplier review bitte verschoben werden",
        "Ich hätte das supplier review gern verschoben",
        "Ich hätte es gerne verschoben",
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
        "I moved the supplier review",
        "I need the supplier review moved?",
        "I hear you want the supplier review moved",
        "I said Dana would like the supplier review moved",
        "I need the supplier review moved from Monday",
        "I need the supplier review moved at",
        "Get Dana the supplier review moved",
        "The supplier review must be moved by Dana today",
        "The supplier review must be moved by",
        "Could the supplier review have moved?",
        "Could Dana the supplier review be moved?",
        "Could the supplier review Dana be moved?",
        "Should the supplier review be moved to Friday?",
        "Could the supplier review be moved for Dana?",
        "Can the supplier review be moved again?",
        "Could the meeting be moved?",
        "Das supplier review verschoben",
        "Das supplier review sollte verschoben werden",
        "Das supplier review muss Dana verschoben werden",
        "Könnte das supplier review verschoben werden",
        "Kann das supplier review verschoben werden?",
        "Ich hätte das supplier review gern verschoben?",
        "Ich hätte das supplier review verschoben",
        "Ich hätte das supplier review gern verschoben gesehen",
        "Ich hätte Danas supplier review gern verschoben",
        "Sie hätte das supplier review gern verschoben",
    ],
)
def test_what_is_told_or_done_by_others_does_not(text: str) -> None:
    """Nor what lacks a part, or says something else behind it."""
    assert not asks(text, VERBS, [REVIEW])
