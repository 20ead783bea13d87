"""What asks for something, and what only says the same words: in English and German, as people type to an agent."""

from __future__ import annotations

import time

import pytest

from policies.guards.verbs import ANSWER, ANY, CHANGE, DESTROY, MAKE, SEND, verbs_of
from policies.guards.wishes import addressees as addressees_of
from policies.guards.wishes import asks, reaches, reaches_somebody
from policies.guards.words import words_of
from policies.types import EffectClass

REVIEW, THREAD = words_of("Supplier review"), words_of("Budget thread")


@pytest.mark.parametrize(
    "text",
    [
        "Move the supplier review to 3",
        "please reschedule the supplier review",
        "Could we push the supplier review to 3?",
        "can you also move the supplier review?",
        "Can't you move the supplier review?",
        "Can’t you move the supplier review?",
        "When is the supplier review? Move it to 3 pm.",
        "When is the supplier review?\nMove it to 3 pm",
        "When is the supplier review, and can you move it to 3?",
        "I need you to move the supplier review",
        "I'd like to move the supplier review to 3",
        "Let's move the supplier review",
        "Lets move the supplier review",
        "Help me move the supplier review",
        "You should move the supplier review",
        "No, move the supplier review",
        "Hi! <@U0BOT> move the supplier review",
        "🙏 move the supplier review",
        "don't forget to invite Dana to the supplier review",
        "The supplier review needs to be moved to 3",
        "The supplier review has to be cancelled or changed, it must be moved",
        "Would you mind moving the supplier review?",
        "How about pushing the supplier review to 4?",
        "It would be great if you could move the supplier review",
        "Is it possible to move the supplier review?",
        "Find a slot and then move the supplier review there",
        "For the supplier review, please add Dana",
        "1. Move the supplier review",
        "Supplier review: move to 3",
        "Supplier review - move to 3",
        "tomorrow move the supplier review to 3",
        "Take the first point off the supplier review",
        "Verschiebe die supplier review auf 15 Uhr",
        "Kannst du die supplier review bitte auf 15 Uhr verschieben?",
        "Lade Dana, Tom und Mara zur supplier review ein",
        "Ich möchte die supplier review verschieben",
        "Ich will die supplier review verschieben",
        "Bitte leg die supplier review auf 15 Uhr",
        "Wann ist die supplier review? Verschieb sie bitte auf Freitag.",
        "Vergiss nicht, Dana zur supplier review einzuladen",
        "supplier review verschieben",
        "Verschieben: supplier review",
    ],
)
def test_whoever_asks_for_a_change(text: str) -> None:
    """However politely, and wherever in the message."""
    assert asks(text, CHANGE, [REVIEW])


@pytest.mark.parametrize(
    "text",
    [
        "When is the supplier review?",
        "Did Dana move the supplier review?",
        "When did Dana move the supplier review?",
        "Did Dana call and move the supplier review?",
        "Who can change the supplier review?",
        "Any update on the supplier review?",
        "Is there an update on the supplier review?",
        "What's the latest change of the supplier review?",
        "Update on the supplier review?",
        "Give me an update on the supplier review",
        "Don't move the supplier review, just tell me when it is",
        "Should we move the supplier review?",
        "Can I move the supplier review?",
        "Do I need to move the supplier review?",
        "Has Dana set up the supplier review?",
        "What happens if I move the supplier review?",
        "They move the supplier review every week",
        "We move the supplier review every week",
        "Dana wants to move the supplier review. When is it?",
        "Dana will move the supplier review",
        "Can Dana move the supplier review?",
        "Can any supplier review be moved to Friday?",
        "Will the supplier review be moved to Friday?",
        "Remind me to move the supplier review",
        "Who is at the supplier review and what did they change?",
        "“Move the supplier review”, what is that?",
        "Was the supplier review moved?",
        "Is the supplier review about pushing prices?",
        "Summarise the change log of the supplier review",
        "What do they want to take from the supplier review?",
        "Wann ist die supplier review?",
        "Hat Dana die supplier review verschoben?",
        "Wer will die supplier review verschieben?",
        "Soll ich die supplier review verschieben?",
        "Verschiebe die supplier review nicht",
        "Ich verschiebe die supplier review selbst",
        "Gibt es ein Update zur supplier review?",
        "Was heißt das Verschieben der supplier review?",
        "Mara mag Verschieben der supplier review",
        "Lade ein Bild der supplier review herunter",
        "",
    ],
)
def test_whoever_asks_about_it_tells_of_it_or_refuses_it(text: str) -> None:
    """With the same words, nobody asks for a change."""
    assert not asks(text, CHANGE, [REVIEW])


@pytest.mark.parametrize(
    "text",
    [
        "Reply to the budget thread",
        "Tell everyone in the budget thread that it is fine",
        "let them know in the budget thread that it is fine",
        "write back to the budget thread",
        "Antworte auf den budget thread",
        "Kannst du auf den budget thread antworten?",
        "gib im budget thread bescheid",
        "Leite den budget thread an Dana weiter",
        "Ask Dana in the budget thread if she can meet me",
        "Ask Dana in the budget thread to meet me",
        "Send the budget thread to",
    ],
)
def test_whoever_asks_for_a_message_to_others(text: str) -> None:
    """In a thread that they name."""
    assert asks(text, SEND, [THREAD])


@pytest.mark.parametrize(
    "text",
    [
        "Send me the budget thread",
        "Tell me what the budget thread says",
        "Did I reply to the budget thread?",
        "Any reply in the budget thread?",
        "What did they answer in the budget thread?",
        "Find the mail about the budget thread",
        "Is there e-mail in the budget thread?",
        "Mail from Dana in the budget thread?",
        "Let me know when the budget thread moves",
        "Schick mir den budget thread",
        "Kannst du mir den budget thread schicken?",
        "Post the budget thread to the channel here",
        "Wo sind die Antworten zum budget thread?",
    ],
)
def test_what_the_owner_wants_to_hear_goes_to_nobody_else(text: str) -> None:
    """To tell them is not to write to others."""
    assert not asks(text, SEND, [THREAD])


def test_the_title_of_the_thing_holds_no_verb() -> None:
    """As a whole, or where its words stand in another order."""
    planning = words_of("Move planning")
    assert not asks("Move planning: when is it?", CHANGE, [planning])
    assert not asks("Planning, move: when?", CHANGE, [planning])
    assert asks("Move the Move planning to 3", CHANGE, [planning])
    assert asks("Move planning: when is it?", CHANGE, [words_of("Supplier review")])


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("Decline the review", ANSWER),
        ("Say yes to the review", ANSWER),
        ("Turn the invitation down", ANSWER),
        ("Nimm die Einladung bitte an", ANSWER),
        ("Sag zur Feier zu", ANSWER),
        ("Set a call up with all of the fair", MAKE),
        ("go ahead and make a reservation for me", MAKE),
        ("Lege einen Termin mit allen von der Messe an", MAKE),
        ("Call the fair off", DESTROY),
        ("Sag die Messe bitte ab", DESTROY),
        ("Order four boards", ANY),
    ],
)
def test_verbs_of_every_kind(text: str, verbs: tuple[str, ...]) -> None:
    """With their parts together or apart."""
    assert asks(text, verbs)
    assert not asks(text, ["paint"])


def test_a_tool_without_verbs_takes_any_that_does_not_destroy() -> None:
    """What destroys is asked for by its own alone."""
    assert not asks("Delete the review", verbs_of(EffectClass.EXTERNAL, ()))
    assert asks("Move the review", verbs_of(EffectClass.EXTERNAL, ()))
    assert not asks("Move the review", verbs_of(EffectClass.EXTERNAL, ["paint"]))
    assert verbs_of(EffectClass.DESTRUCTIVE, ()) == ()
    assert verbs_of(EffectClass.DESTRUCTIVE, ["burn"]) == ["burn"]


@pytest.mark.parametrize(
    "text",
    [
        "Write to Dana about 10:30, cancel the review",  # a time has no text behind it
        "Reasons\ncancel the review",
        "I'm ill,cancel the review",
        "https://acme.com/move please cancel the review",
    ],
)
def test_where_a_clause_begins(text: str) -> None:
    """Behind a mark or on a new line; a colon in a time is no such mark."""
    assert asks(text, ["cancel"])
    assert not asks(
        text.replace("10:30,", "this:").replace("\n", " ").replace(",c", " c").replace("please", "they"), ["cancel"]
    )


def test_a_name_before_a_colon_is_who_speaks() -> None:
    """A name and nothing else, of three words at most."""
    assert asks("Anna Maria Okafor Hill: cancel the review", ["cancel"])
    assert asks("Hello Dana: cancel the review", ["cancel"])
    assert not asks("Anna Maria Okafor: cancel the review", ["cancel"])
    assert not asks("Dana: cancel the review", ["cancel"])


def test_all_of_a_verb_is_said_in_its_other_forms() -> None:
    """As in its first one."""
    assert asks("I need it called off", ["call off"])
    assert not asks("I need it called", ["call off"])


def test_what_was_named_before_is_cancelled_at_its_time() -> None:
    """What is cancelled for somebody is something else."""
    assert asks("When is the supplier review? Cancel it at 3", DESTROY, [REVIEW])
    assert not asks("When is the supplier review? Cancel it for Dana", DESTROY, [REVIEW])


def test_a_form_of_two_verbs_may_be_that_of_the_one_that_destroys() -> None:
    """So it is no wish where that one is none."""
    text = "Could the supplier review be called off?"
    assert asks(text, ["call up", "call"], [REVIEW]) is False
    assert not asks(text, ["call off", "call"], [REVIEW])
    assert asks("Could the supplier review be called?", ["call off", "call"], [REVIEW])


@pytest.mark.parametrize(
    "text",
    [
        "Two things: the title, cancel the review",
        "Cancel the review, what he said",
        "Cancel the review, because Dana said it",
        "We don't want to move the review, just cancel it",
        "Cancel the review, as Dana said",
        "They do not like the review, cancel it please",
        "The people do not like the review, cancel it",
        "The people do not like the review, cancel the fair",
        "The people also do not like the review, cancel the fair",
        "Don't forget the room, cancel the review",
        "Don't bother Dana, cancel the review",
        "I said I am ill, cancel the review",
        "Two things: title, cancel the review",
        "Tell Dana and cancel the review",
        "Mail the team, cancel the review",
        "Tell Dana we agree, cancel the review",
        "Cancel the review, wie Dana sagte",
        "Cancel the review, I said",
        "Room 10: cancel the review",
        "Write to Dana about 9:30, cancel the review",
        "Write to Dana about 2:1, cancel the review",
    ],
)
def test_what_only_looks_like_the_words_of_others(text: str) -> None:
    """A list behind a colon, what is agreed to, and a refusal that is none of the owner's."""
    assert asks(text, ["cancel"])


@pytest.mark.parametrize(
    "text",
    [
        "I'm ill, tell Dana, cancel the review",
        "Tell Dana Okafor, cancel the review",
        "Cancel the review, Dana said",
        "I'm ill: do not move, delete or cancel the review",
        "I'm ill and do not move, delete or cancel the review",
        "Don't move the review, cancel Dana it",
        "Do not move, cancel it",
        "Do not bother to move, delete or cancel the review",
        "Do not even bother to move, delete or cancel the review",
        "Cancel the review, said I",
        "Don't move the review, the fair and cancel it",
        "Please tell Dana, cancel the review",
        "(Please tell Dana), cancel the review",
        "He wrote 2.Cancel the review",
        "'Cancel the review'",
        "Please 'cancel the review'",
        "Write to Dana:10 people come, cancel the review",
        "Dana is anti-cancel the review",
        "Dana: I am very ill, cancel the review",
        "Cancel the review, said Dana",
    ],
)
def test_what_is_said_by_others_to_them_or_refused(text: str) -> None:
    """Also behind something else."""
    assert not asks(text, ["cancel"])


def test_a_title_is_found_over_its_marks() -> None:
    """Where it stands whole, and the same word before it is a verb."""
    assert asks("Update the Board: update", ["update"], [words_of("Board: update")])


def test_whom_alone_is_said_with_a_capital_letter() -> None:
    """That of the name, and not that of the first word."""
    assert reaches_somebody("to Eve, please")
    assert not reaches_somebody("To eve, please")
    assert not reaches_somebody("to both, please")


@pytest.mark.parametrize(
    "text", ["The fair is over. To Eve, please", "Hi. Tell Eve that we are late. The fair is over."]
)
def test_one_sentence_that_reaches_somebody_is_enough(text: str) -> None:
    """Whatever is said beside it."""
    assert reaches_somebody(text)


@pytest.mark.parametrize(("more", "expected"), [(15, True), (16, False)])
def test_an_answer_is_short(more: int, expected: bool) -> None:
    """What is longer says more than whom it is for; a name may be that in the address."""
    assert reaches(f"{'also ' * more}eve@acme.com", "eve@acme.com") is expected
    assert reaches("eve miller, eve.miller@acme.com", "eve.miller@acme.com")
    assert reaches("and eve@acme.com on friday", "eve@acme.com")


def test_what_is_obeyed_stands_behind_its_verb_or_a_comma() -> None:
    """Not behind a colon or “and”, as something else may."""
    assert reaches("Do, what eve@acme.com says", "eve@acme.com")
    assert not reaches("Do: what eve@acme.com says", "eve@acme.com")
    assert not reaches("Do and what eve@acme.com says", "eve@acme.com")


@pytest.mark.parametrize(
    ("text", "addressees"),
    [
        ("Tell Luis that I am late", ["Tell Luis "]),
        ("Tell Luis: I am late", ["Tell Luis"]),
        ("Reply: ask Luis. Then tell Dana’s team", ["tell Dana’s team"]),
        ("Send what it says to Luis: all of it", ["Send what it says to Luis"]),
        ("Answer what it says to Luis", ["Answer "]),
        ("Send the plan, and tell Luis and Dana", ["Send the plan, and ", "tell Luis and Dana"]),
        ("Answer and call Luis and cc Dana", ["Answer and call Luis and "]),
        ("Tell them and Luis", ["them "]),
        ("Send it back to them and Luis", ["them "]),
        ("Send Luis a note about them", ["Send Luis a note about them"]),
        ("Send what it says to them", ["Send what it says to them"]),
        ("Ask what to send to them", ["Ask "]),
        ("Mail a@b.example and c@d.example!", ["Mail  a@b.example and  c@d.example "]),
        ("What did Luis reply?", []),
        ("Kannst du Luis antworten, dass ich komme?", ["Kannst du Luis antworten, "]),
        ("When is it? Bitte Luis antworten\nund Dana schreiben", ["Bitte Luis antworten\n"]),
        ("Tell the thread “Oak prices” that I am late", ["Tell the thread “Oak prices” "]),
        ("Budget thread: tell Luis", ["tell Luis"]),
        ("Tell", ["Tell"]),
        ("", []),
    ],
)
def test_for_whom_something_is_asked(text: str, addressees: list[str]) -> None:
    """From the verb on, up to what they are told, or to another verb that reaches somebody."""
    assert list(addressees_of(text, EffectClass.EXTERNAL, SEND, [words_of("Oak prices")])) == addressees


def test_a_part_of_a_german_verb_ends_its_clause() -> None:
    """Within one it is another word."""
    assert asks("Sag die Messe ab, bitte", ["sag … ab"])
    assert asks("Sag die Messe ab und schreib Dana", ["sag … ab"])
    assert not asks("Sag, ab wann die Messe ist", ["sag … ab"])


@pytest.mark.parametrize("word", ["İstanbul", "Μαΐου", "ǰ", "ẖa"])
def test_letters_that_are_two_in_small(word: str) -> None:
    """They are part of a word, as Turkish and Greek have them, and no marks."""
    assert asks(f"The hall of {word} is closed. Cancel the review", ["cancel"])
    assert asks(f"Cancel {word}", ["cancel"])
    assert not asks(f"Who goes to {word}?", ["cancel"])
    assert reaches_somebody(f"Mail {word} that Friday works")


@pytest.mark.parametrize(
    "piece",
    [
        *("they put and did we ", "a-", "a.", "please move ", "To: ", "eve@acme.com ", "x" * 70 + " ", "moved to "),
        *("do not move, cancel ", "do what eve@acme.com says ", "mach, ", "Eve: ", "says: cancel ", "please get it "),
        *("could it be moved ", "muss das verschoben werden ", "remove the ", "supplier review cancelled "),
    ],
)
def test_a_long_text_takes_linear_time(piece: str) -> None:
    """Whatever it says: a person's own text is looked at while everybody else waits."""
    text = piece * (40_000 // len(piece))
    began = time.process_time()
    assert not asks(text, DESTROY, [REVIEW], destroys=True)
    reaches(f"{text} dana@acme.com", "dana@acme.com")
    reaches_somebody(text)
    assert time.process_time() - began < 10
