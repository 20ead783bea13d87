"""A text as somebody reads it who looks for addresses."""

from __future__ import annotations

import pytest

from policies.guards.addresses.spelling import MAX_MARKS, plain_spelling, without_markup


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("evil .com", "evil.com"),
        ("evil\t.com", "evil.com"),
        ("evil.\tcom", "evil.com"),
        ("evil dot com", "evil.com"),
        ("e v i l . c o m", "evil.com"),
        ("evil%2ecom%2fpay", "evil.com%2Fpay"),
        ("a&#99999999999;b", "a\ufffdb"),
    ],
)
def test_what_hides_an_address_is_undone(text: str, plain: str) -> None:
    """Blanks around a dot, escapes that mean themselves; a character that there is not is none."""
    assert plain_spelling(text) == plain


@pytest.mark.parametrize(
    "text",
    ["the .profile file", "a dot shaped mark", "the dot is red", "the .zip file", "it is so. In short", "a b c d ."],
)
def test_what_no_address_hides_in_stays(text: str) -> None:
    """Sentences with a dot in them."""
    assert plain_spelling(text) == text


def test_a_tag_parts_words_where_it_parts_lines() -> None:
    """One for how a word looks does not."""
    assert without_markup("see<p>ac<b>me</b>.com</p>now") == "see acme.com now"


def test_so_many_marks_are_kept_and_no_more() -> None:
    """Also where a text begins with them."""
    assert len(plain_spelling("\u0327" * 99)) == MAX_MARKS
