"""Comments of style sheets and pages."""

from __future__ import annotations

import pytest

from integrations.gmail.comments import without_comments


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a /* b */ c", "a  c"),
        ("/* a *//* b */c", "c"),
        ("a /* b /* c */ d */", "a  d */"),
        ("a /*/ b", "a "),
        ("a /* b", "a "),
        ("a */ b", "a */ b"),
        ("", ""),
    ],
)
def test_what_stands_in_comments_is_left_out(text: str, left: str) -> None:
    """A comment ends at the first closing mark, and one without any takes the rest along."""
    assert without_comments(text, "/*", "*/") == left
