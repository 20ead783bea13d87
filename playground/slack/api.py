"""The Web API over HTTP: `/api/<method>`, private files, uploads."""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl

from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from playground import people
from playground.slack.call import Call
from playground.slack.errors import Refused
from playground.slack.methods import agents, app, chat, conversations, files, reactions, streams, users, views
from playground.slack.openid import METHODS as SIGN_IN_METHODS
from playground.slack.records import Json
from playground.slack.scopes import NEEDED, RateLimits, ratelimited

if TYPE_CHECKING:
    from starlette.requests import Request

    from playground.slack.workspace import Workspace

FAMILIES = (agents, app, chat, conversations, files, reactions, streams, users, views)
METHODS = {name: method for family in FAMILIES for name, method in family.METHODS.items()} | SIGN_IN_METHODS
KINDS = frozenset({"rate_limit", "ok_false"})
OPEN = frozenset({"oauth.v2.access", "openid.connect.token"})
FOR_SIGNED_IN = "openid.connect.userInfo"
FOR_APP_TOKEN = frozenset({"apps.connections.open"})


class WebApi:
    """Checks the token, the scopes and the rate, calls the method, and answers as Slack does."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._limits = RateLimits()

    def routes(self) -> list[Route]:
        return [
            Route("/api/{method:str}", self.call, methods=["GET", "POST"]),
            Route("/upload/v1/{file:str}", self.upload, methods=["POST", "PUT"]),
            Route("/files-pri/{file:str}/{name:path}", self.download),
        ]

    def reset(self) -> None:
        self._limits = RateLimits()

    async def call(self, request: Request) -> Response:
        self._workspace.base = str(request.base_url)
        self._workspace.expire()
        try:
            answer = {"ok": True, **self._answer(request, await merged(request))}
        except Refused as refused:
            request.state.note = refused.reason
            retry_after = refused.detail.pop("retry_after", None)
            headers = {} if retry_after is None else {"retry-after": str(retry_after)}
            return JSONResponse(refused.body(), refused.status, headers)
        return JSONResponse(answer)

    async def upload(self, request: Request) -> Response:
        file = self._workspace.world.files.get(request.path_params["file"])
        if file is None or file.shared:
            return PlainTextResponse("file not found", 404)
        file.content = await request.body()
        if len(file.content) != file.length:
            return PlainTextResponse(f"expected {file.length} bytes", 400)
        return PlainTextResponse(f"OK - {file.length}")

    async def download(self, request: Request) -> Response:
        """Without a token Slack answers its sign-in page with 200, not an error."""
        if bearer(request) != people.BOT_TOKEN:
            return Response("<!DOCTYPE html><html><body>Sign in to Slack</body></html>", media_type="text/html")
        file = self._workspace.world.files.get(request.path_params["file"].partition("-")[2])
        if file is None:
            return PlainTextResponse("file not found", 404)
        return Response(file.content, media_type=file.mimetype)

    def _answer(self, request: Request, args: Json) -> Json:
        name = request.path_params["method"]
        if name not in METHODS:
            raise Refused("unknown_method", req_method=name)
        self._fail_if_asked(name, args)
        token = bearer(request) or str(args.pop("token", ""))
        args.pop("token", None)
        scopes = self._scopes(name, token)
        call = Call(method=name, args=args, scopes=scopes, basic=basic(request), token=token)
        if name in NEEDED:
            call.has(*NEEDED[name])
        if self._workspace.settings.rate_limits:
            self._limits.count(name, call.text("channel"), self._workspace.now())
        return METHODS[name](self._workspace, call)

    def _fail_if_asked(self, name: str, args: Json) -> None:
        fault = self._workspace.admin.faults.take(f"/api/{name}", kinds=KINDS, body=json.dumps(args))
        if fault and fault.kind == "rate_limit":
            raise ratelimited(int(fault.seconds or 1))
        if fault:
            raise Refused(fault.error or "internal_error", reason="fault: ok_false")

    def _scopes(self, name: str, token: str) -> frozenset[str]:
        if name in OPEN:
            return frozenset()
        if not token:
            raise Refused("not_authed")
        if name == FOR_SIGNED_IN and token in self._workspace.sign_in.tokens:
            return frozenset()
        if token not in {people.BOT_TOKEN, people.APP_TOKEN}:
            raise Refused("invalid_auth")
        if (name in FOR_APP_TOKEN) != (token == people.APP_TOKEN):
            raise Refused("not_allowed_token_type")
        if self._workspace.revoked:
            raise Refused("token_revoked")
        return frozenset(self._workspace.settings.scopes) - set(self._workspace.settings.revoked_scopes)


async def merged(request: Request) -> Json:
    """Query, form and JSON arguments together; the body wins."""
    args: Json = dict(request.query_params)
    body = await request.body()
    content_type = request.headers.get("content-type", "").partition(";")[0]
    if not body:
        return args
    if content_type == "application/json":
        try:
            given: Any = json.loads(body)
        except ValueError as error:
            raise Refused("invalid_json") from error
        if not isinstance(given, dict):
            raise Refused("json_not_object")
        return args | {name: value for name, value in cast("Json", given).items() if value is not None}
    if content_type == "application/x-www-form-urlencoded":
        return args | dict(parse_qsl(body.decode(errors="replace"), keep_blank_values=True))
    raise Refused("invalid_post_type")


def bearer(request: Request) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def basic(request: Request) -> tuple[str, str]:
    kind, _, value = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "basic":
        return "", ""
    try:
        client, _, secret = base64.b64decode(value).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    return client, secret
