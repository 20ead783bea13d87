"""The message about the agents that work for one request: from rows, and between their moves from the bus."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.domain.deliveries import AGENTS
from bot.runtime.core.lock import DistributedLock, IsHeld
from bot.runtime.delivery.queries import Queries
from bot.slack.connection.errors import SlackBusy
from bot.slack.outbound.messages import Destinations, RunMessages
from bot.slack.outbound.streams import StreamContext
from bot.slack.views.agents_at_work import agents
from bot.slack.views.blocks import Outgoing

THOUGHT_KEPT = 2_000  # characters; the newest are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsContext(StreamContext):
    """What every message about agents works with. `slowdown` is by how much many updates at once slow each other."""

    queries: Queries
    destinations: Destinations
    lock: DistributedLock
    slowdown: Callable[[], float]


class AgentsMessage:
    """What the agents do that work for one request. Its row has it posted, and shows how each of them ends; while they
    work it is changed, best effort. Rows are read and shown in one go, so that nothing older comes last.
    """

    def __init__(self, *, run_id: str, context: AgentsContext) -> None:
        self._run_id = run_id
        self._context = context
        self._thoughts: dict[str, str] = {}
        self._shown: Outgoing | None = None
        self._is_old = False
        self._due_at = 0.0
        self._lock = asyncio.Lock()

    @property
    def waits(self) -> bool:
        """Whether something is to be shown yet."""
        return self._is_old

    def hear_thought(self, agent: str, text: str) -> bool:
        """The model of an agent thought something more; whether that is the first news since it was shown."""
        self._thoughts[agent] = (self._thoughts.get(agent, "") + text)[-THOUGHT_KEPT:]
        return self._hear()

    def hear_move(self, agent: str) -> bool:
        """An agent went on, and its thought is over; the same."""
        self._thoughts.pop(agent, None)
        return self._hear()

    def _hear(self) -> bool:
        """News that come soon after each other are shown together."""
        is_first, self._is_old = not self._is_old, True
        if is_first:
            self._due_at = _now() + self._context.timings.update * self._context.slowdown()
        return is_first

    def next_refresh(self) -> float | None:
        """The seconds until it may be changed again; None where nothing waits."""
        return max(0.0, self._due_at - _now()) if self._is_old else None

    async def show(self, messages: RunMessages, *, in_doubt: bool) -> None:
        """Have it stand where it may be read, as the rows are now. Raises `SlackError`, `LostRace`."""
        async with self._alone() as is_held:
            view = await self._context.queries.agents(self._run_id)
            if view.agents and view.place.is_in_slack:
                to, shown = await self._context.destinations.content(view.place), agents(view, self._thoughts)
                since = view.place.request_ts
                await messages.only_while(is_held).put(self._run_id, AGENTS, to, shown, since=since, in_doubt=in_doubt)
                self._shown = shown

    async def refresh(self) -> None:
        """Change what stands if there is news, not too often. A busy Slack is waited for. Raises `SlackError`."""
        if not self._is_old or _now() < self._due_at:
            return
        self._is_old = False
        try:
            async with self._alone() as is_held:
                await self._change(is_held)
        except SlackBusy as busy:
            self._is_old, self._due_at = True, _now() + busy.seconds

    async def _change(self, is_held: IsHeld) -> None:
        view = await self._context.queries.agents(self._run_id)
        post = await self._context.posts.find(self._run_id, AGENTS)
        to, shown = await self._context.destinations.content(view.place), agents(view, self._thoughts)
        if post is not None and post.channel == to.channel and shown != self._shown:
            await self._context.messages.only_while(is_held).change(post, shown)
            self._shown = shown

    @asynccontextmanager
    async def _alone(self) -> AsyncGenerator[IsHeld]:
        async with self._lock, self._context.lock.acquire(f"{self._run_id}/{AGENTS}") as is_held:
            yield is_held


def _now() -> float:
    return asyncio.get_running_loop().time()
