"""Where a text names people: what leads to a name, and what follows one."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from policies.guards.addresses.recipients import Those
from policies.guards.people import called_in
from policies.guards.readings import read


def named_in(text: str) -> Sequence[str]:
    return [word for called in called_in(text) for word in called.words]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Write to Dana Okafor", ["dana", "okafor"]),
        ("Write to Anna-Maria", ["anna", "maria"]),
        ("write to dana okafor", ["dana"]),
        ("Send it to Dana, Helen and Tom", ["dana", "helen", "tom"]),
        ("Send it to Dana, please, and pay Bruno", ["dana"]),
        ("to Helen and invoice Bruno", ["helen"]),
        ("lunch with me and Dana", ["dana"]),
        ("Reply with Dana", ["dana"]),
        ('Reply with "Dana, see you"', []),
        ('Tell Helen "Dana is here"', ["helen"]),
        ("Tell me", []),
        ("See it, her, Dana", []),
        ("A lunch table Dana", []),
        ("Paint Dana wants it, send it to her", []),
        ("Answer the Dana's mail", []),
        ("Beantworte Dana Mail", []),
        ("Gib Dana", []),
        ("a@dana", []),
        ("see @dana", ["dana"]),
        ("Please answer Tom Dana's mail", ["tom", "dana"]),
        ("Sag der Dana", ["dana"]),
        ("Sag der Dana dass ich komme", ["dana"]),
        ("Frag nach, ob Dana morgen da ist", ["dana"]),
        ("Check if Dana is free", ["dana"]),
        ("Check if Dana from sales is free", []),
        ("A lunch for Dana", ["dana"]),
        ("Sort the cups for Dana", []),
        ("Put Dana in loop", []),
        ("Let Dana Okafor know", ["dana", "okafor"]),
        ("cc: Dana", ["dana"]),
        ("@dana look", ["dana"]),
        ("Tell <@U1DANA>", ["u1dana"]),
        ("Mail dana@acme.com", []),
        ("Answer Dana’s mail", ["dana"]),
        ("answer dana's mail", ["dana"]),
        ("the Board's plan", []),
        ("today's mails", []),
        ("Send Dana the report", ["dana"]),
        ("Send Dana", []),
        ("Write Dana", ["dana"]),
        ("send invoice 23", []),
        ("Send an Atlas to helen@x.example", []),
        ("Bitte den Atlas an helen@x.example schicken", []),
        ("Bitte an Dana", ["dana"]),
        ("an Dana", []),
        ("bitte zusammenfassen", []),
        ("remind me to pay rent", []),
        ("move it from two to three", []),
        ("Check the mails from support with attachments", []),
        ("from Marble", ["marble"]),
        ("from marble", []),
        ("Send it to dana@x.example and to Helen", ["helen"]),
        ("Book a trip\nto marble", []),
        ("Answer Dana Okafor’s mail", ["dana", "okafor"]),
        ("Schreib an Herrn Weiss", ["weiss"]),
        ("Schick Dana die Rechnung", ["dana"]),
        ("Write to Sarah, it is about Baker Street", ["sarah"]),
        ("Send", []),
        ("", []),
    ],
)
def test_a_name_stands_where_one_names_a_person(text: str, names: list[str]) -> None:
    """In lists, with a surname, as an owner, or after who tells, asks and sends."""
    assert list(named_in(text)) == names


@pytest.mark.parametrize(
    "text",
    [
        "Let Dana know that I'm late",
        "Could you let Dana know that I'm late?",
        "Drop Dana a line that I'm late",
        "Get back to Dana with a yes",
        "Email Dana that I'm late",
        "Mail Dana quickly that I'm late",
        "Send Dana quickly a note",
        "Send a quick note to Dana",
        "Loop in Dana",
        "Put Dana in cc",
        "Add Dana to the review",
        "Add Dana and Jonas as guests",
        "Invite Dana and Jonas to lunch",
        "Check with Dana whether Friday works",
        "See if Dana can make Friday",
        "Schedule lunch for Dana and me",
        "Dana needs the file, send it to her",
        "Update Dana on the stand",
        "Forward it to Dana and Jonas",
        "Wish Dana a happy birthday",
        "Congratulate Dana",
        "Schreibe Dana kurz, dass ich später komme",
        "Gib Dana Bescheid",
        "Gib Dana kurz Bescheid, dass ich später komme",
        "Kannst du Dana schreiben, dass ich später komme?",
        "Kannst du Dana bitte eine Mail schicken?",
        "Schick Dana bitte den Plan",
        "Schick bitte Dana den Plan",
        "Lade Dana zum Review ein",
        "Bitte lade Dana und Jonas ein",
        "Lad Dana dazu ein",
        "Sag Dana bitte Bescheid",
        "Informiere Dana",
        "Meeting mit Dana am Montag",
        "Antworte Dana, dass es passt",
        "Antworte auf Danas Mail",
        "Danas Mail beantworten",
        "Mail an Dana: ich komme später",
        "Schreib der Dana, dass es passt",
        "Erinnere Dana an die Unterlagen",
        "Gratuliere Dana zum Geburtstag",
        "Frag mal Dana, ob Freitag geht",
        "Frag bitte Dana",
    ],
)
def test_whom_a_directory_has_is_named_in_many_ways(text: str) -> None:
    """Those in which one speaks of colleagues every day."""
    assert "dana" in named_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "let dana know",
        "Let Dana be",
        "Put Dana on the table",
        "Send Dana 23 to Helen",
        "Send Dana samples and the price to Helen",
        "Schick Dana an Helen",
        "Bitte Dana an helen@x.example schicken",
        "Kannst du Dana schicken?",
        "Schick die Dana",
        "Lade Dana herunter",
        "The update Dana sent",
        "Check if Dana",
        "Dana needs paint",
        "Order a sample for Dana",
        "Danas Preise vergleichen",
        "Ask: “Dana?”",
    ],
)
def test_what_stands_elsewhere_names_nobody(text: str) -> None:
    """Not even somebody of a directory who is called as a thing is."""
    assert "dana" not in named_in(text)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Tell Helen about the benches", True),
        ("Tell helen@x.example about the benches", True),
        ("Tell Eve about the benches", False),
        ("Tell eve@evil.example about the benches", False),
        ("Tell Helen and all participants of the benches", False),
        ("Write to all in the benches", False),
        ("What did I get from Helen?", False),
    ],
)
def test_a_sentence_is_for_others(sentence: str, expected: bool) -> None:
    """Where it says an address or a name that none of these has, and does not speak of everybody."""
    assert Those(["eve@evil.example"]).are_others(read(sentence).addressed) is expected


@pytest.mark.parametrize(
    ("text", "is_clear"),
    [("Tell Dana about it", True), ("Tell R2D2 about it", False), ("Dana wants the plan, send it to her", False)],
)
def test_a_clear_name_is_of_letters_and_stands_where_no_noun_does(text: str, is_clear: bool) -> None:
    """Only such a one means somebody who is in no directory."""
    [called] = called_in(text)
    assert called.is_clear is is_clear


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # To whom something goes, and to whom it does not
        ("Send the plan. To Marble I have never been", ["marble clear"]),
        ("Send the plan\nTo Marble I have never been", ["marble clear"]),
        ("To Marble I have never been", ["marble clear"]),
        ("Send it to Dana", ["dana gets clear"]),
        ("A trip to Dana", ["dana clear"]),
        ("Send it to him and Dana", ["dana gets clear"]),
        ("Send him and Dana the plan", []),
        ("Mails from Dana and Helen", ["dana clear", "helen clear"]),
        ("Tell Dana and Helen that I am late", ["dana gets clear", "helen gets clear"]),
        ("Tell Dana, Helen and Tom about it", ["dana gets clear", "helen gets clear", "tom gets clear"]),
        ("Send it to Dana, Marble arrives today", ["dana gets clear", "marble clear"]),
        ("Tell Dana, Helen", ["dana gets clear", "helen gets clear"]),
        ("tell dana, helen and tom about it", ["dana gets"]),
        ("Send it to Dana and glaze the bench", ["dana gets clear"]),
        ("And Marble is far", []),
        ("Introduce Dana to Helen", ["dana gets", "helen gets clear"]),
        # How much of a name it is
        ("Tell Dana OK", ["dana gets clear"]),
        ("Write to Dana K", ["dana k gets clear"]),
        ("Write to Dana Young", ["dana young gets clear"]),
        ("Send it to Dana (Okafor)", ["dana gets clear"]),
        ("Reply to DANA", ["dana gets"]),
        ("Tell Dana2", ["dana2 gets"]),
        ("Schick Dana Okafor den Plan", ["dana okafor gets clear"]),
        ("Danas Mail beantworten", ["dana mail clear"]),
        # Whose name is a word of any request
        ("Schreib an Herrn Young", ["young gets clear"]),
        ("Schreib an Herrn young", []),
        ("Schreib an Frau Weiss", ["weiss gets clear"]),
        ("Mail von Herrn Young", ["young clear"]),
        ("Herr Young kommt", ["young clear"]),
        ("Tell Mr Young", ["young gets clear"]),
        ("Tell Accounting", []),
        ("Answer Monday's mail", []),
        # What leads to a name
        ("Lunch with Dana", ["dana gets clear"]),
        ("A call on Monday at 10 with Dana", ["dana gets clear"]),
        ("A call tomorrow with Dana", ["dana gets clear"]),
        ("Reply with Dana", ["dana"]),
        ("Share it with Dana", ["dana gets clear"]),
        ("Could you share it with Dana?", ["dana gets clear"]),
        ("I share a room with Dana", ["dana"]),
        ("Mail from Dana", ["dana clear"]),
        ("Mail von Dana", ["dana"]),
        ("Frag Dana", ["dana gets"]),
        ("frag mal dana", ["dana gets"]),
        ("Schick das an Dana", ["dana gets"]),
        ("Schick das an dana", []),
        ("Let Dana know", ["dana gets clear"]),
        ("Let Dana also know", ["dana gets clear"]),
        ("Could you let Dana know?", ["dana gets clear"]),
        ("Could you let dana know?", []),
        ("I let Dana know", []),
        ("Should Dana know that?", []),
        ("Send Dana the plan", ["dana gets clear"]),
        ("Send Dana: the plan", ["dana gets"]),
        ("Mail Dana: I'm late", ["dana gets clear"]),
        ("Write Dana if it rains", ["dana gets clear"]),
        ("Schick Dana den Plan", ["dana gets"]),
        ("Add Dana to the review", ["dana gets"]),
        ("Let's add Dana to the review", ["dana gets"]),
        ("I add Dana to the review", []),
        ("Please add dana to the review", []),
        ("Please wish Dana all the best", ["dana gets"]),
        ("Hello\nDana needs the file, send it to her", ["dana"]),
        ("Fine, Dana needs the file, send it to her", []),
        ("Dana needs the file", []),
        ("Dana likes the file, send it to her", []),
        ("Send a mail to ping Dana", ["dana gets clear"]),
        ("Could you reply to Dana?", ["dana gets clear"]),
        ("A reply to Dana is due", ["dana clear"]),
        ("Mail Dana quickly", []),
        ("Check whether Dana can come", ["dana gets"]),
        ("Check if Dana also can come", []),
        ("A table for Dana", []),
        ("Keep in Dana", []),
        ("Close the loop, Dana is fine", []),
        ("a@ Dana", []),
        ("Met a@ Dana", []),
        # Whose something is
        ("Answer Dana's mail", ["dana gets clear"]),
        ("answer dana's mail", ["dana gets"]),
        ("I like Dana's mail", ["dana clear"]),
        ("I like dana's mail", []),
        ("Dana's mail", ["dana"]),
        ("Fine. Dana's mail", ["dana"]),
        ("What Dana's mail says", []),
        ("Forward dana's mail", ["dana"]),
        ("Deliver Dana's parcel", ["dana clear"]),
        ("Lies Jans Mail", ["jan mail clear"]),
        ("Lies Jos Mail", []),
        ("danas Mail", []),
        ("Danas mail", []),
        ("Hallo Dana's Mail", ["dana clear"]),
        # In German
        ("Sag der Dana, dass ich komme", ["dana gets"]),
        ("Schreib der Dana: ja", ["dana gets"]),
        ("Sag dem Tom, dass ich komme", ["tom gets"]),
        ("Wo ist der Plan der Dana?", []),
        ("Schreib mal der Dana", ["dana gets"]),
        ("Sag der Dana bescheid", ["dana gets"]),
        ("Sag der Dana morgen ab", []),
        ("Das ist der Dana zu viel", []),
        ("Kannst du Dana bitte den Plan schicken?", ["dana gets"]),
        ("Können Sie Dana bitte den Plan schicken?", ["dana gets"]),
        ("Bist du Dana schreiben?", []),
        ("Bitte Dana den Plan schicken", ["dana gets"]),
        ("Bitte Dana schicken", []),
        ("Bitte Dana das schicken", ["dana gets"]),
        ("Schick Dana 23", []),
        ("Schick Dana: den Plan", []),
        ("Prüf, ob Dana. Ist es frei?", []),
        ("Prüf, ob Dana geht. Ist es frei?", []),
    ],
)
def test_what_is_told_of_a_name(text: str, said: list[str]) -> None:
    """Whether they get something there, and whether it is clear that it is a name."""
    told = [(*called.words, *["gets"] * called.receives, *["clear"] * called.is_clear) for called in called_in(text)]
    assert [" ".join(each) for each in told] == said


@pytest.mark.parametrize(("words", "is_named"), [(39, True), (40, False)])
def test_few_words_stand_before_a_name(words: int, is_named: bool) -> None:
    """Between a noun and “with”, and between a verb and the name itself."""
    [met] = called_in(f"Lunch {'on ' * words}with Dana")
    assert met.receives is is_named
    assert bool(called_in(f"Hallo, bitte {'mal ' * words}Dana schreiben")) is is_named


def test_the_domain_of_an_address_is_nobodys_name() -> None:
    """Only what stands before the @ is."""
    assert Those(["dana@acme.com"]).are_others(read("Tell Acme about the review").addressed)
    assert not Those(["dana@acme.com"]).are_others(read("Tell Dana about the review").addressed)


@pytest.mark.parametrize(
    ("text", "owns"),
    [
        ("Send it to Helen's boss", True),
        ("Send it to Helen Hill's new assistant", True),
        ("Ask Helen’s lawyer", True),
        ("Tell Helen´s colleague about it", True),
        ("Tell Luis' boss", True),
        ("Send it to Helen's", True),
        ("Reply to Helen's mail", False),
        ("Reply to Luis' last mail", False),
        ("Send it to 'Helen' now", False),
        ("Send it to Helen", False),
    ],
)
def test_what_is_somebodys_is_not_them(text: str, owns: bool) -> None:
    """Unless it is a mail of theirs, which is answered."""
    [called] = called_in(text)
    assert called.owns is owns


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Forward my mail to Helen to Dana", ["dana"]),
        ("Forward the offer to Helen to me", []),
        ("Forward what I wrote to Helen Hill to Dana", ["dana"]),
        ("Send Dana the mail to Helen", ["dana"]),
        ("Send Dana what I wrote to Helen", ["dana"]),
        ("Send Dana the plan and write to Helen", ["dana", "helen"]),
        ("Send Dana the plan. Reply to Helen", ["dana", "helen"]),
        ("Send the mail to Helen", ["helen"]),
    ],
)
def test_whom_something_went_to_before_gets_nothing_now(text: str, names: list[str]) -> None:
    """It goes to somebody else of the sentence."""
    assert named_in(text) == names


def test_few_words_stand_between_a_verb_and_a_name() -> None:
    """“mal” and its like do; each of thousands would be looked at for each before it, while everybody waits."""
    assert list(named_in(f"Bitte {'mal ' * 30}Helen schreiben")) == ["helen"]
    assert list(named_in(f"Bitte {'mal ' * 60}Helen schreiben")) == []
