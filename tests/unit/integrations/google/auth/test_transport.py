"""How long google-auth waits for Google."""

from __future__ import annotations

import socket
import time
from collections.abc import Generator

import pytest
from google.auth.exceptions import TransportError

from integrations.google.auth import consent, service_account, tokens, transport
from integrations.google.auth.transport import BoundedRequest


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
    """No module takes the library's own way of transport."""
    for module in (consent, tokens, service_account):
        assert module.BoundedRequest is BoundedRequest
        assert not hasattr(module, "Request")
    assert transport.TIMEOUT_SECONDS <= 20


async def test_a_refresh_that_nobody_answers_ends(silent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is one that may work later."""
    monkeypatch.setattr(tokens, "BoundedRequest", lambda: BoundedRequest(0.05))
    refresher = tokens.GoogleTokens(token_url=silent, client_id="c", client_secret="s")
    with pytest.raises(tokens.RefreshFailed):
        await refresher.refresh("r")
