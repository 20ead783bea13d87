"""Slack's own clients, and the people, of an emulated workspace."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import aiohttp
import pytest
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from playground import people
from tests.patience import PATIENCE_SECONDS

EVENTS = ("message", "app_mention", "app_home_opened", "agent_session_stopped", "tokens_revoked")


class Slack:
    """The emulator as its clients and its people see it."""

    def __init__(self, url: str, session: aiohttp.ClientSession) -> None:
        self.url = url
        self.session = session
        self.web: Any = AsyncWebClient(token=people.BOT_TOKEN, base_url=f"{url}/api/", session=session)

    async def act(self, name: str, **args: Any) -> dict[str, Any]:
        return await self._post(f"__act/{name}", args)

    async def admin(self, name: str, **args: Any) -> dict[str, Any]:
        return await self._post(f"__admin/{name}", args)

    async def _post(self, path: str, args: dict[str, Any]) -> dict[str, Any]:
        async with self.session.post(f"{self.url}/{path}", json=args) as answer:
            return cast("dict[str, Any]", await answer.json())

    async def read(self, name: str) -> dict[str, Any]:
        async with self.session.get(f"{self.url}/__admin/{name}") as answer:
            return cast("dict[str, Any]", await answer.json())

    async def entries(self, part: str) -> list[dict[str, Any]]:
        """The log entries whose path holds `part`."""
        return [entry for entry in (await self.read("log"))["entries"] if part in entry["path"]]

    async def noted(self, method: str) -> dict[str, Any]:
        """The first log entry of that method, once there is one."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not (found := [entry for entry in await self.entries("") if entry["method"] == method]):
                await asyncio.sleep(0.01)
        return found[0]

    async def until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The emulator's state once the condition holds."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not holds(state := await self.read("state")):
                await asyncio.sleep(0.01)
        return state

    async def error(self, call: Awaitable[Any]) -> str:
        """The error that a method answers."""
        with pytest.raises(SlackApiError) as caught:
            await call
        return str(cast("Any", caught.value.response)["error"])


class Bot:
    """A bolt app on Socket Mode that notes the events it hears; `broken` makes its listener fail that often."""

    def __init__(self, slack: Slack) -> None:
        self.app: Any = AsyncApp(
            client=slack.web, process_before_response=True, raise_error_for_unhandled_request=False
        )
        self.handler: Any = AsyncSocketModeHandler(self.app, people.APP_TOKEN, ping_interval=1)
        self.heard: list[dict[str, Any]] = []
        self.retries: list[str] = []
        self.broken = 0
        for event in EVENTS:
            self.app.event(event)(self._hear)

    async def _hear(self, body: dict[str, Any], request: Any) -> None:
        self.retries += request.headers.get("x-slack-retry-num", ["-"])
        if self.broken:
            self.broken -= 1
            raise RuntimeError("the listener fails before the acknowledgement")
        self.heard.append(body)

    def pressed(self, action: str = "approve") -> list[dict[str, Any]]:
        """The clicks on this action from now on, as they came; each is acknowledged."""
        bodies: list[dict[str, Any]] = []

        async def press(ack: Any, body: dict[str, Any]) -> None:
            await ack()
            bodies.append(body)

        self.app.action(action)(press)
        return bodies

    async def until(self, count: int) -> list[dict[str, Any]]:
        """Waits until that many events were heard."""
        await eventually(lambda: len(self.heard) >= count)
        return self.heard

    async def __aenter__(self) -> Bot:
        await self.handler.connect_async()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.handler.close_async()


async def eventually(true: Callable[[], bool]) -> None:
    """Waits until the condition holds."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not true():
            await asyncio.sleep(0.01)
