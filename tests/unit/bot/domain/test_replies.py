"""Replies: which words decide nothing, which reject, which are words, and which option they name."""

from __future__ import annotations

import pytest

from bot.domain.replies import Reply, meaning, named
from integrations.base import Option

SAID = {
    Reply.STOP: ["stop", "Stop!", "STOP.", " stop, please "],
    Reply.YES: [
        "yes",
        "OK!",
        "Yes, please",
        "ok send it",
        "Do it.",
        "send it, thanks",
        ":+1:",
        "go ahead",
        "looks good",
        "yes, save it",
        "Book it, please",
        "ok, invite them",
    ],
    Reply.NO: [
        "no",
        "No thanks",
        "don’t",
        "don't send it, please",
        "nope!",
        "do not do it",
        "Cancel.",
    ],
    Reply.WORDS: [
        "",
        "no, make it Friday",
        "cancel Friday's tea",
        "yes but to Priya",
        "send it to Priya",
        "save it as a draft",
        "move it to Friday",
        "stop sending mails to Helen",
        "thanks",
        "nobody",
    ],
}


@pytest.mark.parametrize(("reply", "typed"), [(reply, typed) for reply, each in SAID.items() for typed in each])
def test_what_a_reply_means(reply: Reply, typed: str) -> None:
    """Only a whole message is a yes, a no or a stop, however it is written; the rest is words to go on with."""
    assert meaning(typed) is reply


HELEN, EVE = "helen@marsh.example", "eve@evil.example"


def chosen(typed: str, *labels: str) -> str | None:
    """Whom these words name, where Eve goes by each of these names and Helen by her own."""
    options = [*(Option(value=EVE, label=label) for label in labels), Option(value=HELEN, label="Helen Ito")]
    place = named(options, typed)
    return None if place is None else options[place].value


@pytest.mark.parametrize(
    ("typed", "option"),
    [
        ("helen@marsh.example", HELEN),
        (" Helen@MARSH.example ", HELEN),
        ("helen ito", HELEN),
        ("#2", HELEN),
        ("２.", HELEN),
        ("1", EVE),
        ("Eve Stone", EVE),
        ("3", None),
        ("", None),
        ("Helen Ito or Eve", None),
    ],
)
def test_an_option_is_named_by_its_value_number_or_label(typed: str, option: str | None) -> None:
    """Whole, and whatever the case; other words choose nothing."""
    assert chosen(typed, "Eve Stone") == option


@pytest.mark.parametrize(
    ("label", "typed", "option"),
    [
        ("tarquin@good.example", "tarquin@good.example", None),
        ("tarquin＠good.example", "tarquin@good.example", None),
        ("tarquin@good.example", "Tarquin@Good.example", None),
        ("helen@marsh.example", "helen@marsh.example", HELEN),
        ("good.com", "good.com", None),
        ("https://good.com/helen", "https://good.com/helen", None),
        ("mail Helen@Marsh", "mail helen@marsh", None),
        ("2", "2", HELEN),
        ("#2.", "#2.", HELEN),
        ("２", "２", HELEN),
        ("No", "no", None),
        ("Yes, please", "yes please", None),
    ],
)
def test_a_label_that_reads_as_an_answer_names_nothing(label: str, typed: str, option: str | None) -> None:
    """Outsiders choose their names: one who is called as the owner will answer is not chosen by that."""
    assert chosen(typed, label) == option


def test_no_letter_of_an_address_becomes_another_one() -> None:
    """ß is not ss in an address, as everywhere where addresses are compared."""
    assert named([Option(value="strasse@evil.example", label="S.")], "straße@evil.example") is None
