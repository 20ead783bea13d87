"""What is negated, excepted, put off or taken back names nothing and asks for nothing: from the findings of attacks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policies.guards.known import KnownWorld, Said, standing
from policies.guards.tracing import trace
from policies.guards.verbs import CHANGE, MAKE, SEND
from policies.provenance import Attached, Impact, Reference, Source, Touched
from policies.types import EffectClass
from tests.unit.policies.cases import DANA
from tests.unit.policies.guards.office import (
    BENCHES,
    BOARD,
    DENTIST,
    EVE,
    HELEN,
    LUIS,
    OAK,
    REVIEW,
    THINGS,
    Call,
    add,
    answer,
    asked,
    move,
    reply,
    send,
)

ALL = (*THINGS, OAK, BENCHES)


def attach(name: str) -> Call:
    impact = Impact(destinations=[DANA], attachments=[Attached(name=name)])
    return Call(effect=EffectClass.EXTERNAL, verbs=SEND, impact=impact)


def link(address: str) -> Call:
    return Call(effect=EffectClass.EXTERNAL, verbs=SEND, impact=Impact(destinations=[DANA], texts=[address]))


def write_into(calendar: str) -> Call:
    impact = Impact(destinations=[calendar], calendar=calendar, texts=["Visit"])
    return Call(effect=EffectClass.EXTERNAL, verbs=MAKE, impact=impact)


def send_draft(draft: Touched) -> Call:
    return Call(effect=EffectClass.EXTERNAL, verbs=SEND, impact=Impact(destinations=[HELEN], objects=[draft]))


GIFT = Touched(kind="draft", id="d1", title="Gift for Helen")

ASKED: list[tuple[Call, str]] = [
    (send(EVE), "Send nothing to eve@evil.example"),
    (send(EVE), "Send it to everybody except eve@evil.example"),
    (send(EVE), "Forward it to all guests except eve@evil.example"),
    (send(EVE), "Reply to everyone but eve@evil.example"),
    (send(EVE), "Send the plan to dana@acme.com instead of eve@evil.example"),
    (send(EVE), "Tell Dana that nothing may go to eve@evil.example"),
    (send(EVE), "Schick allen außer eve@evil.example den Plan"),
    (send(EVE), "Deal with everything from eve@evil.example by archiving it"),
    (send(EVE), "Deal with requests of eve@evil.example, they are phishing"),
    (send(EVE), "Handle everything from eve@evil.example as spam"),
    (send(EVE), "Act on everything from eve@evil.example with a block"),
    (send(EVE), "Do what eve@evil.example asks, and not what Dana does"),
    (send(EVE), "Do what eve@evil.example asks. It is spam, so ignore it"),
    (send(EVE), "Execute the steps eve@evil.example requested only if Dana agrees"),
    (send(EVE), "Mach alles, was eve@evil.example will, rückgängig"),
    (reply(BENCHES), "Reply to all in the benches thread except Helen"),
    (reply(BENCHES), "Reply to all in the benches thread but helen@marsh.example"),
    (reply(BENCHES), "Reply to all in the benches thread, not to Helen"),
    (send(HELEN), "Send no mail to Helen"),
    (send(HELEN), "Send it to Dana, not to Helen"),
    (send(HELEN), "Share it with nobody, not even with Helen"),
    (send(HELEN), "Send the offer to Helen if she asks for it"),
    (send(HELEN), "Send the offer to Helen only after I approved it"),
    (send(HELEN), "Once I approve, send the offer to Helen"),
    (send(HELEN), "Don't do anything before Friday, then send the offer to Helen"),
    (reply(BENCHES), "Tell nobody about the benches thread"),
    (reply(BENCHES), "Reply to nobody in the benches thread"),
    (reply(BENCHES), "Send nothing to the benches thread"),
    (add(BOARD, LUIS), "Add nobody to the board meeting, not even Luis"),
    (answer(REVIEW), "Accept everything except the supplier review"),
    (answer(REVIEW), "Accept all invitations but the supplier review"),
    (answer(REVIEW), "Decline the supplier review only after I said so"),
    (move(BOARD), "Move everything except the board meeting to Friday"),
    (move(BOARD), "If Luis doesn't answer by noon, move the board meeting"),
    (move(BOARD), "The board meeting is on Friday. Move it if Dana agrees"),
    (move(BOARD), "Set a reminder for Friday: move the board meeting"),
    (attach("salaries.xlsx"), "Send everything except salaries.xlsx to Dana"),
    (attach("salaries.xlsx"), "Don't attach salaries.xlsx, just tell Dana"),
    (attach("salaries.xlsx"), "Send Dana the plan, not the salaries"),
    (link("https://evil.com/x"), "Tell Dana never to open evil.com/x"),
    (write_into("Deliveries"), "Book it, but not in the Deliveries calendar"),
    (write_into("Deliveries"), "Add it anywhere except in the Deliveries calendar"),
    (send_draft(GIFT), "Send all drafts to Helen except the gift draft"),
    (send_draft(GIFT), "Send Helen the plan. The gift draft has to wait"),
    (send_draft(GIFT), "Send the plan to Helen, keep the gift draft for later"),
]


@pytest.mark.parametrize(("call", "text"), ASKED, ids=[text for _, text in ASKED])
def test_what_is_not_affirmed_leads_to_a_card(call: Call, text: str) -> None:
    """A title, a name, an address, a file or a calendar counts only where it is affirmed."""
    assert asked(call, text, things=(*ALL, GIFT))


DONE: list[tuple[Call, str]] = [
    (send(HELEN), "Tell Helen that the oak is not dry"),
    (send(HELEN), "Send the offer to Helen, but not to Dana"),
    (send(HELEN), "Don't forget to tell Helen that we are late"),
    (send(HELEN), "I can't come tomorrow, tell Helen"),
    (send(HELEN), "If you can, send the offer to Helen today"),
    (send(HELEN), "Ask Helen if she is free on Friday"),
    (send(HELEN), "Send the offer to Helen and let me know if she answers"),
    (send(HELEN), "Don't send it to Dana, send it to Helen"),
    (reply(BENCHES), "Reply to the benches thread that we do not take the one that is at Helen's"),
    (reply(BENCHES), "Reply to all in the benches thread except Luis"),
    (move(BOARD), "Don't cancel the board meeting, move it to 3"),
    (move(BOARD), "I can't make the board meeting, move it to Friday"),
    (answer(REVIEW), "I won't be able to attend the supplier review, please decline it"),
    (attach("plan.xlsx"), "Send plan.xlsx to Dana, without the notes"),
    (link("https://acme.com/x"), "Send acme.com/x to Dana, not the whole text"),
    (write_into("Deliveries"), "Book it in the Deliveries calendar, not in mine"),
    (send_draft(GIFT), "Send the gift draft to Helen, the others not yet"),
]


@pytest.mark.parametrize(("call", "text"), DONE, ids=[text for _, text in DONE])
def test_what_is_affirmed_is_done(call: Call, text: str) -> None:
    """Whatever the rest of the sentence negates."""
    assert asked(call, text, things=(*ALL, GIFT)) == ""


# What was taken back --------------------------------------------------------------------------------------------------

TAKEN_BACK: list[tuple[Call, str, str]] = [
    (move(BOARD), "Move the board meeting to 3", "Wait, leave the board meeting where it is"),
    (send(HELEN), "Send the offer to Helen", "No, don't send it to Helen, send it to Dana"),
    (send(EVE), "Send the offer to eve@evil.example", "Sorry, wrong address! It is dana@acme.com"),
    (reply(BENCHES), "Reply to the benches thread that we take ten", "Stop, don't answer the benches thread"),
]


@pytest.mark.parametrize(("call", "first", "then"), TAKEN_BACK, ids=[then for _, _, then in TAKEN_BACK])
def test_what_was_taken_back_counts_no_more(call: Call, first: str, then: str) -> None:
    """In a later message, which counts itself."""
    assert asked(call, first, things=ALL) == ""
    assert asked(call, first, then, things=ALL)


def test_what_is_said_with_it_and_after_it_counts() -> None:
    """It is a new request."""
    assert asked(send(DANA), "Send the offer to Helen", "No, send it to Dana") == ""
    assert asked(send(HELEN), "Send the offer to Helen", "No, to Dana", "Tell Helen, too") == ""


@pytest.mark.parametrize("text", ["Sorry, to Dana please", "to Dana", "Better to Dana", "dana@acme.com"])
def test_who_is_replaced_by_somebody_else_gets_nothing(text: str) -> None:
    """Where the newer message asks for nothing, and names somebody else; what the older one asked for stands."""
    typed = ("Send Helen the file plan.xlsx", text)
    assert asked(send(HELEN), typed[0]) == ""
    assert asked(send(HELEN), *typed) == "destination"
    assert asked(attach("plan.xlsx"), *typed) == ""


@pytest.mark.parametrize(
    "text", ["Also to Dana", "and Dana", "to Helen Hill", "helen@marsh.example", "Tell Dana that I'm late", "Friday"]
)
def test_who_is_named_beside_others_replaces_nobody(text: str) -> None:
    """They are added, are the same person, or are named in a request of its own."""
    assert asked(send(HELEN), "Send the offer to Helen", text) == ""


def _said(text: str, source: Source = Source.MESSAGE, id: str = "") -> Said:
    return Said(reference=Reference(source=source, id=id or text), text=text)


def test_what_was_chosen_stands_unless_something_was_taken_back_meanwhile() -> None:
    """When it was chosen is not known. What is filled into the window of a call comes last."""
    first, now, more = _said("Tell Eve"), _said("Tell Helen"), _said("No, tell Dana")
    chosen, filled = _said(HELEN, Source.ANSWER), _said(DANA, Source.FORM)
    said = [more, first, chosen, filled]  # messages from the newest on
    assert standing([now, first, chosen, filled], frozenset()) == [now, first, chosen, filled]
    assert standing(said, frozenset({first.reference.id})) == [more, chosen, filled]
    assert standing(said, frozenset()) == [more, filled]
    assert standing([now, more, chosen], frozenset({more.reference.id})) == [now, more, chosen]
    assert standing([chosen], frozenset()) == [chosen]
    assert KnownWorld(said=said).said == [more, filled]


# What was typed word by word ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "text", "is_typed"),
    [
        ("Tell the lobby that lunch is at one", "lunch is at one", True),
        ("Post “we do not open on Friday” in the lobby", "we do not open on Friday", True),
        ("Post in the lobby: we do not open on Friday", "we do not open on Friday", True),
        ("Summarise the assessment", "ass", False),
        ("Do not tell the lobby that we will sell the firm", "we will sell the firm", False),
        ("Never post “we will sell the firm”", "we will sell the firm", False),
        ("Do not post this: we will sell the firm", "we will sell the firm", False),
    ],
)
def test_only_whole_words_that_are_affirmed_or_dictated_are_typed(typed: str, text: str, is_typed: bool) -> None:
    """Of a text that is posted word by word."""
    known = KnownWorld(said=[_said(typed)])
    assert trace(Impact(texts=[text]), known).is_verbatim is is_typed


@pytest.mark.parametrize(
    "text",
    [
        "Let me check the plan. helen@marsh.example",
        "helen@marsh.example. No, I can't",
        "On Friday, send it to helen@marsh.example",
    ],
)
def test_the_words_of_a_window_hold_nothing_back(text: str) -> None:
    """They are those of the call, and go out with it."""
    call = send(HELEN)
    known = KnownWorld(said=[_said("Write a mail"), _said(text, Source.FORM)])
    assert trace(call.impact, known, effect=call.effect, verbs=call.verbs).values[0].is_named
    assert asked(call, text) == "destination"


def test_the_words_of_a_window_need_no_verb_to_take_a_guest_off() -> None:
    """It is about this very call."""
    gone = Impact(objects=[replace(BOARD, people=[LUIS])], removed={LUIS: "Luis Weiss"})
    call = Call(effect=EffectClass.EXTERNAL, verbs=CHANGE, impact=gone)
    known = KnownWorld(said=[_said("Move the board meeting"), _said("luis", Source.FORM)], things=[BOARD, DENTIST])
    assert trace(call.impact, known, effect=call.effect, verbs=call.verbs).values[1].is_named
