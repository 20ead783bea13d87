"""Who named a value: only the owner's words count, each address whole, each name and title only if it is one alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from policies.event_ids import event_id_for
from policies.evidence import Evidence
from policies.guards.known import Acquaintance, KnownWorld, Said
from policies.guards.tracing import trace
from policies.provenance import Attached, Impact, Provenance, Reference, Sighting, Source, Touched, Traced
from policies.types import EffectClass, Role, TrustLevel

CHANGES = EffectClass.EXTERNAL
DANA = "dana@acme.com"
EVIDENCE = Evidence(
    is_member=True,
    level=TrustLevel.AUTONOMOUS,
    side_effects_enabled=True,
    policy_version="1",
    allowed_tools=frozenset(),
)


def said(text: str, source: Source = Source.MESSAGE, id: str = "msg_1") -> Said:
    return Said(reference=Reference(source=source, id=id), text=text)


def known(*texts: str, people: tuple[Acquaintance, ...] = (), things: tuple[Touched, ...] = ()) -> KnownWorld:
    return KnownWorld(said=[said(text) for text in texts], acquaintances=people, things=things)


def only(found: Provenance) -> Traced:
    [value] = found.values
    return value


def reaching(address: str, knows: KnownWorld, **more: Any) -> Traced:
    return only(trace(Impact(destinations=[address], **more), knows))


# Destinations ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Mail dana@acme.com please.",
        "to Dana@ACME.com, now",
        "(dana@acme.com)",
        "an dana@acme.com: hallo",
        "ｄana@acme.com",
    ],
)
def test_an_address_that_was_typed_is_named(text: str) -> None:
    """In whatever case and width, with whatever stands around it."""
    value = reaching(DANA, known(text))
    assert value.named_by == (Reference(source=Source.MESSAGE, id="msg_1"),)


def test_who_is_known_by_no_word_of_their_owner_only_stands_in_the_way() -> None:
    """By a name neither they are meant, such as one whom the agent wrote to unasked, nor another who has it."""
    stranger = Acquaintance(address="s.evil@acme.com", names=("Sarah",), is_named=False)
    friend = Acquaintance(address=DANA, names=("Sarah",))
    found = [
        reaching(address, known("Write to Sarah", people=people)).is_named
        for address, people in ((stranger.address, (stranger,)), (DANA, (friend,)), (DANA, (friend, stranger)))
    ]
    assert found == [False, True, False]


@pytest.mark.parametrize(
    "address",
    [
        "dana@acme.com.evil.com",
        "dana@acme.co",
        "dana+x@acme.com",
        "xdana@acme.com",
        "dаna@acme.com",  # a Cyrillic а
        "da\u200dna@acme.com",  # with a character that nobody sees
        "ⅾana@acme.com",  # a Roman numeral
        "dana@acme\u2024com",  # a dot that is none
        "dana@evil.com",
        "ana@acme.com",
        "d'dana@acme.com",
    ],
)
def test_an_address_that_resembles_it_is_not(address: str) -> None:
    """A longer or shorter one, one with a tag, and one with letters of another script are others."""
    assert not reaching(address, known("Mail dana@acme.com please.")).is_named


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("info@strasse.example", "info@straße.example"),
        ("info@straße.example", "info@strasse.example"),
        ("kim@acme.com", "\u212aim@acme.com"),
        ("sam@acme.com", "\u017fam@acme.com"),
    ],
)
def test_letters_that_fold_to_others_make_another_address(typed: str, address: str) -> None:
    """In an address that was typed, and in that of an acquaintance, a guest or a reader."""
    assert not reaching(address, known(f"Mail {typed}")).is_named
    assert reaching(typed, known(f"Mail {typed}")).is_named
    person = Acquaintance(address=typed, names=("Mara",))
    assert not reaching(address, known("Mail Mara", people=(person,))).is_named
    fair = Touched(kind="event", id="e1", title="Trade fair", people=(typed,), is_own=True)
    assert not reaching(address, known("All of the trade fair", things=(fair,))).is_named
    file = trace(Impact(destinations=[address], attachments=[Attached(name="a.pdf", readers=(typed,))]), known())
    assert file.unnamed(Role.ATTACHMENT)


@pytest.mark.parametrize(
    ("typed", "others"),
    [
        ("o'dana@acme.com", DANA),
        ("a|dana@acme.com", DANA),
        ("`x`dana@acme.com", DANA),
        ("{x}dana@acme.com", DANA),
    ],
)
def test_what_may_stand_in_an_address_begins_none(typed: str, others: str) -> None:
    """Around a whole one it is a quotation mark or a bracket."""
    assert not reaching(others, known(f"Mail {typed}")).is_named
    mark = typed[0] if typed[0] in "`" else "'"
    assert reaching(others, known(f"Mail {mark}{others}{mark}")).is_named


@pytest.mark.parametrize(
    "text",
    [
        "Send the pergola to helen@corp.example",
        "Summarise the pergola",
        "Send pergola 23 to Helen",
        "Send a pergola to Helen",
        "Write to Helen, pergola attached",
        "Write to Helen: Pergola 23",
        "What is the supplier's pergola about?",
        "Schick Helen die Pergola",
        "Bitte Pergola an helen@corp.example schicken",
        "Send it to pergola@corp.example",
        "Remind me to pergola the rent",
        "Compare it from pergola to pergola",
    ],
)
@pytest.mark.parametrize("is_listed", [True, False])
def test_a_name_that_its_bearer_chose_is_no_word_of_a_request(text: str, is_listed: bool) -> None:
    """Who is called “Pergola”, a colleague or somebody outside, is meant only where one would name a person."""
    eve = Acquaintance(address="eve@evil.example", names=("Pergola",), is_listed=is_listed)
    assert not reaching(eve.address, known(text, people=(eve,))).is_named
    assert reaching(eve.address, known("Send it to Pergola", people=(eve,))).is_named


@pytest.mark.parametrize(
    "word", ["Invoice", "Rechnung", "Update", "Accounting", "English", "Friday", "Buchhaltung", "Recruiting"]
)
def test_what_people_send_and_groups_that_they_write_to_are_nobody(word: str) -> None:
    """Also where a person is named, whether a directory has one of that name or not."""
    people = [Acquaintance(address=DANA, names=(word,), is_listed=is_listed) for is_listed in (True, False)]
    texts = [f"Send it to {word}", f"Bitte {word} an Helen schicken", f"Send an {word} to Helen", f"Schreib an {word}"]
    assert not any(reaching(DANA, known(text, people=(each,))).is_named for each in people for text in texts)


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("Send it to Marble", True),
        ("Could you please send the offer to Marble?", True),
        ("Send Marble the offer", True),
        ("Ask Marble about it", True),
        ("Plan a call with Marble", True),
        ("Answer Marble’s mail", True),
        ("Schreib an Herrn Marble", True),
        ("Send it to Helen, Marble and Tom", True),
        ("Send it to Helen, Marble", True),
        ("Send it to Helen, Marble arrives today", False),
        ("Send it to Helen: Marble arrives today", False),
        ("Compare Marble", False),
        ("send it to marble", False),
        ("send marble the offer", False),
        ("ask marble about it", False),
        ("Send an Marble to helen@x.example", False),  # an article
        ("Bitte Marble an helen@x.example schicken", False),
        ("Schreib an Marble", False),  # any noun may stand so in German
        ("Schick Marble die Pläne", False),
        ("Fass die Mails mit Marble zusammen", False),
        ("What did I get from Marble?", False),  # they get nothing
        ("Read the notes by Marble", False),
        ("Book a trip to Marble", False),
        ("Summarise the mail about the trip to Marble", False),
        ("Send Marble’s offer to helen@x.example", False),
        ("Marble’s offer is fine", False),
        ("Send it to MARBLE", False),
        ("Send it to Marble Hill", False),  # somebody else
        ("Send it to Helen Marble", False),
        ("Share the plan with Marble", True),
        ("Book half an hour with Marble next week", True),
        ("Set up a meeting on Friday at 3 with Marble", True),
        ("lunch with Helen and Marble", True),
        ("Reply to helen@x.example with Marble", False),  # what they are to read
        ('Reply to helen@x.example with "Marble, see you on Friday"', False),
        ("Answer helen@x.example with “Marble, thank you”", False),
        ("Add a slide with Marble", False),
        ("Book a room with Marble", False),
        ("Let Marble know that we agree", True),
        ("let marble know", False),
        ("Let Marble have the offer", False),  # ways to name whom a directory has
        ("Add Marble to the review", False),
        ("Lade Marble zum Review ein", False),
        ("Schick bitte Marble den Plan", False),
        ("Plan lunch for Marble and me", False),
        ("Marble needs the file, send it to her", False),
        ("Antworte auf Marbles Mail", False),
    ],
)
def test_who_stands_in_no_directory_is_named_clearly(text: str, is_named: bool) -> None:
    """Whoever was written to once chose what they are called: with a capital letter, where somebody gets something."""
    eve = Acquaintance(address="eve@evil.example", names=("Marble",))
    assert reaching(eve.address, known(text, people=(eve,))).is_named is is_named


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("send it to dana", True),
        ("Schreib an Dana", True),
        ("What did I get from Dana?", True),
        ("remind me to dana", False),
        ("move it from dana to dana", False),
        ("Send a dana to Helen", False),
    ],
)
def test_who_stands_in_a_directory_may_be_named_in_small_letters(text: str, is_named: bool) -> None:
    """Where somebody gets something."""
    dana = Acquaintance(address=DANA, names=("Dana",), is_listed=True)
    assert reaching(DANA, known(text, people=(dana,))).is_named is is_named


@pytest.mark.parametrize("is_listed", [True, False])
def test_the_address_of_who_stands_in_a_directory_is_named_as_their_name_is(is_listed: bool) -> None:
    """Whatever the message asks for. Of anybody else only by one that asks for something that reaches them."""
    dana = Acquaintance(address=DANA, names=("Dana",), is_listed=is_listed)
    assert reaching(DANA, known(f"Have a look at the mail from {DANA}", people=(dana,))).is_named is is_listed
    assert reaching(DANA, known(f"Tell {DANA} that we come", people=(dana,))).is_named


def test_a_full_name_is_that_of_somebody_who_has_all_of_it() -> None:
    """Of those in no directory."""
    both = Acquaintance(address=DANA, names=("Dana", "Okafor"))
    assert reaching(DANA, known("Schreib an Dana Okafor", people=(both,))).is_named
    assert reaching(DANA, known("Send it to Dana", people=(both,))).is_named
    assert not reaching(DANA, known("Send it to Dana Weiss", people=(both,))).is_named


def test_who_is_called_by_name_is_an_acquaintance() -> None:
    """By a whole word of their name or of their address, and only if nobody else is called so."""
    dana, other = (
        Acquaintance(address=DANA, names=("Dana Okafor", "dana")),
        Acquaintance(address="d.weiss@x.example", names=("Dana Weiss", "d.weiss")),
    )
    assert reaching(DANA, known("Answer Dana’s mail", people=(dana,))).named_by == (
        Reference(source=Source.CONTACT, id=DANA),
    )
    assert not reaching(DANA, known("Answer Dan’s mail", people=(dana,))).is_named
    assert not reaching(DANA, known("Answer Dana’s mail", people=(dana, other))).is_named
    assert reaching(DANA, known("Answer Dana Okafor’s mail", people=(dana, other))).is_named
    assert not reaching("x@evil.example", known("Answer Dana’s mail", people=(dana,))).is_named


def test_who_is_mentioned_is_named() -> None:
    """A mention stands for one person, and for no word that looks like it."""
    dana = Acquaintance(address=DANA, names=("U1DANA",), is_listed=True)
    assert reaching(DANA, known("Tell <@U1DANA>", people=(dana,))).is_named
    assert reaching("U1DANA", known("Tell <@U1DANA>")).is_named
    assert not reaching("U1DAN", known("Tell <@U1DANA>")).is_named


def test_who_takes_part_in_a_thing_of_ones_own_is_named_with_it() -> None:
    """In an event of the owner's that they named; not in somebody else's event."""
    fair = Touched(kind="event", id="e1", title="Trade fair", people=(DANA,), is_own=True)
    text = "Write to all who come to the trade fair"
    assert reaching(DANA, known(text, things=(fair,))).named_by == (Reference(source=Source.THING, id="event:e1"),)
    theirs = Touched(kind="event", id="e1", title="Trade fair", people=(DANA,))
    assert not reaching(DANA, known(text, things=(theirs,))).is_named


def test_who_takes_part_in_a_conversation_that_was_named() -> None:
    """If the owner wrote to them before; a stranger in it is a stranger still."""
    benches = Touched(kind="mail_thread", id="t1", title="Benches", people=(DANA,), is_titled=True)
    text = "Answer the mail about benches"
    assert reaching(DANA, known(text), among=benches, met=frozenset({DANA})).is_named
    assert not reaching(DANA, known(text), among=benches).is_named
    assert not reaching(DANA, known("Answer the mail"), among=benches, met=frozenset({DANA})).is_named


@pytest.mark.parametrize("is_conversation", [True, False])
def test_of_two_things_with_one_title_those_in_neither_are_named(is_conversation: bool) -> None:
    """Nobody can tell which is meant."""
    text = "Answer the benches mail" if is_conversation else "Write to all in the benches meeting"
    benches = Touched(kind="mail_thread", id="t1", title="Benches", people=(DANA,), is_titled=True)
    if not is_conversation:
        benches = Touched(kind="event", id="e1", title="Benches", people=(DANA,), is_own=True)
    others = replace(benches, id="x2", people=("mara@acme.com",))
    among = {"among": benches, "met": frozenset({DANA})} if is_conversation else {}
    assert reaching(DANA, known(text, things=(benches,)), **among).is_named
    assert not reaching(DANA, known(text, things=(benches, others)), **among).is_named


EVE, HELEN = "eve@evil.example", "helen@marsh.example"


@pytest.mark.parametrize(
    ("text", "title", "is_named"),
    [
        ("Answer the benches mail", "Benches", False),
        ("Answer the benches mail from Helen", "Benches", True),
        ("Forward the benches mail from Helen to tom@x.example. Thank you", "Benches", False),
        ("Answer the oak benches mail", "Oak benches", True),
    ],
)
def test_a_conversation_to_which_others_gave_its_title(text: str, title: str, is_named: bool) -> None:
    """It means those in it by two words that tell something, or by one and who began it, in a sentence that sends
    nothing to anybody else.
    """
    theirs = Touched(kind="mail_thread", id="t1", title=title, people=(EVE, HELEN), author=HELEN)
    helen = Acquaintance(address=HELEN, names=("Helen",))
    met = frozenset({EVE, HELEN})
    assert reaching(EVE, known(text, people=(helen,)), among=theirs, met=met).is_named is is_named


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Invoice", f"Send the invoice to {HELEN}"),
        ("Invoice", "Send the invoice to our accountant"),
        ("Lunch", f"Write to {HELEN} that I am late for lunch"),
        ("Lunch", f"Write to {HELEN} that I am late for the lunch"),
        ("Lunch", "Tell Helen that I am late for the lunch"),
        ("Loungers", f"Send {HELEN} a mail about the loungers"),
        ("Loungers", "Ask Luis a question about the loungers"),
        ("Question", "Ask Luis a question about the loungers"),
        ("Hello", f"Say hello to {HELEN}: tell her all is well"),
        ("Friday", f"Send {HELEN} a mail about Friday"),
        ("Mails", "Summarise the mails of today, thank you"),
        ("Re: Mails", "Answer the mails of today"),
        ("Monday planning", "Send them the agenda of the Monday planning"),
        ("9 30", "Send it at 9:30"),
        ("Benches", "Send a mail about benches"),
        ("Benches", "Answer benches"),
    ],
)
@pytest.mark.parametrize("is_conversation", [True, False])
def test_an_own_title_means_nobody_where_its_words_stand_for_something_else(
    title: str, text: str, is_conversation: bool
) -> None:
    """Words of any request, what does not stand as one thing, and what goes to somebody else."""
    thing = Touched(kind="event", id="e1", title=title, people=(EVE,), is_own=True)
    if is_conversation:
        among = replace(thing, kind="mail_thread", is_own=False, is_titled=True)
        assert not reaching(EVE, known(text), among=among, met=frozenset({EVE})).is_named
    else:
        assert not reaching(EVE, known(text, things=(thing,))).is_named


@pytest.mark.parametrize(
    "text",
    [
        "Answer the mail about benches",
        "Reply to my benches thread, please",
        "Ask Luis about lunch. Then write to all in the benches meeting",
        f"Send {HELEN} and everybody in the benches meeting the plan",
        "Tell Eve and the others in the benches meeting",  # whose address has the name
        f"Forward the benches notes to {EVE}",
    ],
)
def test_an_own_title_means_those_in_the_thing_where_it_names_one(text: str) -> None:
    """Also beside another sentence, and beside others where everybody is meant."""
    thing = Touched(kind="event", id="e1", title="Benches", people=(EVE,), is_own=True)
    assert reaching(EVE, known(text, things=(thing,))).is_named


def test_what_the_agent_gave_a_title_means_those_in_it_as_somebody_elses_does() -> None:
    """By two words that tell something: a text that it read may have chosen them."""
    ours = event_id_for("act_1")
    lunch = Touched(kind="event", id=ours, title="Benches", people=(EVE,), is_own=True)
    text = "Write to all in the benches meeting"
    assert not reaching(EVE, known(text, things=(lunch,))).is_named
    assert not reaching(EVE, known(text, things=(replace(lunch, id=f"{ours}_20261202T120000Z"),))).is_named
    assert not reaching(EVE, known(text, things=(replace(lunch, id=f"{ours}@team"),))).is_named
    assert reaching(EVE, known(text, things=(replace(lunch, id="cs1"),))).is_named
    mail = replace(lunch, kind="mail_thread")  # of which the agent makes none
    assert reaching(EVE, known(text, things=(mail,))).is_named
    oak = replace(lunch, title="Oak benches")
    assert reaching(EVE, known("Write to all in the oak benches meeting", things=(oak,))).is_named
    assert only(trace(Impact(objects=[lunch]), known("Move benches"))).is_named


@pytest.mark.parametrize(
    ("name", "text", "is_named"),
    [
        ("Deliveries", "Put lunch in the Deliveries calendar", True),
        ("Deliveries", "Please add the oak to our deliveries calendar on Friday", True),
        ("Deliveries", "Create an event on the calendar “Deliveries”", True),
        ("Deliveries", "Trag das bitte im Deliveries-Kalender ein", True),
        ("Team", "Add it to my team calendar", True),
        ("Team", "Trag es in den Teamkalender ein", True),
        ("Team calendar", "Add it to the team calendar", True),
        ("Fernhill team", "Add it to the Fernhill team calendar", True),
        ("Deliveries", "Are there any deliveries today?", False),
        ("Deliveries", "What is on the Deliveries calendar?", False),
        ("Deliveries", "Add the deliveries to my calendar", False),
        ("Deliveries", 'Create an event "Deliveries"', False),
        ("Deliveries", "Send the deliveries calendar invite and add it", False),
        ("Friday", "Put it in my calendar Friday", False),
        ("Friday", "Add it to the Friday calendar", False),
        ("Own", "Put it on my own calendar", False),
        ("Me", "Create it and send me calendar invites", False),
        ("Mails", "Summarise the mails and add lunch", False),
        ("Calendar", "Add it to the calendar", False),
        ("team", "Add it to my fernhill calendar", False),
        ("evil.example", "Add evil.example to it", False),
        ("c_1@group.calendar.google.com", "Add it to c_1@group.calendar.google.com", True),
        ("c_1@group.calendar.google.com", "What is on c_1@group.calendar.google.com?", False),
        ("c_1@group.calendar.google.com", "Add lunch to my calendar", False),
        ("", "Add lunch to my calendar", False),
    ],
)
def test_a_calendar_is_named_as_one_where_something_is_made(name: str, text: str, is_named: bool) -> None:
    """Whoever shares a calendar chooses its name."""
    assert reaching(name, known(text), calendar=name).is_named is is_named


def test_guests_on_a_calendar_are_named_as_people_are() -> None:
    """And not as the calendar is."""
    dana = Acquaintance(address=DANA, names=("Dana",), is_listed=True)
    impact = Impact(destinations=["Deliveries", DANA, EVE], calendar="Deliveries")
    found = trace(impact, known("Add lunch with Dana to the Deliveries calendar", people=(dana,)))
    assert [value.is_named for value in found.values] == [True, True, False]


@pytest.mark.parametrize("text", ["Mail dana [at] acme.com", "Mail dana(at)acme(dot)com", "Mail dana&#64;acme.com"])
def test_an_address_in_disguise_names_nobody(text: str) -> None:
    """What hides one from a program is undone only where links are sought that nobody named."""
    assert not reaching(DANA, KnownWorld(said=[said(text, Source.FORM)])).is_named


def test_a_domain_that_is_typed_in_its_letters_is_the_one_that_is_written_to() -> None:
    """Mail programs write it in ASCII; ß and ss, and letters of another script, are others still."""
    assert reaching("anna@xn--bcher-kva.example", known("Write to anna@bücher.example")).is_named
    assert reaching("anna@xn--strae-oqa.example", known("Write to anna@straße.example")).is_named
    assert not reaching("anna@xn--strae-oqa.example", known("Write to anna@strasse.example")).is_named
    assert not reaching("anna@strasse.example", known("Write to anna@straße.example")).is_named
    assert not reaching("anna@xn--e1awd7f.example", known("Write to anna@epic.example")).is_named


# Things ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "is_named"), [("Send it from boss@acme.com", True), ("Send it", False), ("Send it as the boss", False)]
)
def test_another_sender_is_named_by_its_address(typed: str, is_named: bool) -> None:
    """And to name it is enough: nobody sees a change of it."""
    value = only(trace(Impact(sender="boss@acme.com"), known(typed)))
    assert (value.role, value.value, value.is_named, value.is_alone) == (
        Role.OBJECT,
        "sender:boss@acme.com",
        is_named,
        True,
    )


@pytest.mark.parametrize(
    ("typed", "by_hand", "newly"),
    [
        ("Move the board sync", ["DANA@acme.com"], []),
        ("Move the board sync", [DANA, "eve@acme.com"], ["eve@acme.com"]),
        ("Move it", [DANA], [DANA]),
    ],
)
def test_who_takes_part_in_what_was_named_is_not_newly_reached(
    typed: str, by_hand: list[str], newly: list[str]
) -> None:
    """Limits count whom a request brings in, and not who is there already."""
    sync = Touched(kind="event", id="e1", title="Board sync", people=[DANA], is_own=True)
    found = trace(Impact(objects=[sync]), known(typed, things=(sync,)))
    assert replace(EVIDENCE, recipients=by_hand, provenance=found).newly_reached == newly


def test_who_takes_part_in_a_conversation_is_not_newly_reached() -> None:
    """Whom an answer reaches because the conversation was named, and who is named besides."""
    thread = Touched(kind="mail_thread", id="t1", title="Larch prices", people=[DANA, "luis@acme.com"], is_titled=True)
    people = frozenset(thread.people)
    impact = Impact(destinations=[DANA, "luis@acme.com"], among=thread, met=people)
    found = trace(impact, known("Answer the larch prices, and tell luis@acme.com", things=(thread,)))
    evidence = replace(EVIDENCE, recipients=impact.destinations, provenance=found)
    assert set(evidence.newly_reached) == {"luis@acme.com"}


def touching(title: str, knows: KnownWorld, id: str = "e1") -> Traced:
    return only(trace(Impact(objects=[Touched(kind="event", id=id, title=title)]), knows))


def test_a_thing_is_called_by_its_title() -> None:
    """By all of it, or by every word of it that says something; never by one word of several."""

    def own(text: str) -> Traced:
        lunch = Touched(kind="event", id="e1", title="Lunch with Mara", is_own=True)
        return only(trace(Impact(objects=[lunch]), known(text)))

    assert own("cancel Lunch with Mara").is_exact
    assert own("cancel Mara’s lunch").is_named
    assert not own("cancel Mara’s lunch").is_exact
    assert not own("cancel lunch").is_named
    assert not touching("Whatever", known("cancel e1")).is_named


@pytest.mark.parametrize(
    ("typed", "title", "id"),
    [
        ("Summarise the mails of this morning", "the", "e1"),
        ("Summarise the mails of Monday", "Mails", "e1"),
        ("Summarise the mails of Monday", "Monday mails", "e1"),
        ("What is on today?", "Today", "e1"),
        ("Was ist heute los?", "Heute", "e1"),
        ("Hi", "hi", "e1"),
        ("ok", "OK", "e1"),
        ("Move it to 10:30", "10 30", "e1"),
        ("When is lunch?", "Lunch", "e1"),
        ("When is lunch?", "Xyz", "lunch"),
        ("Summarise the mails", "?!", "e1"),
        ("Could you just summarise the mails of this morning?", "Could just", "e1"),
        ("Kannst du mal die Mails von heute zusammenfassen?", "Kannst mal", "e1"),
        ("Résume les courriels de ce matin", "les de ce", "e1"),
        ("Resume los correos de hoy", "los correos de", "e1"),
        ("What's going on with my inbox?", "what's going", "e1"),
    ],
)
def test_a_title_that_others_chose_needs_more_than_a_word(typed: str, title: str, id: str) -> None:
    """Of any request: neither the event nor the conversation that is called so is named, and no id is a word."""
    assert not touching(title, known(typed), id).is_named
    mail = Touched(kind="mail_thread", id=id, title=title, people=(DANA,), author=DANA)
    assert not reaching(DANA, known(typed), among=mail, met=frozenset({DANA})).is_named


def test_one_word_that_tells_something_calls_ones_own_or_what_its_author_is_named_with() -> None:
    """Function words call nothing, whoever wrote them."""

    def named(text: str, title: str = "Lunch", people: tuple[Acquaintance, ...] = (), **more: Any) -> bool:
        thing = Touched(kind="event", id="e1", title=title, **more)
        return only(trace(Impact(objects=[thing]), known(text, people=people))).is_named

    mara = Acquaintance(address=DANA, names=("Mara",))
    assert named("Decline lunch", is_own=True)
    assert named("Decline lunch", is_titled=True)
    assert named("Decline lunch with Mara", people=(mara,), author=DANA)
    assert named("Decline lunch with dana@acme.com", author=DANA)
    assert not named("Decline lunch with Mara", people=(mara,), author="eve@evil.example")
    assert not named("Summarise the mails", "the", is_own=True)
    assert not named("Decline the meeting with Mara", "Meeting", people=(mara,), author=DANA)


@pytest.mark.parametrize(
    ("title", "typed", "is_named"),
    [
        ("Termination of our contract", "Say hello to helen@marsh.example", False),
        ("Hello", "Say hello to helen@marsh.example", False),
        ("", "Send the draft", False),
        ("Loungers", "Send the draft about the loungers", True),
        ("Termination of our contract", "Send the contract termination", True),
    ],
)
def test_a_draft_is_called_by_what_its_title_tells(title: str, typed: str, is_named: bool) -> None:
    """It may be unfinished: whom it is to can be named for something else, and “hello” calls nothing."""
    draft = Touched(kind="draft", id="r1", title=title, people=("helen@marsh.example",))
    found = trace(Impact(destinations=["helen@marsh.example"], objects=[draft]), known(typed))
    assert (not found.unnamed(Role.OBJECT)) is is_named


def test_security_input_05_a_title_that_two_things_have_names_neither() -> None:
    """An invitation that is titled like one's own event is not told apart from it."""
    twin = Touched(kind="event", id="e2", title="Lunch with Mara")
    assert not touching("Lunch with Mara", known("cancel my Lunch with Mara", things=(twin,))).is_named
    shorter = Touched(kind="event", id="e2", title="Mara")
    assert touching("Lunch with Mara", known("cancel my Lunch with Mara", things=(shorter,))).is_named


@pytest.mark.parametrize("title", ["Cancel", "Move", "Friday", "Please", "Re: sync"])
@pytest.mark.parametrize("text", ["Cancel the board sync please", "Move the board sync to Friday please"])
def test_a_title_that_would_name_nothing_is_no_rival(title: str, text: str) -> None:
    """A stranger's invitation of one word of any request would lead to a card each time."""
    own = Touched(kind="event", id="e1", title="Board sync", is_own=True)
    evil = Touched(kind="event", id="e2", title=title, author=EVE)
    assert only(trace(Impact(objects=[own]), known(text, things=(own, evil)))).is_named


def test_a_longer_title_of_somebody_else_does_not_take_the_place_of_the_real_one() -> None:
    """Days and times make no title more than another; a word that tells something does."""
    review, friday = (
        Touched(kind="event", id=id, title=title, author=author)
        for id, title, author in (("d", "Supplier review", DANA), ("e", "Supplier review Friday 3pm", EVE))
    )
    oak = Touched(kind="event", id="o", title="Oak supplier review", author=DANA)

    def named(thing: Touched, text: str) -> bool:
        return only(trace(Impact(objects=[thing]), known(text, things=(review, friday, oak)))).is_named

    assert not named(review, "Accept the supplier review on Friday at 3pm")
    assert not named(friday, "Accept the supplier review on Friday at 3pm")
    assert named(oak, "Accept the oak supplier review")
    own = replace(friday, is_own=True)
    assert only(trace(Impact(objects=[own]), known("Move the supplier review Friday 3pm", things=(review,)))).is_named


@pytest.mark.parametrize("ids", [("abc1", "abd2"), ("_60q30c1g60o30e1i60o4ac1g", "_8h1k6e1m60o34c9p70o3eb9i")])
def test_invitations_from_other_programs_are_no_series(ids: tuple[str, str]) -> None:
    """Their ids begin with what parts an occurrence from its series."""
    mine, theirs = (Touched(kind="event", id=id, title="Supplier review", author=DANA) for id in ids)
    found = trace(Impact(objects=[theirs]), known("Accept the supplier review", things=(mine, theirs)))
    assert not only(found).is_named


@pytest.mark.parametrize(
    ("title", "text", "is_named"),
    [
        ("Insurance, yearly talk", "Move my insurance talk to 3 pm", True),
        ("Loungers, price or larch", "Add a guest to the loungers meeting", True),
        ("Loungers, price or larch", "Move the meeting about loungers", True),
        ("Loungers, price or larch", "Verschieb den Loungers-Termin", True),
        ("Insurance, yearly talk", "Move the insurance papers to 3 pm", False),
        ("Insurance, yearly talk", "Move it for insurance", False),
        ("Loungers, price or larch", "Move the board meeting", False),
        ("Planning on Monday", "Move the planning", False),
        ("Planning on Monday", "Move planning on Monday", True),
        ("Weekly", "Move the weekly to 3", True),
        ("Friday", "Move the dentist to Friday", False),
        ("Monday planning", "Move planning to Monday", False),
    ],
)
def test_an_own_thing_is_named_by_a_part_of_its_title(title: str, text: str, is_named: bool) -> None:
    """Where that names one thing; and by words of any request only where they stand as they are."""
    own = Touched(kind="event", id="e1", title=title, is_own=True)
    found = trace(Impact(objects=[own]), known(text), effect=CHANGES, verbs=["move", "add", "verschieb"])
    assert only(found).is_named is is_named
    assert not is_named or found.is_asked_for


def test_a_part_of_a_title_is_that_of_no_other_thing() -> None:
    """Whoever wrote that, and whether it was seen or is looked for beside it; and it is no whole name."""
    own = Touched(kind="event", id="e1", title="Insurance, yearly talk", is_own=True)
    other = Touched(kind="event", id="e2", title="Insurance offer")
    text = "Move my insurance talk"
    assert not only(trace(Impact(objects=[own]), known(text))).is_exact
    assert not only(trace(Impact(objects=[own]), known(text, things=(other,)))).is_named
    assert not only(trace(Impact(objects=[own], beside=[other]), known(text))).is_named
    fair = Touched(kind="event", id="e3", title="Fair")
    assert not only(trace(Impact(objects=[own]), known(text, "and the fair", things=(fair,)))).is_named
    assert not only(trace(Impact(objects=[replace(own, is_own=False)]), known(text))).is_named


def test_an_own_title_of_common_words_is_a_rival_where_one_text_calls_it() -> None:
    """Another text that only has its words changes nothing of that."""
    own = Touched(kind="event", id="e1", title="Supplier review", is_own=True)
    other = Touched(kind="event", id="e2", title="Team meeting", is_own=True)

    def is_named(*texts: str) -> bool:
        return only(trace(Impact(objects=[own]), known("Move the supplier review", *texts, things=(other,)))).is_named

    assert is_named("Is there a meeting of the team?")
    assert not is_named("And the team meeting.", "Is there a meeting of the team?")


def test_what_was_seen_and_is_not_called_keeps_a_word_from_naming_one_thing() -> None:
    """As it was seen last, unless the call knows more of it. What is of another kind or of the same series does not."""
    own = Touched(kind="event", id="e1", title="Insurance, yearly talk", is_own=True)
    offer, of_same = Touched(kind="event", id="e2", title="Insurance offer"), "e1_20261202T120000Z"

    def is_named(*seen: Touched, beside: tuple[Touched, ...] = ()) -> bool:
        there = replace(known("Move my insurance talk"), things=[own], seen=[own, *seen])
        return only(trace(Impact(objects=[own], beside=beside), there)).is_named

    assert is_named()
    assert not is_named(offer)
    assert not is_named(replace(offer, kind="mail_thread"), offer)
    assert all(
        map(is_named, (replace(offer, kind="mail_thread"), replace(offer, title="Dinner"), replace(offer, id=of_same)))
    )
    assert is_named(offer, beside=(replace(offer, title="Dinner"),))


def test_what_is_beside_a_thing_may_be_called_as_it_is() -> None:
    """Whether its request looked at it or not."""
    sync = Touched(kind="event", id="e1", title="Team sync", is_own=True)
    text = "Cancel the team sync on Friday"
    assert only(trace(Impact(objects=[sync]), known(text))).is_named
    assert not only(trace(Impact(objects=[sync], beside=[replace(sync, id="e2")]), known(text))).is_named
    later = replace(sync, id="e1_20261202T120000Z")
    assert only(trace(Impact(objects=[sync], beside=[later]), known(text))).is_named


def test_a_day_tells_two_things_of_one_name_apart() -> None:
    """Where the days of both are known, and the owner says that of the one; another day is that of neither."""
    today = date(2026, 11, 26)
    friday = Touched(kind="event", id="e1", title="Team sync", is_own=True, day=date(2026, 11, 27))
    monday, unknown = replace(friday, id="e2", day=date(2026, 11, 30)), replace(friday, id="e2", day=None)

    def is_named(text: str, thing: Touched, beside: Touched, now: date | None = today) -> bool:
        return only(trace(Impact(objects=[thing], beside=[beside], today=now), known(text))).is_named

    text = "Cancel the team sync on Friday"
    assert is_named(text, friday, monday)
    assert not is_named(text, monday, friday)
    assert not is_named(text, friday, unknown)
    assert not is_named(text, friday, monday, now=None)
    assert not is_named("Move the team sync to Friday", friday, monday)
    assert not is_named("Cancel the team sync on Wednesday", friday, monday)


def test_an_occurrence_of_another_day_is_not_named() -> None:
    """Of several, one was meant, in part of its title or in all of it. What does not repeat is there once, and more
    than one occurrence is no matter of a day.
    """
    today = date(2026, 11, 26)
    friday = Touched(
        kind="event", id="e1_20261127T090000Z", title="Team sync Berlin", is_own=True, day=date(2026, 11, 27)
    )
    monday = replace(friday, id="e1_20261130T090000Z", day=date(2026, 11, 30))

    def is_named(text: str, thing: Touched, now: date | None = today) -> bool:
        return only(trace(Impact(objects=[thing], beside=[friday], today=now), known(text))).is_named

    for text in ("Cancel the team sync Berlin on Friday", "Move the Berlin sync on Friday to 3"):
        assert [is_named(text, friday), is_named(text, monday)] == [True, False]
        assert is_named(text, replace(monday, is_many=True))
        assert is_named(text, monday, now=None)
    assert is_named("Cancel the team sync Berlin", replace(monday, is_next=True))
    once = replace(monday, id="e3")
    assert only(trace(Impact(objects=[once], today=today), known("Cancel the team sync Berlin on Friday"))).is_named


def test_what_was_looked_up_for_a_call_says_more_than_what_was_seen_before() -> None:
    """A thing that a search showed without its day is the one that the look found with it."""
    today = date(2026, 11, 26)
    friday = Touched(kind="event", id="e1", title="Team sync", is_own=True, day=date(2026, 11, 27))
    monday = replace(friday, id="e2", day=date(2026, 11, 30))
    seen = known("Cancel the team sync on Friday", things=(friday, replace(monday, day=None)))
    assert only(trace(Impact(objects=[friday], beside=[monday], today=today), seen)).is_named
    assert not only(trace(Impact(objects=[friday], today=today), seen)).is_named


def test_what_was_made_for_the_request_is_named() -> None:
    """By the action that made it."""
    made = KnownWorld(made={"e1": "act_1"})
    assert touching("X", made).named_by == (Reference(source=Source.MADE, id="act_1"),)


# Texts, links and files -----------------------------------------------------------------------------------------------


def test_a_link_of_html_is_traced_whatever_its_scheme() -> None:
    """One that is not listed, and looks like words, is a link there all the same; in a text it is words."""
    found = trace(Impact(destinations=[DANA], texts=["note:this"], links=['<a href="foo:bar">x</a>']), KnownWorld())
    assert [value.value for value in found.values if value.role is Role.URL] == ["foo:bar"]


def test_links_that_leave_are_found_in_every_text() -> None:
    """Those in the owner's words and in a member's are named; those whom it reaches are no links."""
    knows = KnownWorld(
        said=[said("Send Dana https://acme.com/a")], members=[said("see https://acme.com/b", Source.MEMBER, "msg_2")]
    )
    text = "https://acme.com/a and https://acme.com/b and https://evil.example/c, dana@acme.com"
    found = trace(Impact(destinations=[DANA], texts=[text], links=["https://evil.example/d"]), knows)
    links = {value.shown: [each.source for each in value.named_by] for value in found.values if value.role is Role.URL}
    assert links == {
        "acme.com/a": [Source.MESSAGE],
        "acme.com/b": [Source.MEMBER],
        "evil.example/c": [],
        "evil.example/d": [],
    }


@pytest.mark.parametrize(
    ("typed", "link", "is_named"),
    [
        ("acme.com/a", "https://www.acme.com/a", True),
        ("www.acme.com/a", "https://acme.com/a", True),
        ("acme.com/a", "https://www.acme.com/b", False),
        ("acme.com", "www.evil.acme.com", False),
        ("x@acme.com", "www.x@acme.com", False),
    ],
)
def test_an_address_is_named_with_www_and_without(typed: str, link: str, is_named: bool) -> None:
    """People leave it out, and both are of one owner; nothing else is left out."""
    found = trace(Impact(destinations=[DANA], texts=[link]), known(f"Send Dana {typed}"))
    assert all(value.is_named for value in found.values if value.role is Role.URL) is is_named


def test_files_are_named_or_known_to_all() -> None:
    """By their names with or without the ending; or everybody whom they reach has them."""

    def file(*readers: str, text: str = "Send it") -> bool:
        attached = Attached(name="Report 2026.pdf", readers=readers)
        found = trace(Impact(destinations=[DANA], attachments=[attached]), known(text))
        return next(value for value in found.values if value.role is Role.ATTACHMENT).is_named

    assert file(text="Send the report 2026 to Dana")
    assert file(DANA)
    assert not file("mara@acme.com")
    assert not file()


@pytest.mark.parametrize(("id", "is_named"), [("F1", True), ("F2", False), ("", False)])
def test_a_file_that_its_owner_shared_here_is_named(id: str, is_named: bool) -> None:
    """By what Slack calls it: another one may have its name."""
    impact = Impact(destinations=[DANA], attachments=[Attached(name="plan.pdf", id=id)])
    found = trace(impact, KnownWorld(said=[said(f"Send it to {DANA}")], shared={"F1": "msg_1"}))
    assert [value.is_named for value in found.values if value.role is Role.ATTACHMENT] == [is_named]


def test_a_text_is_the_owners_own_if_they_typed_all_of_it() -> None:
    """A message without a text is nobody's own."""
    texts = [["Hello all"], ["Hello  all"], ["Hello you"], ["Hello all", "more"], []]
    knows = known("Tell them: Hello all")
    assert [trace(Impact(texts=each), knows).is_verbatim for each in texts] == [True, True, False, False, False]


def test_destruction_is_asked_for_in_words() -> None:
    """One word for it is enough."""
    verbs = ["cancel", "call off"]
    assert trace(Impact(), known("Cancel it"), verbs=verbs).is_asked_for
    assert trace(Impact(), known("Call off the fair"), verbs=verbs).is_asked_for
    assert not trace(Impact(), known("Off to the fair"), verbs=verbs).is_asked_for


@pytest.mark.parametrize(
    ("texts", "is_asked"),
    [
        (("Remove the reminder about milk", "Prepare the board meeting"), False),
        (("Remove the board meeting", "Remove the reminder about milk"), True),
        (("Remove the reminder about milk", "Remove the board meeting"), False),
        (("Yes, please", "Thanks!", "Remove the board meeting"), True),
        (("the board meeting", "Remove it"), False),
        (("What about the board meeting?",), False),
    ],
)
def test_a_word_for_it_stands_where_the_thing_is_called(texts: tuple[str, ...], is_asked: bool) -> None:
    """In the newest message that says more than thanks. What was made for this request is called as anything else."""
    impact = Impact(objects=[Touched(kind="event", id="e1", title="Board meeting", is_own=True)])
    assert trace(impact, known(*texts), verbs=["remove"]).is_asked_for is is_asked
    assert trace(impact, replace(known(*texts), made={"e1": "act_1"}), verbs=["remove"]).is_asked_for is is_asked


@pytest.mark.parametrize(
    ("wish", "is_made", "is_asked"),
    [("msg_1", True, False), ("msg_2", True, True), ("msg_1", False, False), ("msg_2", False, True)],
)
def test_an_order_counts_for_its_own_request_alone(wish: str, is_made: bool, is_asked: bool) -> None:
    """What an earlier request wanted destroyed is destroyed by then, or another thing of its name was made since."""
    impact = Impact(objects=[Touched(kind="event", id="e1", title="Board meeting", is_own=True)])
    made = {"e1": "act_1"} if is_made else {}
    knows = KnownWorld(said=[said("Remove the board meeting", id=wish)], earlier=frozenset({"msg_1"}), made=made)
    assert trace(impact, knows, verbs=["remove"]).is_asked_for is is_asked
    assert trace(impact, knows, effect=CHANGES, verbs=["remove"]).is_asked_for


BOARD = Touched(kind="event", id="e1", title="Board meeting", people=[DANA], is_own=True)


@pytest.mark.parametrize(
    ("texts", "is_asked"),
    [
        (("When is the board meeting?",), False),
        (("When is the board meeting? Move it to 3",), True),
        (("When is the board meeting?", "Move it to 3"), False),
        (("When is the board meeting?", "Move the dentist to 3"), False),
        (("Any update on the board meeting?",), False),
        (("When is the board meeting?", "Could you move the board meeting to 3?"), True),
    ],
)
def test_a_question_is_no_wish(texts: tuple[str, ...], is_asked: bool) -> None:
    """It names the thing, and nobody asked for it to be changed."""
    found = trace(Impact(objects=[BOARD]), known(*texts), effect=CHANGES, verbs=["move", "update"])
    assert only(found).is_named
    assert found.is_asked_for is is_asked


def test_a_verb_in_the_title_of_the_thing_asks_for_nothing() -> None:
    """It is part of the name."""
    call = replace(BOARD, title="Update call")
    assert not trace(
        Impact(objects=[call]), known("Update call: when is it?"), effect=CHANGES, verbs=["update"]
    ).is_asked_for
    assert trace(Impact(objects=[call]), known("Update the update call"), effect=CHANGES, verbs=["update"]).is_asked_for


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("Who comes to the board meeting?", False),
        ("Who comes to the board meeting? Send them the agenda", True),
        ("Send me the agenda of the board meeting", False),
    ],
)
@pytest.mark.parametrize("is_conversation", [True, False])
def test_whoever_takes_part_is_written_to_on_request(text: str, is_asked: bool, is_conversation: bool) -> None:
    """In an event of the owner's own, and in a conversation that they named."""
    impact = Impact(destinations=[DANA])
    if is_conversation:
        impact = replace(impact, among=replace(BOARD, kind="mail_thread"), met=frozenset({DANA}))
    found = trace(impact, known(text, things=() if is_conversation else (BOARD,)), effect=CHANGES, verbs=["send"])
    assert only(found).is_only_taking_part
    assert found.is_asked_for is is_asked


def test_all_that_was_named_only_is_asked_for_in_one_text() -> None:
    """Moving one meeting is no wish to tell those of another."""
    fair = Touched(kind="event", id="e2", title="Trade fair", people=["mara@acme.com"], is_own=True)
    impact = Impact(destinations=["mara@acme.com"], objects=[BOARD])

    def is_asked(*texts: str) -> bool:
        return trace(impact, known(*texts, things=(fair,)), effect=CHANGES, verbs=["invite"]).is_asked_for

    assert is_asked("Invite everybody of the trade fair to the board meeting")
    assert not is_asked("Invite Tom to the board meeting", "Who is at the trade fair?")
    assert not is_asked("Invite them to the board meeting", "Who is at the trade fair?")


def test_of_several_things_in_which_somebody_takes_part_one_is_enough() -> None:
    """The one with which it is asked for that they are written to."""
    oak = Touched(kind="mail_thread", id="t1", title="Oak benches", people=[DANA], is_titled=True)
    knows = known("Write to all in the board meeting", "Who is in the oak benches thread?", things=(BOARD,))
    impact = Impact(destinations=[DANA], among=oak, met=frozenset({DANA}))
    found = trace(impact, knows, effect=CHANGES, verbs=["write"])
    assert {each.id for each in only(found).named_by} == {"event:e1", "mail_thread:t1"}
    assert found.is_asked_for


def test_who_is_in_a_directory_is_so_wherever_else_they_are_known_from() -> None:
    """Their name in small letters means them, also if a mail has them, too."""
    people = [Acquaintance(address=DANA, names=("Dana",), is_listed=is_listed) for is_listed in (True, False)]
    assert reaching(DANA, KnownWorld(said=[said("send it to dana")], acquaintances=people)).is_named


def test_an_occurrence_of_which_no_day_is_known_is_named_by_its_title() -> None:
    """Nobody can tell whether it is that of another day."""
    sync = Touched(kind="event", id="e1_20261127T090000Z", title="Team sync", is_own=True)
    found = trace(Impact(objects=[sync], today=date(2026, 11, 26)), known("Cancel the team sync on Friday"))
    assert only(found).is_named


@pytest.mark.parametrize(("day", "is_named"), [(date(2026, 11, 26), True), (None, False)])
def test_a_day_tells_two_events_apart_only_where_both_days_are_known(day: date | None, is_named: bool) -> None:
    """Otherwise either may be meant."""
    sync = Touched(kind="event", id="e1", title="Team sync", is_own=True, day=day)
    other = replace(sync, id="e2", day=date(2026, 11, 27))
    impact = Impact(objects=[sync], beside=[other], today=date(2026, 11, 25))
    assert only(trace(impact, known("Cancel the team sync on Thursday"))).is_named is is_named


def test_only_the_text_that_calls_a_thing_says_on_which_day_it_is() -> None:
    """Another one may speak of any day."""
    sync = Touched(kind="event", id="e1_20261127T090000Z", title="Team sync", is_own=True, day=date(2026, 11, 27))
    sync = replace(sync, is_next=True)
    knows = known("Cancel the team sync", "Lunch is on Monday")
    assert only(trace(Impact(objects=[sync], today=date(2026, 11, 25)), knows)).is_named
    knows = known("Cancel the team sync on Monday")
    assert not only(trace(Impact(objects=[sync], today=date(2026, 11, 25)), knows)).is_named


def test_an_own_title_that_tells_nothing_is_a_rival_of_its_like() -> None:
    """Two meetings are two, and lunch is no rival of the lunch plans."""
    meeting = Touched(kind="event", id="e1", title="Weekly meeting", is_own=True)
    other = replace(meeting, id="e2")
    text = "Move the weekly meeting"
    assert only(trace(Impact(objects=[meeting]), known(text, things=(meeting,)))).is_named
    assert not only(trace(Impact(objects=[meeting]), known(text, things=(meeting, other)))).is_named
    for is_own in (True, False):
        plans = Touched(kind="mail_thread", id="t1", title="Lunch plans", is_own=is_own, is_titled=not is_own)
        short = replace(plans, id="t2", title="Lunch")
        assert only(trace(Impact(objects=[plans]), known("Answer the lunch plans", things=(plans, short)))).is_named


def test_a_part_of_a_strangers_title_says_not_which_event_it_is() -> None:
    """Whoever wrote it may have chosen it so; so it is with what the agent gave a title, and where the other events of
    its day were not looked up.
    """
    day = date(2026, 11, 27)
    own = Touched(kind="event", id="e1", title="Sun loungers talk", is_own=True, day=day)
    others = [replace(own, is_own=False), replace(own, id=event_id_for("act_1")), replace(own, day=None)]
    found = [trace(Impact(objects=[talk], today=day), known("Cancel the loungers talk")) for talk in (own, *others)]
    assert [only(each).is_exact for each in found] == [True, False, False, False]


def test_all_words_of_a_strangers_title_are_no_whole_name_in_another_order() -> None:
    """For what one's own they are."""
    for is_own in (True, False):
        event = Touched(kind="event", id="e1", title="Supplier oak meeting", is_own=is_own)
        value = only(trace(Impact(objects=[event]), known("Cancel the oak supplier meeting")))
        assert (value.is_named, value.is_exact) == (True, is_own)


def test_whoever_wrote_something_is_named_as_that() -> None:
    """“From Helen” gives her nothing, and says whose mail it is."""
    helen = "helen@x.example"
    mail = Touched(kind="mail_thread", id="t1", title="Benches", people=(helen,), author=helen)
    knows = known("Answer the benches mail from Helen", people=(Acquaintance(address=helen, names=("Helen",)),))
    assert only(trace(Impact(objects=[mail]), knows)).is_named
    assert not reaching(helen, knows).is_named


def test_what_was_filled_in_asks_for_its_call() -> None:
    """Whoever changes a call in its window wants it."""
    filled = KnownWorld(said=[said("When is the board meeting?"), said("at noon", Source.FORM)])
    assert trace(Impact(objects=[BOARD]), filled, effect=CHANGES, verbs=["move"]).is_asked_for
    chosen = KnownWorld(said=[said("When is the board meeting?"), said("board@acme.com", Source.ANSWER)])
    assert not trace(Impact(objects=[BOARD]), chosen, effect=CHANGES, verbs=["move"]).is_asked_for


def test_more_occurrences_than_were_asked_for() -> None:
    """What repeats is changed as a whole only if the text that names it says so, or a window about the call does."""
    sync = Touched(kind="event", id="e3", title="Team sync", is_own=True, is_many=True)

    def is_beyond(*texts: Said, thing: Touched = sync, **more: Any) -> bool:
        return only(trace(Impact(objects=[thing]), KnownWorld(said=texts, **more))).is_beyond

    assert is_beyond(said("Cancel the team sync tomorrow"))
    assert not is_beyond(said("Cancel the team sync tomorrow"), thing=replace(sync, is_many=False))
    assert is_beyond(said("Cancel the team sync"))
    assert not is_beyond(said("Cancel the team sync series"))
    assert not is_beyond(said("Cancel every team sync from tomorrow on"))
    assert is_beyond(said("Cancel the team sync tomorrow"), said("Tell all of them", id="msg_2"))
    assert not is_beyond(said("Cancel the team sync tomorrow"), said("all of them", Source.FORM))
    assert is_beyond(said("Cancel the team sync tomorrow"), said("at 3", Source.FORM))
    assert not is_beyond(said("Set up a sync at 11"), made={"e3": "act_1"})


@pytest.mark.parametrize(
    ("text", "has_new_rhythm"),
    [
        ("Move the whole team sync to the yard", True),
        ("Move every weekend sync to the yard", True),
        ("Move the whole team sync to the yard. And cancel the reminder about larch", True),
        ("Verschieb mal die ganze Serie Team sync", True),
        ("Let the team sync end in May", False),
        ("The team sync only 4 times, please move it", False),
        ("Verschiebe den Team sync auf 10 und lass ihn bis Mai laufen", False),
    ],
)
def test_a_series_has_a_new_rhythm_only_where_that_is_asked_for(text: str, has_new_rhythm: bool) -> None:
    """A text that calls it says how long it goes on, or a window about the call does. Its title says nothing of it."""
    sync = Touched(kind="event", id="e3", title="Team sync", is_own=True, is_many=True, has_new_rhythm=True)
    impact = Impact(objects=[replace(sync, title="Weekend sync") if "weekend" in text else sync])
    knows = KnownWorld(said=[said(text), said("Until when?", id="msg_2")])
    assert only(trace(impact, knows)).has_new_rhythm is has_new_rhythm
    assert not only(trace(Impact(objects=[replace(sync, has_new_rhythm=False)]), knows)).has_new_rhythm
    assert not only(trace(impact, replace(knows, said=[*knows.said, said("noon", Source.FORM)]))).has_new_rhythm
    assert not only(trace(impact, replace(knows, made={"e3": "act_1"}))).has_new_rhythm


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("Move the board meeting to 3", False),
        ("Remove Priya from the board meeting", True),
        ("Take Priya off the board meeting, please", True),
        ("Lade Priya bitte vom Board meeting aus", True),
        ("Remove priya the board from it", False),
        ("Replace Priya with Dana in the board meeting", True),
        ("Replace Dana with Priya in the board meeting", False),
        ("Move the board meeting. It goes without Nair", False),
        ("Move the board meeting to 3 and tell Priya", False),
        ("Move the board meeting to Priya's room", False),
        ("Remove Priya's dish from the board meeting", False),
        ("Remove the link from Priya", False),
        ("Move the board meeting to 3. Don't remove Priya", False),
        ("Remove everybody except Priya", False),
        ("Remove Dana, keep Priya", False),
        ("Did you remove Priya?", False),
        ("Remove the pni from the board meeting", False),
        ("Uninvite p.nair@acme.com from the board meeting", True),
        ("Remove pni from the board meeting", True),
        ("Remove Dana from the board meeting", False),
        ("Remove the board from the board meeting", False),
        ("Remove The from the board meeting", False),
    ],
)
def test_who_takes_part_no_more_was_named(text: str, is_named: bool) -> None:
    """Behind a verb for it, by their address or by a name, theirs alone; neither a word of any request nor one of the
    title is one, and no word in small letters that is not all of it.
    """
    gone = {"p.nair@acme.com": "Priya the Board", "pni@acme.com": ""}
    impact = Impact(objects=[replace(BOARD, people=[*gone])], removed=gone)
    [_, priya, other] = trace(impact, known(text)).values
    assert (priya.role, priya.value, priya.shown) == (Role.OBJECT, "guest:p.nair@acme.com", "p.nair@acme.com")
    assert (priya.is_named or other.is_named, priya.is_alone) == (is_named, True)
    assert priya.is_named is (is_named and "pni" not in text)
    assert len(trace(impact, replace(known(text), made={BOARD.id: "act_1"})).values) == 1


def test_the_title_of_what_they_take_part_in_names_nobody_who_is_removed() -> None:
    """Who calls the event says nothing of its people."""
    call = Touched(kind="event", id="e1", title="Call with Priya", is_own=True)
    gone = Impact(objects=[call], removed={"priya@acme.com": "Priya Nair"})
    text = "Remove Priya from the calendar"
    assert not trace(gone, known(text)).values[1].is_named
    assert trace(replace(gone, objects=()), known(text)).values[0].is_named


def test_what_is_alone_is_kept_with_the_value() -> None:
    """As trusted code says it."""
    assert only(trace(Impact(objects=[replace(BOARD, is_alone=True)]), known())).is_alone
    assert not only(trace(Impact(objects=[BOARD]), known())).is_alone


def test_what_nobody_named_was_seen_somewhere() -> None:
    """What was named is not looked for."""
    seen = Sighting(action="act_1", title="Invoice")
    knows = KnownWorld(said=[said("Mail dana@acme.com")], sightings=lambda value: [seen])
    found = trace(Impact(destinations=[DANA, "x@evil.example"]), knows)
    assert [value.seen_in for value in found.values] == [(), (seen,)]


# What the guards read besides -----------------------------------------------------------------------------------------


def test_what_stands_inside_is_that_and_nothing_else() -> None:
    """Of two destinations the one that is."""
    found = trace(Impact(destinations=["C1", DANA], inside=frozenset({"C1"})), known())
    assert [value.is_inside for value in found.values] == [True, False]


def test_it_is_verbatim_where_one_of_the_owners_texts_holds_each() -> None:
    """Texts that are empty leave nothing to be typed; without any text nothing was."""
    knows = known("Tell Dana that lunch is at one", "Thanks")
    verbatim = [
        trace(Impact(texts=texts), knows).is_verbatim for texts in (["lunch is at one", " "], ["at two"], [" "])
    ]
    assert verbatim == [True, False, False]


def test_whom_it_reaches_is_no_link() -> None:
    """Their address in the text leads nowhere else."""
    found = trace(Impact(destinations=[DANA], texts=["Dana@acme.com, see evil.com"]), known())
    assert [value.value for value in found.values if value.role is Role.URL] == ["evil.com"]


def test_a_thing_names_its_people_only_if_it_is_own_and_was_named() -> None:
    """Nor does a conversation that nobody says is there."""
    meeting = Touched(kind="event", id="e1", title="Budget review", people=[DANA], is_own=True)
    assert reaching(DANA, known("Write to all in the budget review", things=(meeting,))).is_named
    assert not reaching(DANA, known("Write to them", things=(meeting,))).is_named
    assert not reaching(DANA, known("Write to them"), met=frozenset({DANA})).is_named


def test_what_was_made_for_the_request_is_called_exactly() -> None:
    """Whatever its title."""
    thing = Touched(kind="event", id="e1", title="Fair")
    assert only(trace(Impact(objects=[thing]), KnownWorld(made={"e1": "act_1"}))).is_exact
    assert not only(trace(Impact(objects=[thing]), known("Delete it"))).is_exact


@pytest.mark.parametrize(
    ("typed", "is_named"),
    [
        ("Post it on www.new-site.com.", True),
        ("post it on https://WWW.new-site.com", True),
        ("Post it on www.new.site.com.", False),
        ("Post it on new-site.com.", False),
        ("Post it on www.new-site.com/drafts.", False),
        ("Post it on www new site com", False),
    ],
)
def test_a_page_is_named_by_its_address(typed: str, is_named: bool) -> None:
    """Another host with the same words is another page."""
    assert reaching("www.new-site.com", known(typed)).is_named is is_named


def test_a_conversation_is_named_by_its_name() -> None:
    """As a whole word."""
    assert reaching("general", known("Tell general")).is_named
    assert not reaching("general", known("Tell generals")).is_named


REVIEW = Touched(kind="event", id="e1_20260105T090000Z", title="Budget review")


@pytest.mark.parametrize(
    ("other", "is_named"),
    [
        (Touched(kind="event", id="e1_20260112T090000Z", title="Budget review"), True),  # another occurrence
        (Touched(kind="event", id="e1_20260112", title="Budget review"), True),
        (
            Touched(kind="event", id="e1_R20260201T090000_20260202T090000Z", title="Budget review"),
            True,
        ),
        (Touched(kind="event", id="e1", title="Budget review"), True),  # the series
        (Touched(kind="event", id="e1_x", title="Budget review"), False),
        (Touched(kind="event", id="e1@team", title="Budget review"), False),  # on another calendar
        (Touched(kind="mail", id="m1", title="Budget review"), True),  # of another kind
        (Touched(kind="event", id="e2", title="Standup"), True),  # not called
        (Touched(kind="event", id="e3", title="Review"), True),  # a part of the title
        (Touched(kind="event", id="e4", title="Fair"), False),
        (Touched(kind="event", id="e5", title="Budget review"), False),
    ],
)
def test_a_title_names_one_of_several(other: Touched, is_named: bool) -> None:
    """Another thing that the words call as well is a rival, in whichever of the messages."""
    found = trace(Impact(objects=[REVIEW]), known("Move the budget review", "and the fair", things=(REVIEW, other)))
    assert only(found).is_named is is_named
    assert only(found).is_exact
    assert only(found).shown == "Budget review"


def test_a_file_is_named_with_or_without_its_ending() -> None:
    """Its own dots are no ending; where a file goes to nobody, nobody has it already."""

    def sent(name: str, said: str, to: tuple[str, ...] = (DANA,)) -> Traced:
        attached = Attached(name=name, readers=(DANA,) if said.startswith("Both") else ())
        found = trace(Impact(destinations=to, attachments=[attached]), known(said))
        return next(value for value in found.values if value.role is Role.ATTACHMENT)

    assert sent("plan.v2.pdf", "Send plan.v2").is_named
    assert not sent("plan.v2.pdf", "Send plan").is_named
    assert not sent("today.pdf", "Send it today").is_named
    assert sent("today.pdf", "Send today.pdf").is_named
    assert [each.source for each in sent("a.pdf", "Both have a.pdf").named_by] == [Source.MESSAGE]
    assert not sent("b.pdf", "Both have one", to=()).is_named


def test_where_it_stood_is_sought_by_what_results_hold() -> None:
    """A thing by its id, an address as it is; a thing without a title is shown by its kind and id."""
    sought = list[str]()

    def sightings(value: str) -> list[Sighting]:
        sought.append(value)
        return []

    thing = Touched(kind="event", id="e1", title="")
    found = trace(Impact(destinations=[DANA], objects=[thing]), KnownWorld(sightings=sightings))
    assert sought == [DANA, "e1"]
    assert [value.shown for value in found.values] == [DANA, "event:e1"]
