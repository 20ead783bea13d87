"""Characters that show nothing."""

from __future__ import annotations

import sys
import unicodedata

from policies.characters import is_invisible, without_invisible


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
