"""Counts in words."""

from __future__ import annotations

import pytest

from integrations.text import counted


@pytest.mark.parametrize(
    ("number", "nouns", "said"),
    [
        (0, ("mail",), "0 mails"),
        (1, ("mail",), "1 mail"),
        (1_200, ("mail",), "1,200 mails"),
        (1, ("entry", "entries"), "1 entry"),
        (2, ("entry", "entries"), "2 entries"),
    ],
)
def test_one_is_one(number: int, nouns: tuple[str, ...], said: str) -> None:
    """One has no plural; some plurals are not made with an s."""
    assert counted(number, *nouns) == said
