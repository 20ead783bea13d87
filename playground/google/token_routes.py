"""OAuth 2.0 for the playground's people: `/token` (refresh) and `/revoke`.

Answers as described in "Using OAuth 2.0 for Web Server Applications" of Google Identity and RFC 6749 §5.2 and §6.
The consent page is not part of this emulator.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from urllib.parse import parse_qsl, unquote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from playground.google.grants import CLIENT_ID, CLIENT_SECRET, LIFE_SECONDS, Grants


class TokenRoutes:
    """The token endpoint over the world's grants (looked up per request, because a reset makes new ones)."""

    def __init__(self, grants: Callable[[], Grants]) -> None:
        self._grants = grants

    def routes(self) -> list[Route]:
        return [
            Route("/token", self._token, methods=["POST"]),
            Route("/revoke", self._revoke, methods=["POST"]),
        ]

    async def _token(self, request: Request) -> Response:
        form = await _form(request)
        if _client(request, form) != (CLIENT_ID, CLIENT_SECRET):
            return _refused("invalid_client", "The OAuth client was not found.", 401)
        if form.get("grant_type") != "refresh_token":
            return _refused("unsupported_grant_type", f"Invalid grant_type: {form.get('grant_type', '')}")
        grants = self._grants()
        grant = grants.by_refresh_token(form.get("refresh_token", ""))
        if grant is None:
            return _refused("invalid_grant", "Token has been expired or revoked.")
        scopes = frozenset(form.get("scope", "").split()) or grant.scopes
        if not scopes <= grant.scopes:
            return _refused("invalid_scope", "Some requested scopes were invalid.")
        return JSONResponse(
            {
                "access_token": grants.refresh(grant),
                "expires_in": LIFE_SECONDS,
                "scope": " ".join(sorted(scopes)),
                "token_type": "Bearer",
            }
        )

    async def _revoke(self, request: Request) -> Response:
        token = (await _form(request)).get("token", request.query_params.get("token", ""))
        grants = self._grants()
        for grant in grants.all():
            if not grant.revoked and (token == grant.refresh_token or token in grant.tokens):
                grants.revoke(grant)
                return JSONResponse({})
        return _refused("invalid_token", "Token expired or revoked")


async def _form(request: Request) -> dict[str, str]:
    return dict(parse_qsl((await request.body()).decode(errors="replace"), keep_blank_values=True))


def _client(request: Request, form: dict[str, str]) -> tuple[str, str]:
    """The client's id and secret, from HTTP Basic or from the body (RFC 6749 §2.3.1)."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return form.get("client_id", ""), form.get("client_secret", "")
    try:
        name, _, secret = base64.b64decode(value).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    return unquote(name), unquote(secret)


def _refused(error: str, description: str, status: int = 400) -> Response:
    return JSONResponse({"error": error, "error_description": description}, status)
