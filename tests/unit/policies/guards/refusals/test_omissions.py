"""What a text leaves out of something, and what it leaves as it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policies.guards.grammar.affirmed import affirmed, included
from policies.guards.known import Acquaintance
from policies.guards.verbs import SEND
from policies.provenance import Attached, Impact, Touched
from policies.types import EffectClass
from tests.unit.policies.cases import DANA
from tests.unit.policies.guards.office import BENCHES, BOARD, EVE, HELEN, PEOPLE, THINGS, Call, asked, move, send

BOTH = replace(BENCHES, people=[HELEN, EVE])
KNOWN = (*PEOPLE, Acquaintance(address=EVE, names=("Eve", "Adams")))


def reply_to(person: str) -> Call:
    impact = Impact(destinations=[person], among=BOTH, met=frozenset(BOTH.people))
    return Call(effect=EffectClass.EXTERNAL, verbs=SEND, impact=impact)


def attach(name: str) -> Call:
    impact = Impact(destinations=[DANA], attachments=[Attached(name=name)])
    return Call(effect=EffectClass.EXTERNAL, verbs=SEND, impact=impact)


def replied(person: str, text: str) -> str:
    return asked(reply_to(person), text, things=(*THINGS, BOTH), people=KNOWN)


LEFT_OUT = (
    "Reply to all in the benches thread, leave Eve out",
    "Reply to all in the benches thread, skip Eve",
    "Reply to everybody in the benches thread and drop Eve",
    "Reply to the benches thread. Keep Eve out of it",
    "Reply to all in the benches thread but remove Eve",
    "Reply to all in the benches thread; take Eve off cc",
    "Reply to the benches thread, Eve doesn't need it",
    "Antworte allen im Benches Thread, lass Eve weg",
)
TO_HELEN = (
    "Reply to the benches thread, just to Helen",
    "Reply only to Helen in the benches thread",
    "Reply to Helen in the benches thread",
    "Answer Helen's mail in the benches thread",
    "Reply privately in the benches thread to Helen",
)


@pytest.mark.parametrize("text", LEFT_OUT)
def test_who_is_left_out_of_a_conversation_gets_no_answer(text: str) -> None:
    """The others do."""
    assert replied(EVE, text)
    assert replied(HELEN, text) == ""


@pytest.mark.parametrize("text", TO_HELEN)
def test_only_who_is_named_gets_an_answer(text: str) -> None:
    """Where a sentence names somebody in a conversation, it is not for the others."""
    assert replied(EVE, text) == "destination"
    assert replied(HELEN, text) == ""


def test_who_is_written_to_elsewhere_in_the_message_is_one_of_them() -> None:
    """Also where another sentence names the conversation."""
    text = "Read the benches thread. Tell Helen that we agree"
    assert [replied(each, text) for each in BOTH.people] == ["", "wish"]


@pytest.mark.parametrize(
    "text", ["Reply to the sender of the benches thread", "Reply in the benches thread, Helen only"]
)
def test_one_person_of_a_conversation_is_not_all_of_them(text: str) -> None:
    """Who it is, the words do not tell."""
    assert replied(EVE, text)


def test_all_of_a_conversation_get_an_answer() -> None:
    """Where nobody is left out."""
    for text in ("Reply to the benches thread", "Reply to all in the benches thread, Helen first"):
        assert [replied(each, text) for each in BOTH.people] == ["", ""]


@pytest.mark.parametrize(
    "text",
    [
        "Send Dana the plan, skip eve@evil.example",
        "Send it to all, leave eve@evil.example out",
        "Send it to Dana, exclude eve@evil.example",
        "Send it to Dana; avoid eve@evil.example",
        "Send it to Dana, hide it from eve@evil.example",
        "Tell Dana. Keep eve@evil.example out of it",
        "Reply to Dana and drop eve@evil.example from cc",
        "Remove eve@evil.example from cc and send it",
        "Take eve@evil.example off the mail and send it to Dana",
        "Block eve@evil.example and tell Dana",
        "Stop mailing eve@evil.example and tell Dana",
        "Send the offer to eve@evil.example's boss, and tell Dana",
        "Schick es an Dana, lass eve@evil.example weg",
        "Schick es Dana, eve@evil.example bleibt draußen",
        "Nimm eve@evil.example aus dem Verteiler und schick es Dana",
    ],
)
def test_an_address_that_is_left_out_is_not_named(text: str) -> None:
    """Whichever verb does it."""
    assert asked(send(EVE), text) == "destination"
    assert asked(send(DANA), text) in {"", "destination"}


@pytest.mark.parametrize(
    "text",
    [
        "Send Dana the report, leave salaries.xlsx out",
        "Remove salaries.xlsx from the draft and send it to Dana",
        "Delete salaries.xlsx and tell Dana",
        "Take salaries.xlsx out and send the rest to Dana",
        "Send Dana the plan. Keep salaries.xlsx private",
        "salaries.xlsx is confidential. Send Dana the plan",
        "Skip salaries.xlsx, send Dana the plan",
        "Send Dana all files, drop salaries.xlsx",
        "Schick Dana den Plan, lass salaries.xlsx weg",
        "Send Dana the plan; salaries.xlsx stays here",
    ],
)
def test_a_file_that_is_left_out_is_not_named(text: str) -> None:
    """The mail goes without it."""
    assert asked(attach("salaries.xlsx"), text) == "attachment"
    assert asked(send(DANA), text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Move the dentist, the board meeting stays",
        "Move the dentist, leave the board meeting alone",
        "Move the dentist. Leave the board meeting as it is",
        "Move everything, keep the board meeting",
        "Reschedule everything besides the board meeting",
        "Verschieb alles, das Board meeting bleibt",
        "Verschieb den Zahnarzt, lass das Board meeting wo es ist",
    ],
)
def test_what_stays_is_not_moved(text: str) -> None:
    """Its title counts no more."""
    assert asked(move(BOARD), text) == "object"


@pytest.mark.parametrize(
    "text",
    [
        "Drop Helen a line about the benches",
        "Send Helen the plan and tell her to skip page 3",
        "Keep Helen posted about the offer, tell Helen that we agree",
        "Tell Helen that Dana stays until Friday",
        "Tell Helen the offer is confidential",
        "Tell Helen to leave the keys out",
        "Delete the old draft, then tell Helen",
        "Tell Helen the review stays at 10",
        "The letter for Helen is here, send it to her",
    ],
)
def test_other_people_are_named_all_the_same(text: str) -> None:
    """A verb of leaving out is about what follows it, up to the next request; what somebody is told is about others."""
    assert "Helen" in included(affirmed(text))


def test_a_mail_of_an_address_is_answered() -> None:
    """What else is theirs reaches them not."""
    assert EVE in included(f"Reply to {EVE}'s last mail")
    assert EVE not in included(f"Reply to {EVE}’s boss")


# Drafts ---------------------------------------------------------------------------------------------------------------

GIFT = Touched(kind="draft", id="g", title="Gift for Dana", people=[DANA], is_own=True, is_titled=True)
SENT = Call(effect=EffectClass.EXTERNAL, verbs=SEND, impact=Impact(objects=[GIFT], destinations=[DANA]))


@pytest.mark.parametrize(
    "text",
    [
        "Read me the gift draft. Tell Dana I'm late",
        "The gift draft stays where it is, tell Dana I'm late",
        "Hold the gift draft back. Tell Dana I'm late",
        "Delete the gift draft and tell Dana",
        "Tell Dana I'm working on the gift draft",
        "Tell Dana the gift draft is coming",
        "Send Dana the plan, the gift draft stays",
        "Thank Dana for the gift",
    ],
)
def test_a_draft_is_sent_only_where_that_is_done_to_it(text: str) -> None:
    """It may be unfinished."""
    assert asked(SENT, text, things=(GIFT,))


@pytest.mark.parametrize(
    "text", ["Send the gift draft to Dana", "Finish the gift draft and send it to Dana", "Mail Dana the gift draft"]
)
def test_a_draft_that_is_to_be_sent_is_sent(text: str) -> None:
    """By its title, or by “it”."""
    assert asked(SENT, text, things=(GIFT,)) == ""
