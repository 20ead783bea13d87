"""The Slack emulator over real sockets, the human side of it, and a façade as the bot has one."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Any, cast

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.connection.web import SlackWeb, slack_client
from playground import people
from playground.serve import Served
from playground.slack.emulator import Emulator
from playground.slack.settings import Settings
from tests import slack_methods
from tests.patience import PATIENCE_SECONDS


@dataclass(kw_only=True)
class Slack:
    """The emulator, the human side of it, and a façade as the bot has one."""

    url: str
    emulator: Emulator
    session: aiohttp.ClientSession
    client: AsyncWebClient
    web: SlackWeb

    @property
    def state(self) -> dict[str, Any]:
        return self.emulator.state()

    async def act(self, name: str, **what: object) -> dict[str, Any]:
        async with self.session.post(f"{self.url}/__act/{name}", json=what) as answer:
            return cast("dict[str, Any]", await answer.json())

    async def fault(self, **fault: object) -> None:
        async with self.session.post(f"{self.url}/__admin/faults", json=fault) as answer:
            answer.raise_for_status()

    async def settings(self, **changes: object) -> None:
        async with self.session.post(f"{self.url}/__admin/settings", json=changes) as answer:
            answer.raise_for_status()

    async def say(self, user: str, channel: str, text: str, **more: object) -> str:
        said = await self.act("message", user=user, channel=channel, text=text, **more)
        return said["message"]["ts"] if "message" in said else said["ts"]

    async def dm(self, user: str) -> str:
        return (await self.act("dm", user=user))["channel"]

    def messages(self, channel: str) -> list[dict[str, Any]]:
        return self.emulator.workspace.world.messages.get(channel, [])

    def ours(self, channel: str) -> list[dict[str, Any]]:
        return [message for message in self.messages(channel) if message.get("bot_id") == people.BOT_ID]

    def calls(self, method: str) -> list[dict[str, Any]]:
        """The bodies of the bot's calls of a method, in order."""
        entries = self.entries()
        return [entry["request"] for entry in entries if entry["path"].partition("?")[0] == f"/api/{method}"]

    def entries(self) -> list[dict[str, Any]]:
        return self.emulator.admin.log.after(0)

    def acknowledged(self) -> int:
        """How many of the deliveries over Socket Mode were acknowledged."""
        return sum(entry["method"] == "WS" and entry["direction"] == "in" for entry in self.entries())

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until something is so."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not holds():
                await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def slack_running() -> AsyncGenerator[Slack]:
    """The emulator alone."""
    emulator = Emulator(Settings(ack_seconds=PATIENCE_SECONDS, trigger_seconds=PATIENCE_SECONDS, retry_seconds=0.0))
    async with (
        Served(emulator.app) as url,
        aiohttp.ClientSession() as session,
        slack_client(token=people.BOT_TOKEN, base_url=f"{url}/api/") as client,
    ):
        slack = Slack(url=url, emulator=emulator, session=session, client=client, web=SlackWeb(client))
        yield slack
        slack_methods.remember(slack.entries())
