"""What a later message takes back."""

from __future__ import annotations

import pytest

from policies.guards.grammar.retractions import takes_back


@pytest.mark.parametrize(
    "text",
    [
        "No, to Dana",
        "nope",
        "Oh no, that's the other one",
        "Stop!",
        "Wait, leave it as it is",
        "Please don't",
        "Do not send it",
        "I don't want it",
        "Never mind",
        "Forget it",
        "Please scratch that",
        "Cancel that",
        "Actually, keep it",
        "Actually not",
        "Not to Helen",
        "Send it to Dana instead",
        "Sorry, wrong address!",
        "I meant Dana",
        "Sorry, typo: dana@acme.com",
        "I'd rather keep it",
        "Nein, an Dana",
        "Halt",
        "Stopp, das ist falsch",
        "Nicht an Helen",
        "Schick es doch nicht",
        "Vergiss es",
        "Lieber an Dana",
        "Ich meinte Dana",
    ],
)
def test_a_message_takes_back_what_was_said_before(text: str) -> None:
    """By its first words, or by a word for a mistake or for something else."""
    assert takes_back(text)


@pytest.mark.parametrize(
    "text",
    [
        "Send it to Dana",
        "And tell Helen that it's not ready",
        "No problem, send it",
        "Don't forget Helen",
        "Not urgent",
        "Vergiss nicht, Helen zu schreiben",
        "Actually, also invite Luis",
        "Wait, Luis too",
        "Move it to 4 instead",
        "No, at 4 pm",
        "Lieber um 16 Uhr",
        "Rather on Tuesday",
        "",
    ],
)
def test_other_messages_take_nothing_back(text: str) -> None:
    """Such as those that add something, or only give another day or time."""
    assert not takes_back(text)
