"""Whole pages: a text that is surely painted is read, and no other; rules, shorthands and validity as in browsers."""

from __future__ import annotations

import pytest

from integrations.gmail.html.page import text_of_html
from integrations.gmail.html.unpainted import unpainted_of_html
from tests.mail_pages import HIDDEN, SHOWN


@pytest.mark.parametrize("page", [page for pages in HIDDEN.values() for page in pages])
def test_what_is_hidden_or_may_be_is_not_read(page: str) -> None:
    """A draft says of the same text that it is hidden."""
    assert "SECRET" not in text_of_html(f"<!doctype html>{page}")
    hidden, _, _, written = unpainted_of_html(f"<!doctype html>{page}").split("\0")
    assert "SECRET" in hidden
    assert "SECRET" not in written


@pytest.mark.parametrize("page", SHOWN)
def test_what_is_surely_painted_is_read(page: str) -> None:
    """As honest mails write it: fallbacks, resets, rules for other screens, hacks for single programs."""
    assert "SECRET" in text_of_html(f"<!doctype html>{page}")
