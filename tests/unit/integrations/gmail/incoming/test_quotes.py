"""Quoted history goes where it stands elsewhere in the thread, and answers between the lines stay."""

from __future__ import annotations

import pytest

from integrations.gmail.incoming.quotes import trim_quotes

FIRST = "Shall we meet on Thursday?\nAnd who brings the oak?"


@pytest.mark.parametrize(
    "attribution",
    [
        "On Tue, 24 Nov 2026 at 14:00, Dana Okafor <dana@x.example> wrote:",
        "On Tue, 24 Nov 2026 at 14:00, Dana Okafor\n<dana@x.example> wrote:",
        "Am 24.11.2026 um 14:00 schrieb Dana Okafor:",
        "Le mar. 24 nov. 2026 à 14:00, Dana Okafor <dana@x.example> a écrit :",
        "El mar, 24 nov 2026 a las 14:00, Dana (<dana@x.example>) escribió:",
        "Dana Okafor <dana@x.example>:",
    ],
)
def test_a_marked_quote_at_the_end_goes_with_its_attribution(attribution: str) -> None:
    """The quoted block and the line that introduces it are removed, in several languages."""
    text = f"Yes, at nine.\n\n{attribution}\n\n> Shall we meet on Thursday?\n> And who brings the oak?\n"
    assert trim_quotes(text, [FIRST]) == ("Yes, at nine.", True)


def test_answers_between_the_lines_are_kept() -> None:
    """A quote with text between its lines was answered inline: nothing is removed."""
    text = "On Tue Dana wrote:\n> Shall we meet on Thursday?\nYes.\n> And who brings the oak?\nI do."
    assert trim_quotes(text, [FIRST]) == (text, False)


def test_a_quote_on_top_is_kept() -> None:
    """A quote that is followed by the answer is what the answer is about."""
    text = "> Shall we meet on Thursday?\n\nYes, at nine."
    assert trim_quotes(text, [FIRST]) == (text, False)


def test_outlooks_history_goes_only_where_the_thread_has_it() -> None:
    """An unmarked history below From/Sent/To is removed when its lines are in earlier messages, else kept."""
    head = "From: Dana\nSent: Tuesday\nTo: Mara\nSubject: Oak\n\n"
    known = f"Yes, at nine.\n\n________________________________\n{head}{FIRST}"
    assert trim_quotes(known, [FIRST]) == ("Yes, at nine.", True)
    unknown = f"Yes, at nine.\n\n{head}The price is 900 EUR.\nDeliver to the yard."
    assert trim_quotes(unknown, [FIRST]) == (unknown, False)


def test_an_answer_inside_outlooks_history_is_kept() -> None:
    """When new lines stand inside an unmarked history, nothing is removed."""
    head = "From: Dana\nSent: Tuesday\nTo: Mara\nSubject: Oak\n\n"
    text = f"See below.\n\n{head}Shall we meet on Thursday?\nYes, gladly.\nAnd who brings the oak?"
    assert trim_quotes(text, [FIRST]) == (text, False)


@pytest.mark.parametrize(
    "text",
    [
        "Please sign this clause today:\n\n> Clause 5. The buyer pays 40,000.\n> Clause 6. No refunds.",
        "Can we accept?\n\nAnfang der weitergeleiteten Nachricht:\n\n> Von: Bruno\n> Price 12,000 until Friday.",
        "As agreed.\n\nDana wrote:\n> Shall we meet on Friday?\n> And who brings the oak?",
        "As agreed.\n\nDana wrote:\n> Shall we meet on Thursday?\n> And who brings the oak?\n> I pay.",
        "Her answer:\n> no",
        "See.\n\nFrom: Dana\nSent: Tuesday\nTo: Mara\nSubject: Oak\n\n"
        + "Shall we meet on Thursday?\n" * 9
        + "And I pay.",
    ],
)
def test_a_quote_that_stands_nowhere_else_is_kept(text: str) -> None:
    """A clause, a forwarded mail, and a quote with one line that is another are shown whole."""
    assert trim_quotes(text, [FIRST, "The plan is known."]) == (text, False)


def test_a_quote_is_known_by_its_words() -> None:
    """However a program wraps, marks and links what it quotes, also the attributions inside it."""
    first = "Dear all, *please* look at the plan (https://x.example/a) and tell me whether you can come."
    second = f"I can.\n\nOn Tue Dana wrote:\n> {first}"
    quoted = (
        "> I can.\n>\n> On Tue Dana wrote:\n>> Dear all, please look at the plan\n>> <https://x.example/a> and tell\n"
    )
    text = f"Me too.\n\nOn Wed Ann wrote:\n{quoted}>> me whether you can come."
    assert trim_quotes(text, [first, second]) == ("Me too.", True)


def test_the_first_message_keeps_everything() -> None:
    """What the first message quotes stands nowhere else in the thread."""
    text = "fyi\n\nOn Tue Dana wrote:\n> secret plan"
    assert trim_quotes(text, []) == (text, False)


def test_a_forwarded_message_is_no_history() -> None:
    """A forward is kept whole."""
    text = "fyi\n\n---------- Forwarded message ---------\nFrom: Dana\nDate: x\nTo: y\nSubject: z\n\n> a"
    assert trim_quotes(text, [FIRST]) == (text, False)


def test_a_mail_that_is_only_a_quote_is_kept() -> None:
    """Nothing is removed when nothing would be left."""
    assert trim_quotes("> a\n> b", [FIRST]) == ("> a\n> b", False)
