"""Snippets: cut at a word, with a sign where the text goes on."""

from __future__ import annotations

import pytest

from integrations.gmail.text import WHOLE_BELOW, beginning, visible

LONG = (
    "The twelve oak benches can leave the workshop on Thursday morning if the lorry is there before nine, else on Fri"
)


@pytest.mark.parametrize(
    ("snippet", "length", "shown"),
    [
        ("See you on Thursday", 200, "See you on Thursday"),
        (LONG, 200, f"{LONG.removesuffix(' Fri')} …"),
        (LONG, 40, "The twelve oak benches can leave the …"),
        (f"{LONG}day.", 200, f"{LONG}day."),
        ("x" * 300, 20, f"{'x' * 18} …"),
        ("  two\n lines ", 200, "two lines"),
    ],
)
def test_a_snippet_ends_at_a_word(snippet: str, length: int, shown: str) -> None:
    """What is short, or ends as a sentence does, is whole; the rest ends at a word and says that it goes on."""
    assert len(LONG) > WHOLE_BELOW
    assert beginning(snippet, length) == shown


def test_invisible_characters_are_removed() -> None:
    """Zero-width, bidirectional and tag characters disappear; every kind of line end is one."""
    assert visible("a\ud800\u200bb\u202ec\U000e0041d\r\ne\u2028f\x00") == "abcd\ne\nf"
