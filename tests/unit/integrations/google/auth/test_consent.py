"""What is granted in Google's name and cannot be kept, what no answer is, and what stays of an earlier choice."""

from __future__ import annotations

import base64
import json
import socket
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from google.auth import jwt
from google.auth.crypt import RSASigner
from google.auth.exceptions import TransportError

from integrations.google import scopes
from integrations.google import scopes as s
from integrations.google.auth import consent, service_account, tokens, transport
from integrations.google.auth.access import ASKED_FOR, IDENTITY, offered, staying
from integrations.google.auth.consent import GoogleAccounts
from integrations.google.auth.tokens import GoogleTokens, RefreshFailed
from integrations.google.auth.transport import BoundedRequest
from integrations.grants import ConsentFailed


@dataclass(slots=True)
class Google:
    """Answers as the test says, and counts who asked."""

    url: str = ""
    certs: int = 200
    keys: dict[str, str] = field(default_factory=dict[str, str])
    status: int = 200
    token: Any = field(default_factory=dict[str, Any])
    asked: list[str] = field(default_factory=list[str])
    forms: list[dict[str, list[str]]] = field(default_factory=list[dict[str, list[str]]])

    def accounts(self) -> GoogleAccounts:
        return GoogleAccounts(
            client_id="c",
            client_secret="s",
            redirect_uri="http://127.0.0.1/back",
            token_url=f"{self.url}/token",
            certs_url=f"{self.url}/certs",
        )


@pytest.fixture
def google(monkeypatch: pytest.MonkeyPatch) -> Generator[Google]:
    """A server of ours, over plain http."""
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "loopback")
    made = Google()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(made.certs, made.keys)

        def do_POST(self) -> None:
            made.forms.append(parse_qs(self.rfile.read(int(self.headers["content-length"])).decode()))
            self._answer(made.status, made.token)

        def _answer(self, status: int, data: object) -> None:
            made.asked.append(self.path)
            body = json.dumps(data).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            del format, args

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made.url = f"http://127.0.0.1:{server.server_port}"
        serving = threading.Thread(target=server.serve_forever, args=[0.01])
        serving.start()
        yield made
        server.shutdown()
        serving.join()


def signed(**claims: object) -> str:
    """An id_token with a signature that nobody knows."""
    parts = ({"alg": "RS256", "kid": "unknown"}, {"iat": 0, "exp": 0, **claims})
    texts = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join([*texts, "c2lnbmVk"])


async def test_without_googles_keys_no_code_is_used_up(google: Google) -> None:
    """Without the keys the account cannot be checked, so the code is not exchanged."""
    google.certs = 500
    with pytest.raises(ConsentFailed) as failed:
        await google.accounts().granted("code", verifier="v" * 43)
    assert (failed.value.why, failed.value.unkept, google.asked) == ("unavailable", None, ["/certs"])


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_google_in_trouble_is_one_that_cannot_be_reached(google: Google, status: int) -> None:
    """A server error or a rate limit of Google is called unavailable, not a fault of the configuration."""
    google.status = status
    with pytest.raises(ConsentFailed, match="unavailable"):
        await google.accounts().granted("code", verifier="v" * 43)


@pytest.mark.parametrize("answer", [None, [], 5, "a page", {"access_token": "a", "expires_in": "soon"}])
async def test_what_is_no_answer_of_googles_gives_nothing(google: Google, answer: object) -> None:
    """A proxy's page in place of an answer fails this attempt, for consent and for a token alike."""
    google.token = answer
    with pytest.raises(ConsentFailed, match="answer"):
        await google.accounts().granted("code", verifier="v" * 43)
    tokens = GoogleTokens(token_url=f"{google.url}/token", client_id="c", client_secret="s")
    with pytest.raises(RefreshFailed):
        await tokens.refresh("r")


async def test_a_token_that_is_none_renews_nothing(google: Google) -> None:
    """An answer without a token is a failed refresh, and the grant stays."""
    google.token = {"access_token": None, "expires_in": 3599}
    tokens = GoogleTokens(token_url=f"{google.url}/token", client_id="c", client_secret="s")
    with pytest.raises(RefreshFailed):
        await tokens.refresh("r")


@pytest.mark.parametrize(
    ("token", "why", "unkept"),
    [
        ({"access_token": "a", "refresh_token": "r", "id_token": signed(sub="1")}, "identity", ("1", "r")),
        ({"access_token": "a", "id_token": signed(sub="1")}, "not_lasting", ("1", "a")),
        ({"access_token": "a", "refresh_token": "r", "id_token": signed()}, "identity", None),
        ({"access_token": "a", "refresh_token": "r", "id_token": "none"}, "identity", None),
        ({"access_token": "a", "refresh_token": "r"}, "identity", None),
    ],
)
async def test_what_cannot_be_kept_is_handed_over_to_be_given_back(
    google: Google, token: dict[str, Any], why: str, unkept: tuple[str, str] | None
) -> None:
    """A grant that cannot be kept is handed over where its account is known, so that no other grant is ended."""
    google.token = {**token, "token_type": "Bearer", "expires_in": 3599}
    with pytest.raises(ConsentFailed) as failed:
        await google.accounts().granted("code", verifier="v" * 43)
    found = failed.value.unkept
    assert failed.value.why == why
    assert (found and (found.account, found.token.refresh_token)) == unkept


def _pair() -> tuple[RSASigner, str]:
    """Who signs, and the public half of the key."""
    private = generate_private_key(65537, 2048)
    public = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    return RSASigner(private, key_id="1"), public


@pytest.fixture(scope="module")
def googles() -> tuple[RSASigner, str]:
    """The key that Google signs with."""
    return _pair()


def _answer(signer: RSASigner, **changes: object) -> dict[str, Any]:
    """Google's answer to a code of Dana's, with these claims changed."""
    now = int(time.time())
    whom = {"iss": "https://accounts.google.com", "aud": "c", "sub": "1", "email": "d@x.example"}
    claims: dict[str, object] = whom | {"email_verified": True, "iat": now, "exp": now + 60} | changes
    encode = cast("Callable[..., bytes]", jwt.encode)
    return {
        "access_token": "a",
        "refresh_token": "r",
        "token_type": "Bearer",
        "expires_in": 3599,
        "id_token": encode(signer, claims).decode(),
    }


async def test_who_signed_in_is_what_google_signed(google: Google, googles: tuple[RSASigner, str]) -> None:
    """The code goes with the secret of the browser that left, and the account is the one of the signed answer."""
    signer, public = googles
    google.keys, google.token = {"1": public}, _answer(signer)
    granted = await google.accounts().granted("code", verifier="v" * 43)
    assert (granted.account, granted.email, granted.token.refresh_token) == ("1", "d@x.example", "r")
    assert [form["code_verifier"] for form in google.forms] == [["v" * 43]]


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": "another"},
        {"iss": "https://accounts.evil.example"},
        {"email_verified": False},
        {"email_verified": "true"},
        {"email_verified": None},
        {"email": ""},
        {"sub": ""},
        {"iat": 0, "exp": 1},
    ],
    ids=str,
)
async def test_an_answer_that_is_not_about_them_connects_nobody(
    google: Google, googles: tuple[RSASigner, str], changes: dict[str, object]
) -> None:
    """Made for another client, by somebody else, too old, or about an address that Google did not confirm."""
    signer, public = googles
    google.keys, google.token = {"1": public}, _answer(signer, **changes)
    with pytest.raises(ConsentFailed, match="identity"):
        await google.accounts().granted("code", verifier="v" * 43)


async def test_an_answer_that_somebody_else_signed_connects_nobody(
    google: Google, googles: tuple[RSASigner, str]
) -> None:
    """Under the name of Google's key."""
    google.keys, google.token = {"1": googles[1]}, _answer(_pair()[0])
    with pytest.raises(ConsentFailed, match="identity"):
        await google.accounts().granted("code", verifier="v" * 43)


@pytest.mark.parametrize(
    ("before", "chosen", "stays"),
    [
        ({s.MAIL_READ, s.MAIL_COMPOSE}, {s.MAIL_READ}, set[str]()),
        ({s.MAIL_ALL, s.MAIL_MODIFY}, {s.MAIL_READ}, set[str]()),
        ({s.MAIL_READ, s.EVENTS, s.BUSY}, {s.MAIL_READ}, {s.EVENTS, s.BUSY}),
        ({s.MAIL_READ, s.EVENTS, s.CALENDARS}, {s.EVENTS_READ, s.BUSY}, {s.MAIL_READ}),
        ({s.CONTACTS, s.MAIL_READ}, {s.MAIL_COMPOSE}, {s.CONTACTS}),
        ({s.DIRECTORY, s.MAIL_READ}, {s.CONTACTS}, {s.MAIL_READ}),
        ({s.MAIL_READ, *IDENTITY}, {s.EVENTS}, {s.MAIL_READ}),
    ],
)
def test_what_stays_of_an_earlier_choice(before: set[str], chosen: set[str], stays: set[str]) -> None:
    """Scopes of another part of the account stay, those of the same part do not."""
    assert staying(frozenset(before), frozenset(chosen)) == stays


# What people can be asked to allow ---------------------------------------------------------------------------------


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


# How long google-auth waits for Google -----------------------------------------------------------------------------


@pytest.fixture
def silent() -> Generator[str]:
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/token"


@pytest.mark.parametrize("timeout", [None, 3_600.0])
def test_nobody_waits_for_longer_than_the_bound(silent: str, timeout: float | None) -> None:
    """Also where the library names no timeout, or its own of an hour."""
    with pytest.raises(TransportError):
        BoundedRequest(0.05)(silent, timeout=timeout)


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
