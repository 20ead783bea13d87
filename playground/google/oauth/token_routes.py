"""`/token` and `/revoke`: codes, refresh tokens and assertions become access tokens.

Answers as described in "Using OAuth 2.0 for Web Server Applications" of Google Identity and RFC 6749 §4.1.3, §5.2, §6.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from playground.google.oauth.clients import CLIENT_ID, CLIENT_SECRET
from playground.google.oauth.codes import Refused
from playground.google.oauth.id_tokens import id_claims
from playground.google.oauth.scopes import OPENID, spelled_out
from playground.google.oauth.service_account import Unauthorized

if TYPE_CHECKING:
    from playground.google.grants import Grant, Grants
    from playground.google.oauth.keys import SigningKey
    from playground.google.oauth.service_account import ServiceAccount
    from playground.google.oauth.sign_in import SignIn

ASSERTION = "urn:ietf:params:oauth:grant-type:jwt-bearer"
REVOKED = "Token has been expired or revoked."
UNDELEGATED = (
    "Client is unauthorized to retrieve access tokens using this method, "
    "or client not authorized for any of the scopes requested."
)

Form = Mapping[str, str]


class TokenRoutes:
    """The token endpoint. Grants are looked up per request, because a reset makes new ones."""

    def __init__(self, sign_in: Callable[[], SignIn], key: SigningKey, robot: ServiceAccount) -> None:
        self._sign_in = sign_in
        self._key = key
        self._robot = robot

    def routes(self) -> list[Route]:
        return [
            Route("/token", self._token, methods=["POST"]),
            Route("/revoke", self._revoke, methods=["POST"]),
        ]

    async def _token(self, request: Request) -> Response:
        form = await _form(request)
        kind = form.get("grant_type", "")
        try:
            if kind == ASSERTION:
                return self._impersonated(form, f"{request.base_url}token")
            _check_client(request, form)
            match kind:
                case "authorization_code":
                    return self._exchanged(form)
                case "refresh_token":
                    return self._refreshed(form)
                case _:
                    raise Refused("unsupported_grant_type", f"Invalid grant_type: {kind}")
        except Refused as refused:
            status = 401 if refused.error == "invalid_client" else 400
            return _refused(refused.error, refused.description, status)

    def _exchanged(self, form: Form) -> Response:
        sign_in = self._sign_in()
        agreed = sign_in.codes.take(
            form.get("code", ""), redirect_uri=form.get("redirect_uri", ""), verifier=form.get("code_verifier", "")
        )
        grant = sign_in.grants.held_by(agreed.person)
        self._check_account(grant)
        refresh = sign_in.grants.issue_refresh(grant, agreed.scopes) if agreed.offline else None
        return self._issued(grant, agreed.scopes, agreed.scopes, refresh=refresh, nonce=agreed.nonce)

    def _refreshed(self, form: Form) -> Response:
        grants = self._sign_in().grants
        token = form.get("refresh_token", "")
        found = grants.by_refresh_token(token)
        if found is None:
            raise Refused("invalid_grant", REVOKED)
        grant, held = found
        self._check_account(grant)
        asked = frozenset(spelled_out(form.get("scope", "").split()))
        if not asked <= grant.allowed(held):
            raise Refused("invalid_scope", "Some requested scopes were invalid.")
        refresh = None
        if self._sign_in().switches.rotate:
            del grant.refresh_tokens[token]
            refresh = grants.issue_refresh(grant, held.scopes)
        return self._issued(grant, asked or held.scopes, asked or grant.allowed(held), refresh=refresh)

    def _impersonated(self, form: Form, audience: str) -> Response:
        sign_in = self._sign_in()
        try:
            access = self._robot.access(
                form.get("assertion", ""),
                now=sign_in.clock.seconds(),
                audience=audience,
                delegated=sign_in.switches.delegated,
            )
        except Unauthorized:
            return _refused("unauthorized_client", UNDELEGATED, 401)
        token, life = sign_in.grants.impersonate(access), int(sign_in.grants.life_seconds)
        return _told({"access_token": token, "expires_in": life, "token_type": "Bearer"})

    def _issued(
        self,
        grant: Grant,
        scopes: frozenset[str] | None,
        shown: frozenset[str],
        *,
        refresh: str | None = None,
        nonce: str = "",
    ) -> Response:
        """Google's answer: an access token, the scopes that were really granted, and the other fields."""
        grants = self._sign_in().grants
        answer: dict[str, object] = {"access_token": grants.issue(grant, scopes)}
        answer["expires_in"] = int(grants.life_seconds)
        if refresh:
            answer["refresh_token"] = refresh
            if grants.testing_seconds is not None:
                answer["refresh_token_expires_in"] = int(grants.testing_seconds)
        answer |= {"scope": " ".join(sorted(shown)), "token_type": "Bearer"}
        if OPENID in shown:
            claims = id_claims(grant.person, shown, now=self._sign_in().clock.seconds(), nonce=nonce)
            answer["id_token"] = self._key.signed(claims)
        return _told(answer)

    def _check_account(self, grant: Grant) -> None:
        """Raises if an administrator or Google refuses this account's tokens."""
        switches = self._sign_in().switches
        if grant.person.handle in switches.invalid_rapt:
            raise Refused("invalid_grant", "reauth related error (invalid_rapt)")
        if grant.person.handle in switches.invalid_grant:
            raise Refused("invalid_grant", REVOKED)

    async def _revoke(self, request: Request) -> Response:
        token = (await _form(request)).get("token", request.query_params.get("token", ""))
        grants = self._sign_in().grants
        grant = _holder(grants, token)
        if grant is None:
            return _refused("invalid_token", "Token expired or revoked")
        grants.revoke(grant)
        return JSONResponse({})


def _holder(grants: Grants, token: str) -> Grant | None:
    return next((grant for grant in grants.all() if token in grant.tokens or token in grant.refresh_tokens), None)


async def _form(request: Request) -> dict[str, str]:
    return dict(parse_qsl((await request.body()).decode(errors="replace"), keep_blank_values=True))


def _check_client(request: Request, form: Form) -> None:
    name, secret = _client(request, form)
    if name != CLIENT_ID:
        raise Refused("invalid_client", "The OAuth client was not found.")
    if secret != CLIENT_SECRET:
        raise Refused("invalid_client", "The provided client secret is invalid.")


def _client(request: Request, form: Form) -> tuple[str, str]:
    """The client's id and secret, from HTTP Basic or from the body (RFC 6749 §2.3.1)."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return form.get("client_id", ""), form.get("client_secret", "")
    try:
        name, _, secret = base64.b64decode(value).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    return unquote(name), unquote(secret)


def _told(answer: dict[str, object]) -> Response:
    return JSONResponse(answer, headers={"cache-control": "no-store", "pragma": "no-cache"})


def _refused(error: str, description: str, status: int = 400) -> Response:
    answer = {"error": error, "error_description": description}
    if "invalid_rapt" in description:
        answer["error_subtype"] = "invalid_rapt"
    return JSONResponse(answer, status)
