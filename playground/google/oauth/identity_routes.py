"""What clients need to sign people in and to check tokens ("OpenID Connect" of Google Identity)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from playground.google.errors import ApiError
from playground.google.oauth.id_tokens import ISSUER, claims_about

if TYPE_CHECKING:
    from playground.google.oauth.keys import SigningKey
    from playground.google.oauth.sign_in import SignIn

KEPT = {"cache-control": "public, max-age=20000, must-revalidate"}


class IdentityRoutes:
    """The discovery document, Google's public keys in both forms, and userinfo."""

    def __init__(self, sign_in: Callable[[], SignIn], key: SigningKey) -> None:
        self._sign_in = sign_in
        self._key = key

    def routes(self) -> list[Route]:
        return [
            Route("/.well-known/openid-configuration", self._configuration),
            Route("/oauth2/v3/certs", self._jwks),
            Route("/oauth2/v1/certs", self._certificates),
            Route("/v1/userinfo", self._userinfo),
        ]

    async def _configuration(self, request: Request) -> Response:
        url = str(request.base_url).rstrip("/")
        return JSONResponse(
            {
                "issuer": ISSUER,
                "authorization_endpoint": f"{url}/o/oauth2/v2/auth",
                "token_endpoint": f"{url}/token",
                "userinfo_endpoint": f"{url}/v1/userinfo",
                "revocation_endpoint": f"{url}/revoke",
                "jwks_uri": f"{url}/oauth2/v3/certs",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "scopes_supported": ["openid", "email", "profile"],
                "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
                "code_challenge_methods_supported": ["S256"],
                "grant_types_supported": [
                    "authorization_code",
                    "refresh_token",
                    "urn:ietf:params:oauth:grant-type:jwt-bearer",
                ],
            },
            headers=KEPT,
        )

    async def _jwks(self, request: Request) -> Response:
        return JSONResponse({"keys": [self._key.jwk]}, headers=KEPT)

    async def _certificates(self, request: Request) -> Response:
        return JSONResponse({self._key.id: self._key.certificate(self._sign_in().clock.now())}, headers=KEPT)

    async def _userinfo(self, request: Request) -> Response:
        _, _, token = request.headers.get("authorization", "").partition(" ")
        try:
            access = self._sign_in().grants.by_access_token(token)
        except ApiError:
            return JSONResponse({"error": "invalid_request", "error_description": "Invalid Credentials"}, 401)
        return JSONResponse(claims_about(access.person, access.scopes) if access.person else {})
