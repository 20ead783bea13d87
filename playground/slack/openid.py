"""Sign in with Slack: the page that asks, codes, id_tokens, userInfo.

docs.slack.dev/authentication/sign-in-with-slack, and the two methods' own pages.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from playground import people
from playground.slack.errors import Refused
from playground.slack.records import Json
from playground.slack.sign_in import Agreed

if TYPE_CHECKING:
    from playground.slack.call import Call, Method
    from playground.slack.workspace import Workspace

CLIENT_ID = "playground-slack-client"
CLIENT_SECRET = "playground-slack-secret"
ISSUER = "https://slack.com"
AUTHORIZE = "/openid/connect/authorize"
CALLBACK = "/auth/slack/callback"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
SCOPES = frozenset({"openid", "email", "profile"})
CODE_SECONDS = 600
TOKEN_SECONDS = 300
TOKEN_PREFIX = "xoxp-playground-openid-"


class Unacceptable(Exception):
    """The request gets an error page: nobody can be sent back."""


def token(workspace: Workspace, call: Call) -> Json:
    """openid.connect.token: a code becomes an access token and an id_token."""
    client, secret = call.basic if call.basic[0] else (call.text("client_id"), call.text("client_secret"))
    if client != CLIENT_ID:
        raise Refused("invalid_client_id")
    if secret != CLIENT_SECRET:
        raise Refused("bad_client_secret")
    if call.text("grant_type", "authorization_code") != "authorization_code":
        raise Refused("invalid_grant_type")
    sign_in = workspace.sign_in
    agreed = sign_in.take(call.text("code"), redirect_uri=call.text("redirect_uri"), now=workspace.now())
    access = f"{TOKEN_PREFIX}{secrets.token_hex(8)}"
    sign_in.tokens[access] = agreed
    now = int(workspace.now())
    claims: Json = {
        "iss": ISSUER,
        "aud": CLIENT_ID,
        "exp": now + TOKEN_SECONDS,
        "iat": now,
        "auth_time": now,
        "at_hash": secrets.token_urlsafe(16),
        **({"nonce": agreed.nonce} if agreed.nonce else {}),
        **_about(agreed),
        **sign_in.changed,
    }
    signed = workspace.openid_key.signed({name: value for name, value in claims.items() if value is not None})
    return {"access_token": access, "token_type": "Bearer", "id_token": signed}


def user_info(workspace: Workspace, call: Call) -> Json:
    """openid.connect.userInfo, by the token that a code became."""
    return _about(workspace.sign_in.tokens[call.token])


def _about(agreed: Agreed) -> Json:
    user = agreed.user
    claims: Json = {
        "sub": user.id,
        "https://slack.com/user_id": user.id,
        "https://slack.com/team_id": user.team_id or people.TEAM_ID,
    }
    if "email" in agreed.scopes:
        claims |= {"email": user.email, "email_verified": True}
    if "profile" in agreed.scopes:
        claims |= {"name": user.real_name, "locale": "en-GB", "https://slack.com/team_name": people.TEAM_NAME}
    return claims


METHODS: dict[str, Method] = {"openid.connect.token": token, "openid.connect.userInfo": user_info}


class OpenIdRoutes:
    """What browsers and libraries ask for beside the Web API."""

    def __init__(self, workspace: Callable[[], Workspace]) -> None:
        self._workspace = workspace

    def routes(self) -> list[Route]:
        return [
            Route(AUTHORIZE, self._ask, methods=["GET"]),
            Route(AUTHORIZE, self._answer, methods=["POST"]),
            Route("/openid/connect/keys", self._keys),
            Route("/.well-known/openid-configuration", self._configuration),
        ]

    async def _ask(self, request: Request) -> Response:
        try:
            _checked(request.query_params)
        except Unacceptable as error:
            return _page("Something went wrong", f"<p>{escape(str(error))}</p>", 400)
        buttons = "".join(
            f'<p><button name="person" value="{escape(user.id)}">{escape(user.real_name)}</button></p>'
            for user in self._workspace().world.users.values()
            if not user.is_bot
        )
        deny = '<p><button name="person" value="">Cancel</button></p>'
        return _page("Sign in with Slack", f'<form method="post">{buttons}{deny}</form>')

    async def _answer(self, request: Request) -> Response:
        query = request.query_params
        try:
            scopes = _checked(query)
        except Unacceptable as error:
            return _page("Something went wrong", f"<p>{escape(str(error))}</p>", 400)
        form = dict(parse_qsl((await request.body()).decode(errors="replace")))
        workspace = self._workspace()
        user = workspace.world.users.get(form.get("person", ""))
        state = {"state": query["state"]} if "state" in query else {}
        if user is None:
            return _back(query["redirect_uri"], {"error": "access_denied", **state})
        code = workspace.sign_in.agree(
            Agreed(
                user=user,
                nonce=query.get("nonce", ""),
                scopes=scopes,
                redirect_uri=query["redirect_uri"],
                until=workspace.now() + CODE_SECONDS,
            )
        )
        return _back(query["redirect_uri"], {"code": code, **state})

    async def _keys(self, request: Request) -> Response:
        return JSONResponse({"keys": [self._workspace().openid_key.jwk]})

    async def _configuration(self, request: Request) -> Response:
        url = str(request.base_url).rstrip("/")
        return JSONResponse(
            {
                "issuer": ISSUER,
                "authorization_endpoint": f"{url}{AUTHORIZE}",
                "token_endpoint": f"{url}/api/openid.connect.token",
                "userinfo_endpoint": f"{url}/api/openid.connect.userInfo",
                "jwks_uri": f"{url}/openid/connect/keys",
                "scopes_supported": sorted(SCOPES),
                "response_types_supported": ["code"],
                "response_modes_supported": ["form_post"],
                "grant_types_supported": ["authorization_code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
            }
        )


def _checked(query: Mapping[str, str]) -> frozenset[str]:
    """The scopes that are asked for; raises `Unacceptable`."""
    if query.get("client_id") != CLIENT_ID:
        raise Unacceptable("Invalid client_id parameter")
    if not _is_registered(query.get("redirect_uri", "")):
        raise Unacceptable("redirect_uri did not match any configured URIs.")
    if query.get("response_type") != "code":
        raise Unacceptable("Invalid response_type")
    scopes = frozenset(query.get("scope", "").replace(",", " ").split())
    if "openid" not in scopes or not scopes <= SCOPES:
        raise Unacceptable("Invalid permissions requested")
    return scopes


def _is_registered(redirect_uri: str) -> bool:
    """Whether it is a loopback address at any port with the callback's path."""
    try:
        uri = urlsplit(redirect_uri)
        return (uri.scheme, uri.hostname in LOOPBACK, uri.path, uri.query) == ("http", True, CALLBACK, "")
    except ValueError:
        return False


def _back(uri: str, told: Mapping[str, str]) -> Response:
    return RedirectResponse(f"{uri}?{urlencode(told)}", 302)


def _page(title: str, body: str, status: int = 200) -> Response:
    head = f'<link rel="icon" href="data:,"><title>{title}</title>'  # an icon of its own: a browser asks for one else
    html = f'<!doctype html><html lang="en">{head}<body><h1>{title}</h1>{body}</body></html>'
    return HTMLResponse(html, status, {"cache-control": "no-store", "x-frame-options": "DENY"})
