"""How long google-auth waits for Google."""

from __future__ import annotations

import socket
import time
from collections.abc import Generator

import pytest
from google.auth.exceptions import TransportError

from integrations.google import asking, consent, oauth, service_account
from integrations.google.asking import BoundedRequest


@pytest.fixture
def silent() -> Generator[str]:
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/token"


@pytest.mark.parametrize("timeout", [None, 120.0])
def test_nobody_waits_for_longer_than_the_bound(silent: str, timeout: float | None) -> None:
    """Also where the library names no timeout, or its own of two minutes."""
    began = time.monotonic()
    with pytest.raises(TransportError):
        BoundedRequest(0.05)(silent, timeout=timeout)
    assert time.monotonic() - began < 5


def test_whoever_asks_google_through_the_library_is_bounded() -> None:
    """No module takes the library's own way of asking."""
    for module in (consent, oauth, service_account):
        assert module.BoundedRequest is BoundedRequest
        assert not hasattr(module, "Request")
    assert asking.TIMEOUT_SECONDS <= 20


async def test_a_refresh_that_nobody_answers_ends(silent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is one that may work later."""
    monkeypatch.setattr(oauth, "BoundedRequest", lambda: BoundedRequest(0.05))
    tokens = oauth.GoogleTokens(token_url=silent, client_id="c", client_secret="s")
    with pytest.raises(oauth.RefreshFailed):
        await tokens.refresh("r")
