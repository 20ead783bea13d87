"""Slack over HTTP: one route, with a check in front of Bolt that no malformed request passes.

Bolt parses a body before it checks the signature, answers 500 to a timestamp that is no number, to a signature outside
ASCII and to a body that is no JSON, and logs the body of a forged request. So the signature is checked here first
(docs.slack.dev/authentication/verifying-requests-from-slack); Bolt checks it again. What the headers alone show to be
refused is refused before the body is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import structlog
from slack_bolt.adapter.starlette.async_handler import to_async_bolt_request, to_starlette_response
from slack_bolt.async_app import AsyncApp
from slack_sdk.signature import SignatureVerifier
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bot.request_body import BodyTooLong, read_body
from bot.slack.connection.schema import UNREADABLE, is_readable

log = structlog.get_logger()

PATH = "/slack/events"
BODY_LIMIT = 1_000_000  # bytes
_MOST_SECONDS = 60 * 5
"""How far a request's time may be from ours, as Slack's page on verifying has it."""

_TIMESTAMP = re.compile(r"\d{10}", re.ASCII)
_SIGNATURE = re.compile(r"v0=[0-9a-f]{64}")
_SIGNING_SECRET = re.compile(r"[0-9a-fA-F]{32}")


def slack_routes(app: AsyncApp, *, signing_secret: str) -> Sequence[Route]:
    """The route for events, interactivity and commands; all three URLs of the manifest point to it."""
    verifier = SignatureVerifier(signing_secret)

    async def receive(request: Request) -> Response:
        body = await _body(request, verifier)
        if isinstance(body, Response):
            return body
        try:
            asked = to_async_bolt_request(request, body)
        except UNREADABLE:
            return PlainTextResponse("malformed", 400)
        if not is_readable(asked.body):
            return PlainTextResponse("malformed", 400)
        return to_starlette_response(await app.async_dispatch(asked))

    return [Route(PATH, receive, methods=["POST"])]


def is_signing_secret(text: str) -> bool:
    """Whether it looks like one: Slack shows 32 hexadecimal digits."""
    return _SIGNING_SECRET.fullmatch(text) is not None


async def _body(request: Request, verifier: SignatureVerifier) -> bytes | Response:
    """The body when it is a request of Slack, else the refusal; nothing of it is logged."""
    if not _well_formed(request):
        return _refused("headers")
    if not _is_recent(request, verifier):
        return _refused("timestamp")
    try:
        body = await read_body(request, limit=BODY_LIMIT)
        signed = verifier.is_valid_request(body, dict(request.headers))
    except BodyTooLong:
        return PlainTextResponse("too long", 413, headers={"connection": "close"})
    except UnicodeDecodeError:
        return _refused("not UTF-8")
    except ClientDisconnect:
        return Response(status_code=400)
    return body if signed else _refused("signature")


def _well_formed(request: Request) -> bool:
    headers = request.headers
    timestamp, signature = headers.get("x-slack-request-timestamp", ""), headers.get("x-slack-signature", "")
    return bool(_TIMESTAMP.fullmatch(timestamp) and _SIGNATURE.fullmatch(signature))


def _is_recent(request: Request, verifier: SignatureVerifier) -> bool:
    """Whether it can still be valid; the verifier looks again."""
    return abs(verifier.clock.now() - int(request.headers["x-slack-request-timestamp"])) <= _MOST_SECONDS


def _refused(why: str) -> Response:
    """The refusal. It may come before the body was read, so nothing more is read from this connection."""
    log.info("slack.http_refused", why=why)
    return PlainTextResponse("invalid request", 401, headers={"connection": "close"})
