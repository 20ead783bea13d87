"""Whom a message reaches that has an address in it: those whom it asks for something for, and not those whom it asks
about.
"""

from __future__ import annotations

import pytest

from policies.guards.known import Acquaintance, KnownWorld, Said
from policies.guards.tracing import trace
from policies.guards.wishes import reaches, reaches_somebody
from policies.provenance import Impact, Reference, Source

EVE = "eve@acme.com"


@pytest.mark.parametrize(
    "text",
    [
        "Write to eve@acme.com that we are late",
        "Mail eve@acme.com please.",
        "Send the plan to eve@acme.com",
        "Send eve@acme.com the plan",
        "Please send eve@acme.com and tom@acme.com the plan",
        "Could you email eve@acme.com about Friday?",
        "Forward the invoice to eve@acme.com",
        "Draft a mail to eve@acme.com",
        "Draft me a mail to eve@acme.com",
        "Invite eve@acme.com to the board meeting",
        "Add eve@acme.com to the board meeting",
        "Add eve@acme.com",
        "Set up a call with eve@acme.com on Monday at 4",
        "Schedule lunch with eve@acme.com",
        "Book half an hour with eve@acme.com",
        "Lunch with eve@acme.com",
        "Coffee with eve@acme.com on Monday",
        "Make an appointment with eve@acme.com",
        "Find a time with eve@acme.com next week",
        "Can you find a slot with eve@acme.com?",
        "Tell eve@acme.com we are late",
        "Let eve@acme.com know that we are late",
        "Ask eve@acme.com whether she comes",
        "Reply to eve@acme.com",
        "Answer eve@acme.com: yes",
        "Thank eve@acme.com",
        "Loop in eve@acme.com",
        "Put eve@acme.com in cc",
        "cc eve@acme.com",
        "cc eve@acme.com, too",
        "to eve@acme.com please",
        "to eve@acme.com",
        "also to eve@acme.com",
        "and eve@acme.com",
        "And to eve@acme.com as well",
        "an eve@acme.com",
        "auch an eve@acme.com",
        "an eve@acme.com bitte",
        "eve@acme.com",
        "eve@acme.com.",
        "eve@acme.com please",
        "eve@acme.com: tell her we are late",
        "Eve <eve@acme.com>",
        "Eve (eve@acme.com)",
        "It's eve@acme.com",
        "Her address is eve@acme.com",
        "No, eve@acme.com",
        "no, use eve@acme.com",
        "I meant eve@acme.com",
        "Use eve@acme.com instead",
        "Tell Eve we are late. Her address is eve@acme.com.",
        "Tell Eve we are late. You find her under eve@acme.com.",
        "To: eve@acme.com",
        "I need you to write eve@acme.com a mail",
        "I want to meet eve@acme.com on Friday",
        "I'd like to invite eve@acme.com",
        "Say hello to eve@acme.com",
        "Remind eve@acme.com of the invoice",
        "Share the plan with eve@acme.com",
        "Get back to eve@acme.com",
        "Follow up with eve@acme.com",
        "Apologise to eve@acme.com for the delay",
        "Confirm Friday with eve@acme.com",
        "Pay eve@acme.com 20 euros",
        "Find the invoice and send it to eve@acme.com",
        "When is the review? Send the answer to eve@acme.com",
        "Schreib eve@acme.com, dass wir kommen",
        "Bitte schreib an eve@acme.com, dass wir kommen",
        "Schick eve@acme.com den Plan",
        "Schick den Plan an eve@acme.com",
        "Kannst du eve@acme.com schreiben, dass wir kommen?",
        "Kannst du eve@acme.com bitte den Plan schicken?",
        "Lade eve@acme.com zum Review ein",
        "Gib eve@acme.com Bescheid",
        "Sag eve@acme.com, dass wir kommen",
        "Mach mir einen Termin mit eve@acme.com am Montag",
        "Trag einen Termin mit eve@acme.com ein",
        "Antworte eve@acme.com",
        "Leite das an eve@acme.com weiter",
        "Termin mit eve@acme.com vereinbaren",
        "Mail an eve@acme.com: wir kommen",
        "Mail an eve@acme.com schreiben",
        "Ihre Adresse ist eve@acme.com",
        "Nein, eve@acme.com",
        "Verschieb den Termin und sag eve@acme.com Bescheid",
        "Reply to the mail from eve@acme.com that we agree",
        "Answer the last mail of eve@acme.com",
        "Could you check the budget and tell eve@acme.com what is left?",
        "Hi, can you please send the summary of yesterday's meeting over to eve@acme.com? Thanks!",
        "Send it to my accountant, eve@acme.com",
        "Wish eve@acme.com a happy birthday",
        "Subject: Friday, to: eve@acme.com, text: we are late",
        '[[call: gmail_send {"to": ["tom@acme.com", "eve@acme.com"], "subject": "Hi"}]]',
        "Send this:\nTo: eve@acme.com\nSubject: Friday\nHi Eve",
    ],
)
def test_whom_something_is_for(text: str) -> None:
    """In requests, in what follows them, and in short answers to a question of the agent."""
    assert reaches(text, EVE)


@pytest.mark.parametrize(
    "text",
    [
        "Is the mail from eve@acme.com phishing?",
        "Block eve@acme.com, please",
        "Block eve@acme.com",
        "Did I get anything from eve@acme.com?",
        "Did I ever get anything from eve@acme.com?",
        "Who is eve@acme.com?",
        "eve@acme.com?",
        "Report eve@acme.com as spam",
        "Mark mails from eve@acme.com as spam",
        "Search for mails from eve@acme.com",
        "Find my last mail to eve@acme.com",
        "Show me the mails from eve@acme.com",
        "What did eve@acme.com write?",
        "What does eve@acme.com want?",
        "Did I answer eve@acme.com?",
        "When did I last write to eve@acme.com?",
        "Why did eve@acme.com send me this?",
        "Archive everything from eve@acme.com",
        "Delete the mails of eve@acme.com",
        "Summarise the mails with eve@acme.com",
        "Summarise the mail from eve@acme.com and send it to me",
        "Look up eve@acme.com, thank you",
        "Thanks! What does eve@acme.com want?",
        "Is eve@acme.com known to us?",
        "Don't write to eve@acme.com",
        "Never send anything to eve@acme.com",
        "Tell me whether eve@acme.com is a scammer",
        "Warn me if eve@acme.com writes",
        "Should I answer eve@acme.com?",
        "Remind me to answer eve@acme.com",
        "Move the dentist to 3. Is the mail from eve@acme.com phishing?",
        "I got a strange mail from eve@acme.com",
        "Mails from eve@acme.com",
        "Is eve@acme.com a customer? Tell me",
        "Wer ist eve@acme.com?",
        "Ist die Mail von eve@acme.com echt?",
        "Hat eve@acme.com geschrieben?",
        "Blockiere eve@acme.com",
        "Habe ich etwas von eve@acme.com bekommen?",
        "Zeig mir die Mails von eve@acme.com",
        "Muss ich eve@acme.com antworten?",
        "Schreib nicht an eve@acme.com",
        "Remove eve@acme.com from the review",
        "Unsubscribe me from eve@acme.com",
        "From: eve@acme.com, to: tom@acme.com",
    ],
)
def test_whom_the_owner_only_mentions(text: str) -> None:
    """In questions, refusals, and what is done with their mails."""
    assert not reaches(text, EVE)


def test_only_the_addresses_of_what_asks() -> None:
    """A question beside it gives nobody anything; each address counts once more in upper case, and no other does."""
    text = "Tell Dana@acme.com we are late. Is eve@acme.com phishing?"
    assert reaches(text, "dana@acme.com")
    assert not reaches(text, EVE)
    assert not reaches("Write to them", EVE)
    assert reaches("Write to eve@acme.com. She is late.", EVE)
    assert not reaches("Have a look. Is eve@acme.com new?", EVE)


def _is_named(text: str, *, source: Source = Source.MESSAGE, inside: bool = False, address: str = EVE) -> bool:
    known = KnownWorld(
        said=[Said(reference=Reference(source=source, id="msg_1"), text=text)],
        acquaintances=[Acquaintance(address="theo@acme.com", names=("Theo",))],
    )
    inside_of = frozenset({address}) if inside else frozenset[str]()
    return trace(Impact(destinations=[address], inside=inside_of), known).values[0].is_named


def test_who_is_named_by_an_address() -> None:
    """Outside the workspace whoever is reached; what was chosen or filled in counts in any case."""
    question = "Is the mail from eve@acme.com phishing?"
    assert not _is_named(question)
    assert _is_named(question, inside=True)
    assert _is_named(question, source=Source.FORM)
    assert _is_named("eve@acme.com", source=Source.ANSWER)
    assert _is_named("Do I have a meeting with Theo?", source=Source.ANSWER, address="theo@acme.com")
    assert _is_named("Write to eve@acme.com")
    assert _is_named("#sales, what is new?", address="sales")


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("Write to Theo", True),
        ("cc Theo please", True),
        ("Set up a coffee with Theo", True),
        ("Find my last mail to Theo", False),
        ("Hi. Find my last mail to Theo.", False),
        ("What did I send to Theo?", False),
        ("Do I have a meeting with Theo?", False),
    ],
)
def test_who_is_named_by_a_name(text: str, is_named: bool) -> None:
    """So it is with somebody outside whom the owner wrote to once."""
    assert _is_named(text, address="theo@acme.com") is is_named
    assert reaches_somebody(text) is is_named
