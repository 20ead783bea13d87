"""Events, interactivity and commands over signed HTTP, as an app with a request URL gets them."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlencode

import aiohttp

from playground import people
from playground.slack.envelopes import Ack, Delivery, Kind

if TYPE_CHECKING:
    from playground.admin import Admin


class Webhooks:
    """Posts to the request URL, when one is configured; then Socket Mode gets nothing."""

    def __init__(self, admin: Admin) -> None:
        self._admin = admin
        self.url = ""

    async def verify(self, url: str, seconds: float) -> bool:
        """The `url_verification` handshake; the URL is used only when the app answers the challenge."""
        challenge = secrets.token_hex(16)
        payload = {"type": "url_verification", "challenge": challenge, "token": "playground-verification-token"}
        _, _, answer = await self._post(url, "url_verification", json.dumps(payload), "application/json", {}, seconds)
        echoed = cast("dict[str, Any]", answer).get("challenge") if isinstance(answer, dict) else answer
        return bool(echoed == challenge)

    async def deliver(self, delivery: Delivery, *, attempt: int, reason: str, seconds: float) -> Ack:
        """One attempt. Any 2xx acknowledges; the body is the response payload."""
        body, content_type = _body(delivery)
        headers = {"x-slack-retry-num": str(attempt), "x-slack-retry-reason": reason} if attempt else {}
        status, answered, answer = await self._post(self.url, delivery.name, body, content_type, headers, seconds)
        if status is None:
            return Ack(acked=False, reason=str(answer))
        if 200 <= status < 300:
            return Ack(acked=True, payload=answer or None)
        return Ack(acked=False, reason="http_error", no_retry=answered.get("x-slack-no-retry") == "1")

    async def _post(
        self, url: str, name: str, body: str, content_type: str, headers: dict[str, str], seconds: float
    ) -> tuple[int | None, dict[str, str], Any]:
        """Status, headers and body of the answer; without an answer no status, and the reason as body."""
        at = str(int(self._admin.clock.seconds()))
        signed = {
            "content-type": content_type,
            "x-slack-request-timestamp": at,
            "x-slack-signature": signature(people.SIGNING_SECRET, at, body),
            "user-agent": "Slackbot 1.0 (playground)",
            **headers,
        }
        status: int | None = None
        answered: dict[str, str] = {}
        answer: Any
        try:
            timeout = aiohttp.ClientTimeout(total=seconds)
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.post(url, data=body.encode(), headers=signed) as response,
            ):
                text = await response.text()
                status, answered = response.status, {key.lower(): value for key, value in response.headers.items()}
                answer = _readable(text)
        except TimeoutError:
            answer = "http_timeout"
        except aiohttp.ClientError:
            answer = "connection_failed"
        request = {"headers": signed, "body": _readable(body)}
        note = "" if status else str(answer)
        self._admin.log.add(
            direction="out", method="POST", path=name, request=request, status=status, response=answer, note=note
        )
        return status, answered, answer


def signature(secret: str, timestamp: str, body: str) -> str:
    """The `v0` signature, as "Verifying requests from Slack" describes it."""
    digest = hmac.new(secret.encode(), f"v0:{timestamp}:{body}".encode(), hashlib.sha256).hexdigest()
    return f"v0={digest}"


def _body(delivery: Delivery) -> tuple[str, str]:
    match delivery.kind:
        case Kind.EVENT:
            return json.dumps(delivery.payload), "application/json"
        case Kind.INTERACTIVE:
            return urlencode({"payload": json.dumps(delivery.payload)}), "application/x-www-form-urlencoded"
        case Kind.COMMAND:
            return urlencode(delivery.payload), "application/x-www-form-urlencoded"


def _readable(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
