"""Quoted history goes where it stands elsewhere in the thread, and answers between the lines stay."""

from __future__ import annotations

import pytest

from integrations.gmail.incoming.quotes import trim_quotes

FIRST = "Shall we meet on Thursday?\nAnd who brings the oak?"
HEAD = "From: Dana\nSent: Tuesday\nTo: Mara\nSubject: Oak\n\n"


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


def test_outlooks_history_goes_only_where_the_thread_has_it() -> None:
    """An unmarked history below From/Sent/To is removed when its lines are in earlier messages, else kept."""
    known = f"Yes, at nine.\n\n________________________________\n{HEAD}{FIRST}"
    assert trim_quotes(known, [FIRST]) == ("Yes, at nine.", True)
    unknown = f"Yes, at nine.\n\n{HEAD}The price is 900 EUR.\nDeliver to the yard."
    assert trim_quotes(unknown, [FIRST]) == (unknown, False)


@pytest.mark.parametrize(
    "text",
    [
        # answered between the lines, quoted on top, forwarded, nothing but a quote
        "On Tue Dana wrote:\n> Shall we meet on Thursday?\nYes.\n> And who brings the oak?\nI do.",
        f"See below.\n\n{HEAD}Shall we meet on Thursday?\nYes, gladly.\nAnd who brings the oak?",
        "> Shall we meet on Thursday?\n\nYes, at nine.",
        f"fyi\n\n---------- Forwarded message ---------\n{HEAD}> Shall we meet on Thursday?",
        "> Shall we meet on Thursday?\n> And who brings the oak?",
        # lines that stand nowhere else
        "Please sign this clause today:\n\n> Clause 5. The buyer pays 40,000.\n> Clause 6. No refunds.",
        "Can we accept?\n\nAnfang der weitergeleiteten Nachricht:\n\n> Von: Bruno\n> Price 12,000 until Friday.",
        "As agreed.\n\nDana wrote:\n> Shall we meet on Friday?\n> And who brings the oak?",
        "As agreed.\n\nDana wrote:\n> Shall we meet on Thursday?\n> And who brings the oak?\n> I pay.",
        "Her answer:\n> no",
        f"See.\n\n{HEAD}" + "Shall we meet on Thursday?\n" * 9 + "And I pay.",
    ],
)
def test_a_quote_that_is_no_mere_history_is_kept(text: str) -> None:
    """What somebody answers inline, forwards, or quotes for the first time is shown whole."""
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
