"""Texts that are taken apart once, and how little of them is kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from policies.guards import words
from policies.guards.readings import Kept, read, title_of
from tests.unit.policies.guards.worlds import TEXTS, TITLES


def test_a_text_is_taken_apart_once() -> None:
    """While it is kept, and again once it is not."""
    taken = list[str]()
    kept = Kept(lambda text: taken.append(text) or text.upper(), most=10)
    assert [kept("abc"), kept("abc"), *kept.of_each(["abc", "de"])] == ["ABC", "ABC", "ABC", "DE"]
    assert taken == ["abc", "de"]


def test_all_that_is_kept_can_be_forgotten() -> None:
    """What was young and what was old; then there is room for as much as before."""
    taken = list[str]()
    kept = Kept(lambda text: taken.append(text), most=10)
    for text in ("1234", "abcd", "efgh"):
        kept(text)
    kept.cache_clear()
    for text in ("1234", "abcd", "efgh", "abcd", "1234"):
        kept(text)
    assert taken == ["1234", "abcd", "efgh"] * 2


def test_what_is_kept_is_bound_by_its_characters() -> None:
    """What was not asked for while as much came in as is kept is forgotten; a blank text takes room, too."""
    taken = list[str]()
    kept = Kept(lambda text: taken.append(text), most=10)
    for text in ("1234", "abcd", "efgh", "abcd", "ijkl", "mnop", "abcd"):
        kept(text)
    assert taken == ["1234", "abcd", "efgh", "ijkl", "mnop"]
    kept("1234")
    assert taken[-1] == "1234"
    for _ in range(3):
        kept("")
    for number in range(12):
        kept(str(number % 10))
    taken.clear()
    kept("1234")
    assert taken == ["1234"]


def test_a_text_that_is_longer_than_all_that_is_kept_is_not() -> None:
    """It takes nobody's place."""
    taken = list[str]()
    kept = Kept(lambda text: taken.append(text), most=4)
    for text in ("ab", "long", "long", "ab", "abc", "abc"):
        kept(text)
    assert taken == ["ab", "long", "long", "abc"]


@given(st.sampled_from(TEXTS), st.sampled_from(TITLES))
def test_a_title_is_called_as_its_words_are(text: str, title: str) -> None:
    """What a title knows of its words changes nothing."""
    called = words.words_of(title)
    assert title_of(title).is_called_in(read(text)) == words.calls(words.words_of(text), called)
    assert read(text).holds(called) == words.holds(words.words_of(text), called)
