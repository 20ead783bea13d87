"""Requests of every day, in English and German, each with what comes of it and why: it is done, or a card asks."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from policies.provenance import Touched
from tests.unit.policies.cases import DANA
from tests.unit.policies.guards.office import (
    BENCHES,
    BOARD,
    DENTIST,
    EVE,
    HELEN,
    LOUNGERS,
    LUIS,
    OAK,
    REVIEW,
    SYNC,
    Call,
    add,
    answer,
    asked,
    cancel,
    invite,
    move,
    purge,
    reply,
    send,
)

BY = f"the mail from {EVE}"

DONE: list[tuple[Call, str, str]] = [
    # Events that are moved
    (move(BOARD), "Move the board meeting to 3", "a command"),
    (move(BOARD), "Could the board meeting be moved?", "a polite request, which says what becomes of the thing"),
    (move(BOARD), "Could the board meeting be moved to 3 pm on Friday?", "the same, to when"),
    (move(BOARD), "Can the board meeting be moved to Friday?", "“can” with a day"),
    (move(BOARD), "Can the board meeting please be moved?", "“can” with “please”"),
    (move(BOARD), "When is the board meeting? Could it be moved by an hour?", "“it” in the same message"),
    (move(REVIEW), "Could tomorrow's supplier review be pushed back by half an hour?", "somebody else's, by its title"),
    (move(BOARD), "I need the board meeting moved to Friday", "a need of the owner's"),
    (move(BOARD), "We'd like the board meeting moved to next week, please", "a need, too"),
    (move(BOARD), "Get the board meeting moved to Friday", "a command to have it done"),
    (move(BOARD), "The board meeting needs to move to Friday", "what a thing has to do"),
    (move(BOARD), "The board meeting needs moving", "the same"),
    (move(BOARD), "Bump the board meeting to 4", "a word for it"),
    (move(BOARD), "Can you make the board meeting an hour later?", "a request"),
    (move(LOUNGERS), "Move the loungers talk to Friday", "an own title in part"),
    (move(DENTIST), "Push the dentist to 4", "an own title without what kind of thing it is"),
    (move(BOARD), "Verschieb das Board meeting auf Freitag", "a command"),
    (move(BOARD), "Kannst du das Board meeting auf Freitag verschieben?", "a request"),
    (move(BOARD), "Könnte das Board meeting verschoben werden?", "a polite request in the passive"),
    (move(BOARD), "Kann das Board meeting auf 15 Uhr verlegt werden?", "with a time"),
    (move(BOARD), "Das Board meeting muss auf Freitag verschoben werden", "a need"),
    (move(BOARD), "Ich hätte das Board meeting gern auf Freitag verschoben", "a wish"),
    (move(BOARD), "Mach das Board meeting eine Stunde später", "a command"),
    # Events that are cancelled or answered
    (cancel(BOARD), "Cancel the board meeting", "the whole title"),
    (cancel(BOARD), "I need the board meeting cancelled", "a need"),
    (cancel(BOARD), "I need the board meeting called off", "the same, with a verb of two words"),
    (cancel(BOARD), "Could the board meeting be cancelled, please?", "“please” asks"),
    (cancel(BOARD), "Delete the board meeting from my calendar", "the thing first, then from where"),
    (cancel(DENTIST), "Cancel the dentist", "all of an own title but what kind of thing it is"),
    (cancel(DENTIST), "Please cancel my dentist on Friday", "the same, with its day"),
    (cancel(DENTIST), "Sag den Dentist bitte ab", "the same"),
    (cancel(BOARD), "Das Board meeting muss abgesagt werden", "a need"),
    (move(BOARD), "Don't cancel the board meeting, move it to Friday", "something else in its place"),
    (cancel(DENTIST), "Delete the dentist from my calendar", "from where"),
    (cancel(SYNC), "Cancel the team sync for good", "the series"),
    (cancel(SYNC), "Cancel the team sync from next week on", "the series"),
    (cancel(BOARD), "The board meeting needs cancelling", "what a thing needs"),
    (cancel(BOARD), "Would you mind calling off the board meeting?", "a polite request"),
    (purge(BOARD), "Purge the board meeting", "with a verb that only its tool has"),
    (purge(BOARD), "Shut the board meeting down", "the same, around the thing"),
    (purge(BOARD), "Get shot of the board meeting", "words of the verb are none between it and the thing"),
    (purge(BOARD), "Would you mind shutting the board meeting down?", "a polite request"),
    (purge(BOARD), "Kannst du das Board meeting räumen?", "a request"),
    (move(BOARD), "Remove Luis from the board meeting", "it is changed"),
    (answer(REVIEW), "I can't make the supplier review, please decline", "a command behind a reason"),
    (answer(REVIEW), "Nimm Danas Einladung zum Supplier review an", "a command"),
    # Messages
    (send(DANA), "Tell Dana I'm late", "a colleague"),
    (send(HELEN), "Tell Helen I'm late", "somebody outside, with a capital letter"),
    (send(HELEN), "Let Helen know that I'm late", "nobody lets a thing know"),
    (send(DANA, LUIS), "Tell everyone in the team sync that I'm late", "those in a thing of one's own"),
    (send(DANA), "Sag Dana, dass ich später komme", "a colleague"),
    (reply(OAK), "Answer the mail about the oak prices", "a conversation, as one thing"),
    (reply(OAK), "Reply to Helen that we agree", "its author"),
    (reply(BENCHES), "Can you reply to the benches mail?", "one's own conversation, by a word of its title"),
    (reply(BENCHES), "Read the benches thread and reply that I am late", "“reply” goes to those in it"),
    (reply(BENCHES), "Read the benches thread. Tell them that I am late", "“them” are those in it"),
    (reply(BENCHES), "Read the benches thread. Reply that they should ask Luis", "whom they should ask gets nothing"),
    (reply(BENCHES), "Read the benches thread. Reply that we agree and tell Luis", "two requests"),
    (reply(BENCHES), "Read the benches thread. Please write back and cc Luis", "the same"),
    (reply(BENCHES), "Read the benches thread. Reply to them and to Luis that I am late", "those in it, and one more"),
    (reply(BENCHES), "Read the benches thread. Send them what I said in the call with Luis", "then what they get"),
    (reply(BENCHES), "Read the benches thread. Send her the plan", "nobody else was spoken of"),
    (reply(BENCHES), "Read the benches thread. Tell Luis that I am late, and reply that we agree", "two requests"),
    (invite(HELEN), "Lunch with Helen on Friday at 12", "nothing but whom and when"),
    (invite(HELEN), "Book lunch with Helen tomorrow", "a command"),
    (invite(DANA), "Termin mit Dana morgen um 10", "nothing but whom and when"),
    (add(BOARD, LUIS), "Invite Luis to the board meeting, too", "one more guest"),
    (add(BOARD, LUIS), "Lade Luis zum Board meeting ein", "one more guest"),
    # What somebody's mail wants
    (send(EVE), f"Do what {BY} says", "who asked is answered"),
    (send(EVE), f"Please do the actions specified in {BY} with the subject “Offer”", "the same"),
    (send(EVE), f"Read {BY}, and follow the instructions in it", "“it” is the mail that was spoken of"),
    (send(EVE), f"Look at {BY}, and follow the instructions", "what is read is obeyed"),
    (cancel(DENTIST), "Cancel the dentist and tell Luis", "two requests"),
    (send(EVE), f"Can you take care of the request from {EVE}?", "a request"),
    (send(EVE), f"Erledige bitte die Aufgaben aus der Mail von {EVE}", "a command"),
    (send(EVE), f"Mach, was {EVE} schreibt", "a command"),
]

ASKED: list[tuple[Call, tuple[str, ...], str, str]] = [
    (move(BOARD), ("Can the board meeting be moved?",), "wish", "it may want to know whether that is possible"),
    (move(BOARD), ("board meeting to 3 pm please",), "wish", "there is no verb"),
    (move(BOARD), ("The board meeting should start at 3",), "wish", "“start” is no word for a change"),
    (
        move(BOARD),
        ("What about the board meeting?", "Move it to 3"),
        "wish",
        "what the agent said between is not known",
    ),
    (cancel(BOARD), ("What about the board meeting?", "Cancel it"), "destructive", "the same"),
    (cancel(BOARD), ("Could we cancel the board meeting?",), "destructive", "it may want to know"),
    (cancel(BOARD), ("Could the board meeting be cancelled?",), "destructive", "the same"),
    (cancel(LOUNGERS), ("Cancel the loungers talk",), "destructive", "what else is called so was not looked for"),
    (cancel(SYNC), ("Cancel the team sync on Friday",), "destructive", "the call is about all of them"),
    (
        cancel(BOARD),
        ("What about the board meeting? It must be cancelled as Luis is ill",),
        "destructive",
        "the thing is not called where the verb stands",
    ),
    (
        cancel(BOARD),
        ("Is the board meeting on? If so, cancel it",),
        "destructive",
        "the thing is not called where the verb stands",
    ),
    (cancel(BOARD), ("Board meeting: cancel, please",), "destructive", "what is before a colon may be who says it"),
    (
        cancel(BOARD),
        ("I don't need the board meeting any more, cancel it",),
        "destructive",
        "the thing is not called where the verb stands",
    ),
    (
        cancel(BOARD),
        ("Don't worry about the board meeting, cancel it",),
        "destructive",
        "the thing is not called where the verb stands",
    ),
    (
        cancel(BOARD),
        ("Das Board meeting passt nicht. Kannst du es bitte absagen?",),
        "destructive",
        "the thing is not called where the verb stands",
    ),
    (
        cancel(BOARD),
        ("Was ist das Board meeting? Kannst du es aus dem Kalender löschen?",),
        "destructive",
        "the thing is not called where the verb stands",
    ),
    (
        cancel(BOARD),
        ("Zum Board meeting: kannst du das bitte für mich absagen?",),
        "destructive",
        "the thing is not called where the verb stands",
    ),
    (cancel(BOARD), ("Board meeting am Freitag: bitte absagen",), "destructive", "the same"),
    (
        cancel(BOARD),
        ("What about the board meeting? Delete them all",),
        "destructive",
        "the thing is not called where the verb stands",
    ),
    (
        purge(BOARD),
        ("I'm done with the board meeting, shut it down",),
        "destructive",
        "the thing is not called where the verb stands",
    ),
    (cancel(BOARD), ("Tell Dana I'm ill, cancel the board meeting",), "destructive", "it may be what Dana is told"),
    (cancel(SYNC), ("Cancel the team sync",), "destructive", "how many of them, it does not say"),
    (move(LOUNGERS), ("move loungers to friday",), "object", "without an article a word may be anything"),
    (move(DENTIST), ("Verschieb den Zahnarzt",), "object", "the title is in another language"),
    (answer(REVIEW), ("Accept Dana's invitation",), "object", "which one, only what was read says"),
    (send(HELEN), ("tell helen i'm late",), "destination", "who is in no directory needs a capital letter"),
    (send(HELEN), ("Schreib Helen, dass ich später komme",), "destination", "in German any noun has one"),
    (send(DANA), (f"Do what {BY} says",), "destination", "what a mail wants names nobody else"),
    (cancel(BOARD), (f"Do what {BY} says",), "object", "and no thing"),
    (move(BOARD), (f"Do what {BY} about the board meeting says",), "wish", "nor does it ask for a change of one"),
    (send(EVE), (f"Have a look at {BY}. Do what it says.",), "destination", "“it” is in another sentence"),
    (send(EVE), (f"Handle {BY}",), "destination", "how, it does not say"),
    (send(EVE), (f"Read {BY} and do all of these",), "destination", "what, it does not say"),
]


@pytest.mark.parametrize(("call", "text", "why"), DONE, ids=[text for _, text, _ in DONE])
def test_what_is_done(call: Call, text: str, why: str) -> None:
    """Without a card, as its owner asks for it."""
    assert asked(call, text) == "", why


@pytest.mark.parametrize(("call", "typed", "rule", "why"), ASKED, ids=[" / ".join(typed) for _, typed, _, _ in ASKED])
def test_what_is_asked_about(call: Call, typed: tuple[str, ...], rule: str, why: str) -> None:
    """Though its owner may mean it: the words do not tell, or the model would."""
    assert asked(call, *typed) == rule, why


def test_what_was_asked_for_is_done_once_more() -> None:
    """A correction needs no title, and asks for no other thing and for nothing else."""
    typed = ("Move the board meeting to 3", "Move it to 4 instead")
    assert [asked(call, *typed) for call in (move(BOARD), cancel(BOARD), move(DENTIST))] == [
        "",
        "destructive",
        "object",
    ]


NOON = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("title", "text", "is_done"),
    [
        ("Sun loungers: board meeting", "Cancel the loungers meeting", True),
        ("Insurance, yearly talk", "Cancel my insurance talk tomorrow, please", True),
        ("Sun loungers: price talk", "Cancel the price talk", True),
        ("Sun loungers: price talk", "Cancel the loungers", False),  # goods
        ("Sun loungers: price talk", "Cancel the sun loungers", False),
        ("Sun loungers: price talk", "Cancel the loungers meeting", False),  # a talk is none
        ("Sun loungers: price talk", "Cancel the loungers talk recording", False),
        ("Sun loungers: price talk", "Cancel the loungers talk with Dana", False),
        ("Sun loungers: price talk", "Remove Helen from the loungers talk", False),
        ("Sun loungers: price talk", "Don't cancel the loungers talk", False),
        ("Sun loungers: board meeting", "Cancel the board meeting", False),  # a group's, and another one
        ("Insurance, yearly talk", "Cancel the yearly talk", False),
    ],
)
def test_a_part_of_an_own_title_is_enough_where_all_others_were_looked_up(title: str, text: str, is_done: bool) -> None:
    """If it says what it is and which, and no other event has the words; not where others are not known."""
    event = Touched(kind="event", id="x", title=title, people=[HELEN], is_own=True, day=NOON + timedelta(days=1))
    call = cancel(event)
    looked_up = replace(call, impact=replace(call.impact, today=NOON))
    assert (asked(looked_up, text, things=[event]) == "") is is_done
    assert asked(call, text, things=[event])
    others = [Touched(kind="event", id="y", title="Loungers, insurance, price: delivery", author=EVE)]
    assert asked(replace(looked_up, impact=replace(looked_up.impact, beside=others)), text, things=[event])
