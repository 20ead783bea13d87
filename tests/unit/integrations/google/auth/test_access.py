"""What people can be asked to allow, and what the papers say of it."""

from pathlib import Path

import pytest

from integrations.google import scopes
from integrations.google.auth.access import ASKED_FOR, offered

_PAPER = Path(__file__).parents[5] / "docs" / "how-to" / "connect-google.md"


@pytest.mark.parametrize("scope", sorted(ASKED_FOR))
def test_the_paper_names_every_scope_that_the_consent_screen_needs(scope: str) -> None:
    """The documented consent screen has every scope that is asked for."""
    assert f"`{scope.removeprefix(scopes.AUTH)}`" in _PAPER.read_text(encoding="utf-8")


def test_the_paper_registers_the_address_that_setup_offers() -> None:
    """Google compares redirect URIs letter by letter: 127.0.0.1 is not localhost."""
    assert "`http://localhost:8080` is enough" in _PAPER.read_text(encoding="utf-8")


def test_a_button_for_what_no_choice_brings_says_what_is_allowed() -> None:
    """Labelling is no choice of its own; its only button names it."""
    (only,) = offered(frozenset({scopes.MAIL_MODIFY}))
    assert only.label == "Allow labelling and archiving mail"
