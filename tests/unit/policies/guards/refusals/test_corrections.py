"""What a message takes back of itself, and what it holds back: from the findings of an attack."""

from __future__ import annotations

import pytest

from policies.guards.grammar.affirmed import affirmed
from policies.guards.grammar.retractions import gives_time
from policies.guards.refusals.corrections import standing
from tests.unit.policies.cases import DANA
from tests.unit.policies.guards.office import BOARD, HELEN, asked, move, send

CORRECTED = (
    "Send the offer to Helen. No wait, to Dana.",
    "Send the offer to Helen... no, to Dana",
    "Send the offer to Helen, sorry, Dana",
    "Send it to Helen – I mean Dana",
    "Send it to Helen. Sorry, I meant to Dana.",
    "Send it to Helen, no sorry, to Dana",
    "Send the offer to Helen. Scratch that, to Dana.",
    "Send the offer to Helen. Ah no. To Dana!",
    "Send it to Helen oops Dana",
    "Send the offer to Helen. Hang on, to Dana",
    "Send the offer to Helen, er, Dana",
    "Send the offer to Helen, or rather Dana",
    "Send the offer to Helen. On second thought, send it to Dana.",
    "Send the offer to Helen. Forget that, send it to Dana",
    "Send the offer to Helen. Actually send it to Dana",
    "Send the offer to Helen. Send it to Dana instead.",
    "Schick es an Frau Helen, nein, an Dana",
    "Schick es an Frau Helen. Quatsch, an Dana.",
    "Schick es an Frau Helen, ich meine an Dana",
)
HELD = (
    "Send the offer to Helen. Show me the text first",
    "Send the offer to Helen. First show me the text",
    "Send the offer to Helen, but show me first",
    "Send the offer to Helen, I want to see it first",
    "Send the offer to Helen. Let me read it beforehand.",
    "Before sending the offer to Helen, show it to me",
    "Ask me before you send the offer to Helen",
    "Let me check the text, then send it to Helen",
    "I'll check the text, then send it to Helen",
    "Draft a mail to Helen, I'll send it myself",
    "Draft a mail to Helen for my review",
    "Prepare a mail to Helen. I will send it.",
    "Write to Helen. Only a draft please",
    "Entwirf eine Mail an Frau Helen, ich schicke sie selbst",
    "Schick das Angebot an Frau Helen, zeig es mir vorher",
    "Send the offer to Helen. Wait for Dana.",
    "Send the offer to Helen. Hold it till Friday",
    "We should send the offer to Helen. Ask Dana what she thinks.",
    "I want to send the offer to Helen. What do you think?",
    "Send the offer to Helen. Check with Dana",
)


@pytest.mark.parametrize("text", CORRECTED)
def test_what_stands_before_a_correction_names_nobody(text: str) -> None:
    """What stands behind it does."""
    assert asked(send(HELEN), text) == "destination"
    assert DANA in affirmed(text) or "Dana" in affirmed(text)


@pytest.mark.parametrize("text", HELD)
def test_what_waits_for_its_owner_names_nobody(text: str) -> None:
    """They want to see it first, have somebody asked, or send it themselves."""
    assert asked(send(HELEN), text) == "destination"


@pytest.mark.parametrize(
    "text",
    [
        "Move the board meeting. No, don't.",
        "Move the board meeting to 3. Forget it.",
        "Move the board meeting to 3. Scratch that.",
        "Move the board meeting? No",
        "Move the board meeting. Ask Dana if that is ok",
        "Ask Dana first, then move the board meeting",
    ],
)
def test_what_was_taken_back_in_the_same_message_is_not_changed(text: str) -> None:
    """Its title counts no more."""
    assert asked(move(BOARD), text) == "object"


@pytest.mark.parametrize(
    "text",
    [
        "Tell Helen I'm late, sorry",
        "Tell Helen sorry, I can't make it",
        "Write to Helen and say no, thanks",
        "Actually, tell Helen that we agree",
        "No problem, tell Helen it's fine",
        "Tell Helen I mean it",
        "Tell Helen I'll do it myself",
        "Tell Helen I'd like to see the plan first",
        "Ask Helen to wait for Dana",
        "Ask Helen what she thinks about the plan",
        "Check the calendar, then tell Helen about it",
        "Tell Helen that we'd rather meet next week",
    ],
)
def test_what_only_sounds_so_is_done(text: str) -> None:
    """It is what somebody is told, or stands before all that is asked for."""
    assert asked(send(HELEN), text) == ""


def test_another_day_or_time_takes_nothing_back() -> None:
    """As in a message of its own."""
    assert asked(move(BOARD), "Move the board meeting to 3. No, at 4 pm") == ""
    assert standing("Move it to 3. No, at 4 pm", gives_time) == "Move it to 3. No, at 4 pm"


def test_the_last_correction_counts() -> None:
    """What stands between two of them was taken back, too."""
    assert standing("To Helen. No, to Luis. No, to Dana.", gives_time) == " …  to Dana."
    assert standing("To Dana, but show me first", gives_time) == ""
