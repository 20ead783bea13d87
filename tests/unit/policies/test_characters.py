"""Characters that show nothing."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from policies.characters import as_read, is_invisible, quoted, shows_something, without_invisible


def test_each_control_and_format_character_is_invisible() -> None:
    """Whatever Unicode calls a control, a format or half of a pair, but for the tab and the end of a line."""
    of_unicode = {char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char) in _CATEGORIES}
    assert {char for char in of_unicode if not is_invisible(char)} == {"\t", "\n"}


_CATEGORIES = frozenset({"Cc", "Cf", "Cs"})


def test_what_parts_words_stays() -> None:
    """Spaces and line ends of every kind, and the selectors that make a sign an emoji."""
    parted = "a b\tc\nd\r\ne\u2028f\u00a0g\x0bh\x85i ❤\ufe0f"
    assert without_invisible(parted) == parted
    assert without_invisible("a\u200bb\u2800c\U000e0041d\x00e\ud800f\u202eg") == "abcdefg"


@pytest.mark.parametrize(
    ("text", "shows"),
    [
        ("", False),
        (" \n\u00a0", False),
        ("\u200b\ufeff\u00ad\u202e\U000e0041", False),
        ("\u0301 \u20dd\ufe0f", False),
        ("\u200b.", True),
        ("e\u0301", True),
        ("\u2764\ufe0f", True),
    ],
)
def test_whether_anything_can_be_seen(text: str, shows: bool) -> None:
    """Blanks, what is invisible, and marks without a letter show nothing; one sign among them is enough."""
    assert shows_something(text) is shows


def test_no_quotation_mark_of_any_language_ends_what_is_quoted() -> None:
    """Every character that Unicode calls a quotation mark, or brackets a quotation with, becomes an apostrophe."""
    said, kinds = ("QUOTATION MARK", "CORNER BRACKET", "GRAVE ACCENT", "ACUTE ACCENT", "GERSHAYIM"), {"Po", "Ps", "Pe"}
    marks = [
        char
        for char in map(chr, range(sys.maxunicode + 1))
        for kind in [unicodedata.category(char)]
        if kind in {"Pi", "Pf"} or (kind in kinds and any(name in unicodedata.name(char) for name in said))
    ]
    assert len(marks) > 40
    for mark in marks:
        assert quoted(f"a{mark}b") == ("“ab”" if is_invisible(mark) else "“a'b”"), unicodedata.name(mark)


def test_what_is_quoted_stands_on_one_line_and_is_cut() -> None:
    """At sixty characters, or as many as are wanted; line ends of any kind are blanks, what is unseen is gone."""
    assert quoted("Spring\n\r\u2028fair\u202e") == "“Spring fair”"
    assert quoted("a" * 60) == f"“{'a' * 60}”"
    assert quoted("a" * 61) == f"“{'a' * 59}…”"
    assert quoted("Spring fair", 7) == "“Spring…”"


def test_apostrophes_are_read_as_one() -> None:
    """Inside of a word, whichever key was pressed; those around words may be quotation marks."""
    assert [as_read(f"I don{mark}t") for mark in "'´`‘ʼ′＇; ,"] == ["I don't"] * 10
    assert as_read("don\u200b´t") == "don't"
    assert as_read("`code` ‘quoted’") == "`code` ‘quoted’"
    assert as_read("Tell Don to wait") == "Tell Don to wait"
