"""What words name, word by word: each rule of it has what it takes and what it does not."""

from __future__ import annotations

import pytest

from policies.guards import words


def test_the_words_of_requests_stand_by_language() -> None:
    """Two letters each, and two lists more; what is said about the lists themselves is in none."""
    parts = words.everyday()
    assert {part for part in parts if len(part) != 2} == {"nobody", "sent"}
    assert {"en", "de"} <= parts.keys()
    assert all(parts.values())


def test_nobody_sees_what_is_left_out() -> None:
    """A hidden character that a person typed, in a word or in an address, is none."""
    assert words.words_of("Of\u200bfice_plan") == ["office", "plan"]
    assert words.addresses_in("Write to da\u200bna@acme.com.") == {"dana@acme.com"}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [("a b c", True), ("b c", True), ("a", True), ("a c", False), ("b a", False), ("a b c d", False), ("", False)],
)
def test_words_stand_one_after_the_other(wanted: str, expected: bool) -> None:
    """Up to all of them; no words stand nowhere."""
    assert words.holds(["a", "b", "c"], wanted.split()) is expected


@pytest.mark.parametrize(
    ("said", "title", "expected"),
    [
        ("move the budget review of May", "Review of the budget", True),
        ("move the budget of May", "Review of the budget", False),
        ("move lunch to one", "The lunch", False),
        ("move the lunch to one", "The lunch", True),
        ("move the lunch to one", "the", False),
    ],
)
def test_a_title_is_called_by_what_it_says(said: str, title: str, expected: bool) -> None:
    """In any order by two words or more that say something; one alone has to be the title as it stands."""
    assert words.calls(words.words_of(said), words.words_of(title)) is expected


def test_names_have_two_letters_at_least() -> None:
    """An initial is nobody's name."""
    assert list(words.names_in(words.words_of("Ask Al or J"), "Al J. Smith", "J. Smith")) == ["al"]


def test_a_text_quotes_words_whatever_the_space_between_them() -> None:
    """But not none."""
    assert words.quotes("Say: see\n you  soon", "see you soon")
    assert not words.quotes("Say: see you", "see you soon")
    assert not words.quotes("Say: see you", " ")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a@b.c|d@e.f", {"a@b.c", "d@e.f"}),
        ("a@b.c'd@e.f", {"a@b.c", "d@e.f"}),
        ("a@@b@c.d@e.f", {"b@c.d"}),
        ("@ a@ @b.c x@y.z@", {"x@y.z"}),
        ("@b@c.d", {"b@c.d"}),
        ("<a@b.c>d@e.f,g@h.i", {"a@b.c", "d@e.f", "g@h.i"}),
    ],
)
def test_addresses_that_touch(text: str, found: set[str]) -> None:
    """Each is whole, and begins where the one before ends."""
    assert words.addresses_in(text) == found


def test_who_is_mentioned() -> None:
    """People and conversations, with or without what they are called; groups and links are none."""
    assert words.mentioned_in("<@U1DANA> <#C2|oak> <!subteam^S3> <https://a.example|@U4>") == {"U1DANA", "C2"}
    assert words.mentioned_in("@dana") == frozenset()


@pytest.mark.parametrize("mark", ["fwd", "aw"])
def test_the_marks_of_an_answer_say_nothing(mark: str) -> None:
    """They are no part of a title, and nobody's name."""
    assert words.is_everyday(mark)
    assert words.is_nobody(mark)


def test_what_stands_in_the_place_of_an_address_is_no_word() -> None:
    """Nor does a character that stands for one where somebody typed it."""
    assert words.words_of(words.without_addresses("Mail a@b.example today")) == ["mail", "today"]
    assert words.apart("Mail\ue000a@b.example today", "\ue000") == ("Mail  \ue000  today", ["a@b.example"])
