"""Signed HTTP delivery, checked by bolt's own request verification."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.adapter.starlette.async_handler import AsyncSlackRequestHandler
from slack_bolt.async_app import AsyncApp
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from playground import people
from playground.serve import Served
from playground.slack.webhooks import signature
from tests.contract.playground.slack.clients import Slack, eventually


class HttpBot:
    """A bolt app behind HTTP; `failures` of its first answers are 500, `no_retry` says not to come again."""

    def __init__(self, slack: Slack, secret: str) -> None:
        self.app: Any = AsyncApp(client=slack.web, signing_secret=secret, process_before_response=True)
        self.handler: Any = AsyncSlackRequestHandler(self.app)
        self.heard: list[dict[str, Any]] = []
        self.retries: list[tuple[str | None, str | None]] = []
        self.failures = 0
        self.no_retry = False
        self.app.event("message")(self._message)
        self.app.action("approve")(self._answer)
        self.app.command("/agent")(self._command)
        self.server = Starlette(routes=[Route("/slack/events", self._endpoint, methods=["POST"])])

    async def _endpoint(self, request: Request) -> Response:
        self.retries.append((request.headers.get("x-slack-retry-num"), request.headers.get("x-slack-retry-reason")))
        if self.failures:
            self.failures -= 1
            return PlainTextResponse("no", 500, {"x-slack-no-retry": "1"} if self.no_retry else {})
        return await self.handler.handle(request)

    async def _message(self, body: dict[str, Any]) -> None:
        self.heard.append(body)

    async def _answer(self, ack: Any) -> None:
        await ack()

    async def _command(self, ack: Any) -> None:
        await ack("Here you are.")


@pytest.fixture
async def http_bot(slack: Slack) -> AsyncIterator[HttpBot]:
    bot = HttpBot(slack, people.SIGNING_SECRET)
    async with Served(bot.server) as url:
        answer = await slack.admin("http_delivery", url=f"{url}/slack/events")
        assert answer["verified"]
        bot.retries.clear()
        yield bot


async def test_events_and_interactivity(slack: Slack, http_bot: HttpBot) -> None:
    """Events, clicks and commands arrive signed at the request URL, and their answers count."""
    await slack.act("message", user="U0MARA", channel="D0MARA", text="hello")
    await eventually(lambda: len(http_bot.heard) == 1)
    button = {"type": "button", "action_id": "approve", "text": {"type": "plain_text", "text": "Approve"}}
    blocks = [{"type": "actions", "elements": [button]}]
    card = await slack.web.chat_postMessage(channel="D0MARA", text="card", blocks=blocks)
    where = {"user": "U0MARA", "channel": "D0MARA"}
    clicked = await slack.act("click", **where, message_ts=card["ts"], action_id="approve")
    assert clicked == {"ok": True, "acked": True}
    answer = await slack.act("command", **where, command="/agent", text="help")
    assert answer["message"]["text"] == "Here you are."


async def test_retries(slack: Slack, http_bot: HttpBot) -> None:
    """A failed delivery comes again with its number and reason in the headers."""
    http_bot.failures = 2
    await slack.act("message", user="U0MARA", channel="D0MARA", text="hello")
    await eventually(lambda: len(http_bot.heard) == 1)
    assert http_bot.retries == [(None, None), ("1", "http_error"), ("2", "http_error")]


async def test_no_retry(slack: Slack, http_bot: HttpBot) -> None:
    """An app that says so is not bothered again."""
    http_bot.failures, http_bot.no_retry = 1, True
    await slack.act("message", user="U0MARA", channel="D0MARA", text="one")
    await slack.act("message", user="U0MARA", channel="D0MARA", text="two")
    await eventually(lambda: len(http_bot.heard) == 1)
    assert len(http_bot.retries) == 2


async def test_wrong_secret(slack: Slack) -> None:
    """An app with another signing secret refuses everything."""
    async with Served(HttpBot(slack, "another secret").server) as url:
        answer = await slack.admin("http_delivery", url=f"{url}/slack/events")
    assert answer["verified"] is False
    assert (await slack.entries("url_verification"))[0]["status"] == 401


def test_signature() -> None:
    """The signature is the one of Slack's documentation example."""
    body = (
        "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
        "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
        "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
        "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
    )
    expected = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
    assert signature("8f742231b10e8888abcd99yyyzzz85a5", "1531420618", body) == expected
