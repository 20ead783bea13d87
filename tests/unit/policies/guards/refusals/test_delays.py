"""Sendings that are put off, and those of other people."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policies.guards.grammar.affirmed import included, prompt
from tests.unit.policies.guards.office import BOARD, HELEN, add, asked, invite, send

PUT_OFF = (
    "Send the offer to Helen on Friday",
    "On Friday, send the offer to Helen",
    "Tomorrow morning, send the offer to Helen",
    "Send the offer to Helen next week",
    "Send the offer to Helen in an hour",
    "Send the offer to Helen at 5pm",
    "Send the offer to Helen after lunch",
    "Send the offer to Helen after the board meeting",
    "Tell Helen tomorrow that I'm late",
    "Schick das Angebot morgen an Frau Helen",
    "Schick das Angebot erst am Freitag an Frau Helen",
)
BY_OTHERS = (
    "I'll send the offer to Helen. Tell Dana.",
    "Luis will send the offer to Helen. Tell Dana about it",
    "Dana has to send the offer to Helen, remind her",
    "I sent the offer to Helen. Tell Dana",
)
NOW = (
    "Send the offer to Helen today",
    "Send the report to Helen by Friday",
    "Send the agenda for Friday to Helen",
    "Send Helen the minutes of the meeting on Friday",
    "Tell Helen I'm away tomorrow",
    "Ask Helen if she can come on Friday",
    "Ask Helen when she can meet next week",
    "Remind Helen about the meeting tomorrow",
    "Reply to Helen: Friday at 3 is fine",
    "Email Helen that the meeting on Friday is cancelled",
    "Write to Helen that I will send the contract on Friday",
    "We need to send the offer to Helen",
    "Send the report to Helen before Friday",
    "Send Helen the photos of the time after the storm that hit us",
)


@pytest.mark.parametrize("text", PUT_OFF)
def test_what_is_to_be_sent_later_is_not_sent_now(text: str) -> None:
    """Unless the call itself says that it leaves later."""
    call = send(HELEN)
    assert asked(call, text) == "destination"
    assert asked(replace(call, impact=replace(call.impact, is_later=True)), text) == ""
    assert prompt(text).strip(" …") == ""


@pytest.mark.parametrize("text", BY_OTHERS)
def test_who_gets_something_from_somebody_else_is_not_named(text: str) -> None:
    """Nor who gets it from its owner."""
    assert asked(send(HELEN), text) == "destination"
    assert "Helen" not in included(text)


@pytest.mark.parametrize("text", NOW)
def test_a_time_of_something_else_puts_nothing_off(text: str) -> None:
    """What somebody is told, or what is sent, is about it."""
    assert asked(send(HELEN), text) == ""


def test_the_time_of_an_event_puts_nothing_off() -> None:
    """People are invited to it now."""
    assert asked(invite(HELEN), "Book lunch with Helen tomorrow") == ""
    assert asked(invite(HELEN), "Invite Helen to lunch on Friday") == ""
    assert asked(add(BOARD, HELEN), "Tomorrow add helen@marsh.example to the board meeting") == ""
