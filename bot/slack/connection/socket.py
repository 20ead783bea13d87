"""Socket Mode: the connection that Slack's events come through, watched, and made anew when it is alive but deaf."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, cast

import aiohttp
import structlog
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.connection.errors import OtherApp, SlackUnclear, WrongToken
from bot.slack.connection.schema import as_mapping, is_readable, text_in

log = structlog.get_logger()

_APP = re.compile(r"xapp-\d+-(A[A-Z0-9]+)-")
"""An app-level token begins with the id of its app."""

WRONG_TOKEN_CODES = frozenset(
    {
        "account_inactive",
        "invalid_auth",
        "missing_scope",
        "no_permission",
        "not_allowed_token_type",
        "not_authed",
        "token_revoked",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketTimings:
    """Seconds from one ping, and one look at the connection, to the next; and how long it may be deaf, or be made."""

    ping: float = 10.0
    look: float = 5.0
    deaf: float = 60.0  # without a fresh pong, whatever the client itself says
    connect: float = 120.0  # Slack lets those wait a minute who ask too often (docs.slack.dev, "Rate limits")


class _Handler(AsyncSocketModeHandler):
    """Refuses what Bolt cannot read; Slack gives up on what gets no acknowledgement."""

    async def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:
        body: object = cast("object", req.payload)
        if is_readable(body):
            await super().handle(client, req)
        else:
            log.warning("slack.malformed", kind=req.type)


class SocketMode:
    """Connected between `async with` and its end. `ready` says whether events can arrive now.

    Entering raises `WrongToken` for a token that Slack does not know; a Slack that is away is waited for.
    """

    def __init__(
        self,
        *,
        app: AsyncApp,
        client: AsyncWebClient,
        app_token: str,
        timings: SocketTimings | None = None,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._client = client
        self._token = app_token
        self._timings = timings or SocketTimings()
        self._steady = steady
        self._pong: float | None = None
        self._heard_at = 0.0
        self._handler: AsyncSocketModeHandler | None = None
        self._task: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        self._address: str | None = None

    @property
    def ready(self) -> bool:
        """Whether the connection stood when it was last looked at."""
        return self._ready.is_set()

    @property
    def task(self) -> asyncio.Task[None]:
        """What keeps the connection; it never ends by itself."""
        assert self._task is not None, "not entered"
        return self._task

    async def wait_ready(self) -> None:
        """Wait for the connection; raises what ended the attempts to make it."""
        ready = asyncio.create_task(self._ready.wait(), name="slack-socket-ready")
        try:
            await asyncio.wait({ready, self.task}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ready.cancel()
        if self.task.done():
            await self.task

    async def __aenter__(self) -> SocketMode:
        """Check the token, then connect in the background."""
        try:
            self._address = await check_app_token(self._client, self._token)
        except SlackUnclear as away:
            log.warning("slack.socket_waits", error=type(away.__cause__).__name__)
        self._task = asyncio.create_task(self._keep(), name="slack-socket")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ready.clear()
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._drop()

    async def _keep(self) -> None:
        """Connect, look every few seconds, connect anew when it went deaf. Ends only by being cancelled."""
        while True:
            await self._connect()
            while await self._hears():
                self._ready.set()
                await asyncio.sleep(self._timings.look)
            self._ready.clear()
            log.warning("slack.socket_deaf")
            await self._drop()

    async def _connect(self) -> None:
        """slack_sdk goes on trying until it is connected, but with the address that it got first, which is good for one
        connection and for a short while: when that does not work it gets another one.
        """
        while True:
            self._handler = _Handler(self._app, self._token, web_client=self._client, ping_interval=self._timings.ping)
            if self._address:  # a second one within the minute may be more than Slack allows (rate limit tier 1)
                self._handler.client.wss_uri, self._address = self._address, None
            try:
                async with asyncio.timeout(self._timings.connect):
                    return await self._handler.connect_async()
            except TimeoutError:
                log.warning("slack.socket_not_connected")
                await self._drop()

    async def _hears(self) -> bool:
        """Whether the client is connected and Slack answered a ping lately; a reconnecting client gets its time."""
        client = self._handler.client if self._handler else None
        if client is None or client.closed or self._is_deaf(client.last_ping_pong_time):
            return False
        if not await client.is_connected():
            self._ready.clear()
            return await self._reconnects()
        return True

    def _is_deaf(self, pong: float | None) -> bool:
        """Whether the last pong is the same for too long. Its own time is the wall clock's, which may be set back."""
        now = self._steady()
        if pong is None or pong != self._pong:
            self._pong, self._heard_at = pong, now
        return now - self._heard_at > self._timings.deaf

    async def _reconnects(self) -> bool:
        """Wait a while for slack_sdk's own reconnection, which is routine when Slack refreshes connections."""
        end = self._steady() + self._timings.deaf
        while self._steady() < end:
            await asyncio.sleep(min(self._timings.look, 0.5))
            if self._handler and await self._handler.client.is_connected():
                return True
        return False

    async def _drop(self) -> None:
        handler, self._handler = self._handler, None
        if handler:
            await handler.close_async()


def refuse_another_app(app_token: str, app: str) -> None:
    """Raise `OtherApp` for a token that names another app than the bot's, which is empty where Slack did not say."""
    named = _APP.match(app_token)
    if named and app and named[1] != app:
        raise OtherApp(named[1], app)


async def check_app_token(client: AsyncWebClient, app_token: str) -> str | None:
    """The address of one connection, which Slack gives for a token that it takes.

    Raises `WrongToken` when Slack does not take the token, `SlackUnclear` when it cannot be asked.
    """
    untyped: Any = client
    try:
        answer = await untyped.apps_connections_open(app_token=app_token)
        return text_in(as_mapping(getattr(answer, "data", None)), "url") or None
    except SlackApiError as error:
        response: object = error.response
        code = text_in(as_mapping(getattr(response, "data", None)), "error")
        if code in WRONG_TOKEN_CODES:
            raise WrongToken("SLACK_APP_TOKEN", code) from error
        return None
    except (aiohttp.ClientError, TimeoutError) as error:
        raise SlackUnclear("apps.connections.open") from error
