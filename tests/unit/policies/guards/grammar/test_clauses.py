"""Clauses: what only begins as a question or a refusal does, and what is one behind that."""

from __future__ import annotations

import pytest

from policies.guards.grammar.clauses import one_of
from policies.guards.wishes import asks


@pytest.mark.parametrize(
    "text",
    [
        "I was wondering if you could move the review",
        "Do you mind moving the review?",
        "Don't forget to move the review",
        "If you could move the review",
    ],
)
def test_what_only_begins_as_a_question_or_a_refusal_asks(text: str) -> None:
    """People are polite in these words."""
    assert asks(text, ["move"])


@pytest.mark.parametrize(
    "text",
    [
        "I was wondering whether Dana asked if you could move the review",
        "Do they know if you could move the review",
        "Should we ask if you could move the review",
        "Have they said if you could move the review",
        "Can I ask if you could move the review",
        "Do people believe you can move the review",
    ],
)
def test_a_question_stays_one_whatever_polite_words_it_holds(text: str) -> None:
    """Only the words themselves that begin so are no question; “do they” and its like are two words."""
    assert not asks(text, ["move"])


@pytest.mark.parametrize(("said", "is_found"), [("move it", True), ("please drop", True), ("drop it", False)])
def test_each_form_is_looked_for_by_itself(said: str, is_found: bool) -> None:
    """What holds for the one does not for the other."""
    assert bool(one_of("^move", "drop$").search(said)) is is_found
