"""What is secret does not stand in what a value says of itself: that reaches logs and tracebacks."""

from __future__ import annotations

import pytest

from integrations.google.auth.service_account import Minted
from integrations.grants import Consent, GoogleGrant, Granted, Tokens
from tests.builders import NOW

SECRET = "ya29.secret"
TOKEN = Tokens(access_token=SECRET, refresh_token=SECRET, expires_at=None)


@pytest.mark.parametrize(
    "value",
    [
        TOKEN,
        Granted(account="1", email="d", domain="", scopes=frozenset(), token=TOKEN),
        GoogleGrant(account="1", email="d", access_token=SECRET, scopes=frozenset()),
        Consent(url="https://accounts.example", verifier=SECRET),
        Minted(access_token=SECRET, scopes=frozenset(), expires_at=NOW),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_does_not_say_its_secret(value: object) -> None:
    """Neither by itself nor inside another one."""
    assert SECRET not in repr(value)
    assert SECRET not in str([value])
