"""English commands: where a word is one, and where it is a noun, or for its owner alone."""

from __future__ import annotations

import pytest

from policies.guards.wishes import asks
from policies.guards.words import words_of


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Could we move the review?", "move"),
        ("Update my notes", "update"),
        ("Plan lunch: review", "plan"),
        ("Update figures: review", "update"),
        ("Setz es auf die Liste", "setz"),
        ("Book the room and move the review", "move"),
        ("Book the room, and move the review", "move"),
        ("Book and move the review", "move"),
        ("Book what is free and move the review", "move"),
        ("When you can, book a room and move the review", "move"),
        ("Dana will call and please move the review", "move"),
        ("For the supplier review please move it", "move"),
        ("Please move the review?", "move"),
        ("I need to move the review, can you do that?", "move"),
        ("I am ill, email Dana", "email"),
        ("Send Dana Okafor a reminder", "send"),
    ],
)
def test_a_command(text: str, verb: str) -> None:
    """At the beginning, with what it is done to, or behind another one, or a polite word."""
    assert asks(text, [verb], [words_of("Supplier review")])


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
        ("(He called and move the review", "move"),
        ("I am ill, he called and move the review", "move"),
        ("Book the room, he just called and move the review", "move"),
        ("Today he called and move the review", "move"),
        ("We called and move the review", "move"),
        ("Who called and move the review", "move"),
        ("Have they called and move the review", "move"),
        ("Dana will, and move the review", "move"),
        ("Dana called, today and move the review", "move"),
        ("Did Dana call, move the review", "move"),
        ("I wrote: move the review", "move"),
        ("Please my move, it is on Friday", "move"),
        ("It needs to change by Friday", "change"),
        ("Budget news, plan changes to the review", "plan"),
        ("Budget news, update figures Dana sent", "update"),
        ("Add to my list", "add"),
        ("Add it to your list", "add"),
        ("Setz es auf deine Liste", "setz"),
        ("Setz es zu meiner Liste", "setz"),
        ("Setz es zu deiner Liste", "setz"),
    ],
)
def test_no_command(text: str, verb: str) -> None:
    """A question, a noun, or what reaches nobody else."""
    assert not asks(text, [verb])
