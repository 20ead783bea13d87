"""A title that somebody else wrote: which texts name a thing by it, and which only hold its words."""

from __future__ import annotations

import time

import pytest

from policies.guards import titles, words
from policies.guards.readings import read, title_of


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Decline the supplier review", "Supplier review"),
        ("decline my supplier review of Monday", "Monday: supplier review"),
        ("decline the supplier review, please", "Supplier review"),
        ("move the budget review of May", "Review of the budget"),
        ("Reply to the mail about the sun loungers", "Sun loungers"),
        ("answer the mail about sun loungers", "Sun loungers"),
        ("answer the thread on the supplier review", "Re: Supplier review"),
        ("What about the Q3 budget?", "Q3 budget"),
        ("answer the sun loungers mail", "Sun loungers"),
        ("decline the new oak delivery", "New oak delivery"),
        ("order four of the oak-board", "oak-board"),
        ("Antworte auf das Angebot für die Sonnenliegen", "Angebot für die Sonnenliegen"),
        ("Antworte auf die geplante Lieferung", "Geplante Lieferung"),
        ("Antworte auf „Lieferung Eiche“", "Re: Lieferung Eiche"),
        ("Réponds à « livraison chêne »", "Livraison chêne"),
        ("Reserve 'Le Marais Boutique' for me, it's great", "Le Marais Boutique"),
        ('answer "oak delivery"', "Re: Fwd: Oak delivery"),
        ("decline the lunch with Helen Hill", "Lunch with Helen Hill"),
        ("Decline the review of the supplier", "Supplier review"),
        ("Decline tomorrow's supplier review", "Supplier review"),
        ("Decline tomorrow’s supplier review", "Supplier review"),
        ("The supplier review: decline it", "Supplier review"),
        ("Decline the supplier review 'today'", "Supplier review"),
        ("Decline the supplier review, s'il te plaît", "Supplier review"),
    ],
)
def test_one_thing_is_named(text: str, title: str) -> None:
    """After “the”, in “the mail about”, or between quotation marks of its own."""
    assert titles.names(read(text), title_of(title))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        # Words of any request, in the languages that there are lists of.
        ("Could you just summarise the mails of this morning?", "Could just"),
        ("Kannst du mal die Mails von heute zusammenfassen?", "Kannst mal"),
        ("Résume les courriels de ce matin", "les de ce"),
        ("Resume los correos de hoy", "los correos de"),
        ("Riassumi i messaggi di oggi", "messaggi di oggi"),
        ("Vat de berichten van vandaag samen", "berichten van vandaag"),
        ("Resume as mensagens de hoje", "mensagens de hoje"),
        ("Give me the most important points of the unread mails", "important unread"),
        # Of languages that there are none of: they stand where nothing is named.
        ("Możesz po prostu streścić dzisiejsze maile?", "Możesz po prostu"),
        ("Możesz po prostu streścić dzisiejsze maile?", "streścić dzisiejsze"),
        ("Bugünkü postaları özetler misin?", "bugünkü özetler"),
        ("Sammanfatta dagens brev", "dagens brev"),
        # Words that tell something, and stand apart, go on, or are a verb.
        ("Ask about the supplier and plan the lunch", "Supplier lunch"),
        ("Summarise the newly arrived mails", "newly arrived"),
        ("Summarise the quarterly sales figures", "quarterly sales"),
        ("Summarise the quarterly sales forecast", "quarterly sales"),
        ("Does this seriously affect us?", "seriously affect"),
        ("Ask whether supplier review works", "Supplier review"),
        ("Write a mail about sun loungers", "Sun loungers"),
        ("Write about sun loungers", "Sun loungers"),
        ("Prepare a supplier review", "Supplier review"),
        ("the mail. Supplier review", "Supplier review"),
        # German: “die” begins clauses, too, and any noun has a capital letter.
        ("Fass die dringend beantworteten zusammen", "dringend beantworteten"),
        ("Fass die Mails, die Sonne Liegen bringt, zusammen", "Sonne Liegen"),
        ("Frag die Helen Hill", "Helen Hill"),
        ("die Helen blaut", "Helen blaut"),
        # A person's name.
        ("Send the plan to Helen Hill", "Helen Hill"),
        ("What did Helen Hill write?", "Helen Hill"),
        ("Read the mail Helen Hill sent", "Helen Hill"),
        # A quotation that holds more, or less.
        ('Tell Dana "the oak delivery arrives"', "Delivery arrives"),
        ('Write "oak delivery soon"', "Oak delivery"),
        ("Helen's oak and Mara's delivery", "s oak and Mara"),
        ('Write "oak"', "Oak delivery"),
        ("Write “!!!”", "Supplier review"),
        ("Ask about the supplier/review", "Supplier review"),
        ("Cancel the supplier warehouse review", "Supplier review"),
        ("Decline Dana's supplier review", "Supplier review"),
        ("Decline tomorrow s supplier review", "Supplier review"),
        ("Decline tomorrow x s supplier review", "Supplier review"),
        ("Decline tomorrow 'big supplier review", "Supplier review"),
        ("Decline the noise about supplier review", "Supplier review"),
        ("Read the supplier review's agenda", "Supplier review"),
        ("Read the supplier review’s agenda", "Supplier review"),
        ("Fass zusammen, die geplante Lieferung", "Geplante Lieferung"),
        ('Write "could just"', "Could just"),
        ("", "Supplier review"),
        ("Decline the review", "Supplier review"),
    ],
)
def test_nothing_is_named(text: str, title: str) -> None:
    """Whatever words the title has."""
    assert not titles.names(read(text), title_of(title))


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Send today.pdf", "today.pdf", True),
        ("Send plan.v2", "plan.v2.pdf", True),
        ("Send the report 2026 to Dana", "Report 2026.pdf", True),
        ("Send the could you.pdf", "could you.pdf", True),
        ("Send data.pdf", "a.pdf", False),
        ("Send it today", "today.pdf", False),
        ("Send it as pdf today", "today.pdf", False),
        ("Could you send it?", "could.pdf", False),
        ("Could you send it?", "could you", False),
        ("Send it at 10.30", "10.30", False),
        ("Send marble to Dana", "marble.pdf", False),
        ("Send a marble to Dana", "marble.pdf", False),
        ("Send the marble to Dana", "marble.pdf", True),
        ("Send the marble to Dana", "marble", True),
        ("Send annual.report.docx", "annual.report.docx", True),
        ("Send data.js", "data.js", True),
        ("Send plan.pages", "plan.pages", True),
        ("Send it, e.g. today", "e.g", False),
        ("Send it today.please", "today.please", False),
        ("Send it today.(x)", "today.(x)", False),
        ("Send it today, pdf please", "today.pdf", False),
        ("Send the marble figures to Dana", "marble.pdf", False),
    ],
)
def test_a_file_is_named_by_all_of_its_name_or_as_one_thing(text: str, name: str, expected: bool) -> None:
    """Without its ending it needs one word that tells something."""
    assert titles.names_file(read(text), title_of(name), title_of(titles.stem_of(name))) is expected


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("Cancel the weekly", "The weekly", True),
        ("Cancel the weekly", "Weekly 7", True),
        ('Move "weekly"', "Weekly", True),
        ("Cancel weekly", "Weekly", False),
        ('Move "the 7"', "The 7", False),
    ],
)
def test_an_own_title_of_words_of_any_request(text: str, title: str, expected: bool) -> None:
    """Numbers and what people leave out do not count; a single word has to name one thing."""
    assert titles.calls_own(read(text), title_of(title)) is expected


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("Cancel the dentist", "The dentist appointment", True),
        ("Cancel the marketing dentist", "Marketing dentist call", True),
        ("Cancel the marketing", "Marketing call", False),
        ("Cancel dentist", "Dentist call", False),
        ("Cancel the dentist at 3", "Dentist call", True),
        ("Cancel the dentist on Friday", "Dentist call", True),
        ("Cancel the dentist at the clinic", "Dentist call", False),
        ("Cancel the dentist practice", "Dentist call", False),
        ("Cancel the dentist and tell Luis", "Dentist call", True),
        ("Cancel the dentist and the hairdresser", "Dentist call", False),
        ("Delete the dentist from my calendar", "Dentist call", True),
        ("Lösch den Dentist aus dem Kalender", "Dentist call", True),
        ("Delete the dentist from my list", "Dentist call", False),
        ("Delete the dentist from Luis calendar", "Dentist call", False),
        ("Cancel the Acme invoice", "Acme invoice call", False),
        ("Cancel the Acme invoice call", "Acme invoice call", False),  # its whole title is found elsewhere
    ],
)
def test_all_of_a_title_but_its_kind(text: str, title: str, expected: bool) -> None:
    """What people send may be meant instead of the event about it."""
    assert titles.calls_whole(read(text), title_of(title)) is expected


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        ("Cancel the loungers talk", "Sun loungers talk", True),
        ("Cancel loungers talk", "Sun loungers talk", False),
        ("Cancel the loungers with", "Price talk: loungers with Helen", False),
        ("Cancel the talk loungers", "Loungers talk", True),
        ("Talk to Dana: cancel the loungers", "Sun loungers: price talk", False),
    ],
)
def test_a_part_of_a_title_that_says_what_it_is(text: str, title: str, expected: bool) -> None:
    """It names one thing, and words that people leave out say nothing."""
    assert titles.calls_in_part(read(text), title_of(title), ()) is expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("My Team calendar: add lunch", "Team", True),
        ("Put it in my team - calendar", "Team", True),
        ("Put lunch on the Fernhill team-calendar", "Fernhill team", True),
        ("Put lunch on a team calendar", "Team", False),
        ("Put lunch on the big team calendar", "Team", False),
        ("Team calendar: lunch", "Team", False),
        ("Team der calendar: lunch", "Team der", False),
        ("calendar", "Fernhill team", False),
        ("Answer the team calendar invite", "Team", False),
    ],
)
def test_a_calendar_is_named_behind_an_article(text: str, name: str, expected: bool) -> None:
    """By all of its name, and nothing else."""
    assert titles.names_calendar(read(text), title_of(name)) is expected


@pytest.mark.parametrize("is_chosen", [True, False])
def test_what_people_send_means_nobody(is_chosen: bool) -> None:
    """However many words for it a title has, whoever gave it."""
    assert not titles.names_those_in(read("Send the invoice offer"), title_of("Invoice offer"), is_chosen=is_chosen)
    assert titles.names_those_in(read("Send it to those in the oak offer"), title_of("Oak offer"), is_chosen=is_chosen)


def test_lists_are_of_seven_languages() -> None:
    """Each of hundreds of words; what names nobody is no part of them."""
    assert {part: len(found) > 300 for part, found in words.everyday().items() if len(part) == 2} == dict.fromkeys(
        ("en", "de", "fr", "es", "it", "nl", "pt"), True
    )
    assert words.is_nobody("rechnung")
    assert not words.is_everyday("rechnung")
    assert words.is_everyday("heisst")  # folded as texts are
    assert len(title_of("les de ce courriels correos messaggi berichten mensagens").telling) == 0
    assert len(title_of("Re: 12 the Friday mail about sun loungers, A").telling) == 2
    assert len(title_of("Sun loungers X").telling) == 2


@pytest.mark.parametrize(
    "piece", ["benches ", "the benches ", "benches and ", "tomorrow's benches ", "my ", "the mail about "]
)
def test_a_long_text_takes_linear_time(piece: str) -> None:
    """Whatever it says over and over, and whatever the title repeats."""
    text = piece * (40_000 // len(piece))
    began = time.process_time()
    for title in ("Benches", "Benches and benches appointment", "benches " * 30):
        titles.names(read(text), title_of(title))
        titles.names_in_part(read(text), title_of(title), title_of(title).telling, kind="payment_order")
        titles.calls_whole(read(text), title_of(title))
    assert time.process_time() - began < 10


def test_a_title_of_one_word_in_a_text_of_it_takes_linear_time() -> None:
    """How far its words are looked at is bounded."""
    began = time.process_time()
    assert not titles.names(read("benches " * 20_000), title_of("Benches"), least=1)
    assert time.process_time() - began < 10
