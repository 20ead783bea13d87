"""Builds the agent's routes over HTTP."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from importlib import metadata

from starlette.routing import BaseRoute, Mount, Router

from bot.agents.catalog import AgentCatalog
from bot.api.agent.counted import CountedAnswers
from bot.api.agent.routes import Agent
from bot.redaction import Redactor
from bot.runtime.over_http.following import Following
from bot.runtime.people.callers import Callers
from bot.settings import Settings
from bot.slack.connection.errors import SlackError
from bot.slack.connection.web import SlackWeb
from bot.urls import is_loopback, origin_of
from bot.wiring.accounts import cookies_in_force, public_address
from bot.wiring.core import Core
from bot.wiring.limits import chat_limits, request_rate

LINK_SECONDS = 2.0
MOST_LINKS = 1_000
"""Addresses that are remembered, the newest ones: a person who asks again need not wait for Slack again."""
LINKS_AT_ONCE = 16
"""Answers that wait for the address of a card; each holds a connection, and others are told without it."""


def agent_routes(
    core: Core, web: SlackWeb, catalog: AgentCatalog, following: Following, callers: Callers | None, *, url: str
) -> Sequence[BaseRoute]:
    """The agent's routes, where somebody can sign in and nobody listens on the way; `url` is where this listens.

    They are in a router of their own, which takes whatever no route before it took.
    """
    settings = core.base.settings
    public = reached_at(settings, url)
    if callers is None or not public:
        return []
    agent = Agent(
        transactions=core.transactions,
        following=following,
        callers=callers,
        catalog=catalog,
        limits=chat_limits(settings),
        rate=request_rate(settings),
        per_address=settings.http_requests_per_minute,
        origin=origin_of(public),
        origins=settings.origins,
        cookies=cookies_in_force(settings, public),
        link=Links(permalink=web.permalink).of,
        redact=Redactor(core.base.secrets),
        wait_seconds=core.timings.answer_seconds,
        heartbeat=core.timings.heartbeat_seconds,
        version=metadata.version("countersign-agent"),
    )
    router = Router(agent.routes(), redirect_slashes=False)
    return [Mount("", app=CountedAnswers(app=router, count=core.metrics.count_answer))]


def reached_at(settings: Settings, url: str) -> str:
    """The address of the agent's routes, where nobody can listen on the way there; else empty. `url` is where this
    process listens.
    """
    public = public_address(settings, url) or (url if is_loopback(url) else "")
    return public if public.startswith("https:") or is_loopback(public) else ""


@dataclass(slots=True, kw_only=True)
class Links:
    """The addresses of cards in Slack, as `permalink` says them. An answer does not wait long for one, and few wait at
    once.
    """

    permalink: Callable[[str, str], Awaitable[str]]
    _asked: int = 0
    _known: OrderedDict[tuple[str, str], str] = field(default_factory=OrderedDict[tuple[str, str], str])

    async def of(self, channel: str, ts: str) -> str:
        """The address of this message, which stays; empty where it cannot be had now."""
        if not (known := self._known.get((channel, ts), "")) and (known := await self._ask(channel, ts)):
            self._known[channel, ts] = known
            if len(self._known) > MOST_LINKS:
                self._known.popitem(last=False)
        return known

    async def _ask(self, channel: str, ts: str) -> str:
        if self._asked >= LINKS_AT_ONCE:
            return ""
        self._asked += 1
        try:
            async with asyncio.timeout(LINK_SECONDS):
                return await self.permalink(channel, ts)
        except (SlackError, TimeoutError):
            return ""
        finally:
            self._asked -= 1
