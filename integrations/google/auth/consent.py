"""Google's consent page and what comes back from it (developers.google.com/identity/protocols/oauth2/web-server).

Through google-auth-oauthlib and google-auth, which are synchronous: whatever asks Google runs in a thread.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

import requests
from google.auth import jwt
from google.auth.exceptions import GoogleAuthError, TransportError
from google_auth_oauthlib.flow import Flow
from oauthlib.oauth2.rfc6749.errors import OAuth2Error

from integrations.google import scopes
from integrations.google.auth import access
from integrations.google.auth.transport import MANGLED, BoundedRequest
from integrations.grants import Consent, ConsentFailed, Granted, Tokens

AUTH_URL = "https://accounts.google.com/o/oauth2/v2/auth"
TOKEN_URL = "https://oauth2.googleapis.com/token"
REVOKE_URL = "https://oauth2.googleapis.com/revoke"
CERTS_URL = "https://www.googleapis.com/oauth2/v1/certs"
ISSUERS = frozenset({"accounts.google.com", "https://accounts.google.com"})
TIMEOUT_SECONDS = 20.0
_SKEW_SECONDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class GoogleAccounts:
    """Implements `bot.runtime.core.ports.AccountProvider`."""

    client_id: str
    client_secret: str
    redirect_uri: str
    auth_url: str = AUTH_URL
    token_url: str = TOKEN_URL
    revoke_url: str = REVOKE_URL
    certs_url: str = CERTS_URL

    offered = staticmethod(access.offered)
    described = staticmethod(access.described)
    lacking = staticmethod(scopes.lacking)
    staying = staticmethod(access.staying)

    async def consent(self, scopes: frozenset[str], *, state: str, email: str | None, adds: bool) -> Consent:
        """`prompt=consent`: only then is there a refresh token each time. `include_granted_scopes` lets the token do
        all that was granted before, so it goes along only where something is added to that.
        """
        flow = self._flow(sorted(scopes | access.IDENTITY))
        more = {"login_hint": email} if email else {}
        more |= {"include_granted_scopes": "true"} if adds else {}
        url, _ = flow.authorization_url(state=state, prompt="consent", **more)
        return Consent(url=str(url), verifier=str(flow.code_verifier))

    async def granted(self, code: str, *, verifier: str) -> Granted:
        """See the port."""
        return await asyncio.to_thread(self._granted, code, verifier)

    async def revoke(self, refresh_token: str) -> bool:
        """400 says that Google did not know it any more, which is what was wanted."""
        return await asyncio.to_thread(self._revoke, refresh_token)

    def _granted(self, code: str, verifier: str) -> Granted:
        """Without scopes, because oauthlib rejects a token unless its scopes are exactly those that were asked for. The
        answer says which were granted.
        """
        certs = self._certs()
        flow = self._flow(None, code_verifier=verifier, autogenerate_code_verifier=False)
        flow.oauth2session.register_compliance_hook("access_token_response", _at_work)
        try:
            flow.fetch_token(code=code, timeout=TIMEOUT_SECONDS)
        except OAuth2Error as error:
            raise ConsentFailed("code") from error
        except requests.RequestException as error:
            raise ConsentFailed("unavailable") from error
        except MANGLED as error:
            raise ConsentFailed("answer") from error
        token = cast("Mapping[str, Any]", flow.oauth2session.token)
        signed = str(token.get("id_token", ""))
        if not token.get("refresh_token"):
            raise ConsentFailed("not_lasting", unkept=_unkept(token, signed))
        try:
            who = self._identity(signed, certs)
        except (GoogleAuthError, ValueError) as error:
            raise ConsentFailed("identity", unkept=_unkept(token, signed)) from error
        return _granted(who, token)

    def _certs(self) -> Mapping[str, str]:
        """The keys that Google signs with, got before the code is used up: without them nothing is granted."""
        try:
            answer = BoundedRequest()(self.certs_url)
            certs = cast("object", json.loads(answer.data)) if answer.status == 200 else None
        except (TransportError, ValueError) as error:
            raise ConsentFailed("unavailable") from error
        if not isinstance(certs, dict):
            raise ConsentFailed("unavailable")
        return cast("Mapping[str, str]", certs)

    def _identity(self, signed: str, certs: Mapping[str, str]) -> Mapping[str, object]:
        """Who signed in, as Google signed it for this client; raises `ValueError` or `GoogleAuthError`."""
        verify = cast("Callable[..., Mapping[str, object]]", jwt.decode)
        who = verify(signed, certs=certs, audience=self.client_id, clock_skew_in_seconds=_SKEW_SECONDS)
        if who.get("iss") not in ISSUERS or not who.get("sub") or not who.get("email"):
            raise ValueError("it does not say who")
        if who.get("email_verified") is not True:
            raise ValueError("the address is not confirmed")
        return who

    def _revoke(self, refresh_token: str) -> bool:
        try:
            answer = requests.post(self.revoke_url, data={"token": refresh_token}, timeout=TIMEOUT_SECONDS)
        except requests.RequestException:
            return False
        return answer.status_code in {200, 400}

    def _flow(self, asked: Sequence[str] | None, **options: object) -> Any:
        """google-auth-oauthlib has no types."""
        client = {
            "client_id": self.client_id,
            "client_secret": self.client_secret,
            "auth_uri": self.auth_url,
            "token_uri": self.token_url,
        }
        make: Any = cast("Any", Flow).from_client_config
        return make({"web": client}, scopes=asked, redirect_uri=self.redirect_uri, **options)


def _at_work(answer: requests.Response) -> requests.Response:
    """oauthlib looks at no status: Google's own troubles are no answer to the code."""
    if answer.status_code >= 500 or answer.status_code == 429:
        raise requests.HTTPError(answer.status_code)
    return answer


def _granted(who: Mapping[str, object], token: Mapping[str, Any]) -> Granted:
    return Granted(
        account=str(who["sub"]),
        email=str(who.get("email", "")),
        domain=str(who.get("hd", "")),
        scopes=_granted_scopes(token.get("scope")),
        token=Tokens(
            access_token=str(token["access_token"]),
            refresh_token=str(token.get("refresh_token") or token["access_token"]),
            expires_at=datetime.fromtimestamp(float(token["expires_at"]), UTC) if "expires_at" in token else None,
        ),
    )


def _unkept(token: Mapping[str, Any], signed: str) -> Granted | None:
    """The grant to give back; None where its account is unknown. The token needs no signature: it came from Google
    itself (OpenID Connect Core §3.1.3.7). Either token ends the grant.
    """
    read = cast("Callable[..., Mapping[str, object]]", jwt.decode)
    try:
        who = read(signed, verify=False)
    except (GoogleAuthError, ValueError):
        return None
    return _granted(who, token) if who.get("sub") else None


def _granted_scopes(told: object) -> frozenset[str]:
    """oauthlib gives the answer's scopes as a list, or as the text that they came as."""
    if isinstance(told, str):
        return frozenset(told.split())
    return frozenset(str(scope) for scope in cast("Sequence[object]", told)) if isinstance(told, list) else frozenset()
