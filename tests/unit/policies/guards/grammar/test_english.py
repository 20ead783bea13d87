"""English commands: where a word is one, and where it is a noun, or for its owner alone."""

from __future__ import annotations

import pytest

from policies.guards.wishes import asks


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Could we move the review?", "move"),
        ("Update my notes", "update"),
        ("Plan lunch: review", "plan"),
        ("Update figures: review", "update"),
        ("Setz es auf die Liste", "setz"),
        ("Book the room and move the review", "move"),
    ],
)
def test_a_command(text: str, verb: str) -> None:
    """At the beginning, with what it is done to."""
    assert asks(text, [verb])


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Could we still move the review?", "move"),
        ("Update it in my notes", "update"),
        ("Setz es auf meine Liste", "setz"),
        ("Update on the review", "update"),
        ("Update is due for the review", "update"),
        ("Plan for Friday: review", "plan"),
        ("Plan: review", "plan"),
        ("Dana will call and move the review", "move"),
        ("He called and move the review", "move"),
    ],
)
def test_no_command(text: str, verb: str) -> None:
    """A question, a noun, or what reaches nobody else."""
    assert not asks(text, [verb])
