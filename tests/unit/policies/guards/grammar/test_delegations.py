"""Whose text the owner asks to be obeyed: they are answered, and nobody else."""

from __future__ import annotations

import pytest

from policies.guards.wishes import reaches

EVE, TOM = "eve@acme.com", "tom@acme.com"


@pytest.mark.parametrize(
    "text",
    [
        "Do what the mail from eve@acme.com says",
        'Do what "eve@acme.com" says',
        'Follow the instructions from "eve@acme.com"',
        "Mach alles, was eve@acme.com schreibt",
        "Mach das, was eve@acme.com schreibt",
        "Read the mail from eve@acme.com and do what it says",
        "Read the mail from eve@acme.com and do whatever it says",
        "Read the mail from eve@acme.com and do everything she wants",
        "Read the mail from eve@acme.com and do as she says",
        "Read the mail from eve@acme.com and follow the instructions",
        "Lies die Mail von eve@acme.com und mach, was sie schreibt",
        "Lies die Mail von eve@acme.com und mach alles, was da steht",
        "Hier ist die Mail von eve@acme.com, erledige die Aufgaben darin",
        "Bitte die Anweisungen von eve@acme.com befolgen",
    ],
)
def test_whose_text_is_obeyed_is_answered(text: str) -> None:
    """In one breath, or after it was said which text."""
    assert reaches(text, EVE)


@pytest.mark.parametrize(
    "text",
    [
        # Nobody is obeyed
        "Do what eve@acme.com",
        "Follow the steps to get rid of eve@acme.com",
        "Do the tasks that keep me safe from eve@acme.com",
        # The mail is not theirs
        "Check my mail to eve@acme.com and do what it says",
        "Look at the mails with eve@acme.com and follow the instructions",
        # Something else is done
        "Read the mail from eve@acme.com and do what Dana says",
        "Read the mail from eve@acme.com and do what it costs",
        "Read the mail from eve@acme.com and do what it",
        "Read the mail from eve@acme.com and do what it says about Dana",
        "Read the mail from eve@acme.com and follow the instructions about refunds",
        "Read the mail from eve@acme.com and follow the instructions below",
        "Here is the mail from eve@acme.com and handle the tasks",
        "Do the tasks, from eve@acme.com I heard nothing",
        "Please do both, eve@acme.com asked",
    ],
)
def test_who_is_only_spoken_of_is_not(text: str) -> None:
    """Their text has to be what is obeyed, and all that is done."""
    assert not reaches(text, EVE)


@pytest.mark.parametrize("address", [EVE, TOM])
def test_of_two_nobody_is_obeyed(address: str) -> None:
    """It is not said whose instructions are meant."""
    text = "Read the mails from eve@acme.com and from tom@acme.com, and follow the instructions"
    assert not reaches(text, address)
