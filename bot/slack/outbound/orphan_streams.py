"""Our streams without a row: Slack's answer was lost, or the process died before it came.

A stream takes no metadata by which it could be found (docs.slack.dev/reference/methods/chat.startStream), but whatever
else we post has some. So what is ours in a thread, carries no mark and stands in no row is such a stream.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from weakref import WeakValueDictionary

import structlog

from bot.domain.deliveries import ANSWER, Post
from bot.runtime.core.lock import DistributedLock, IsHeld
from bot.runtime.delivery.posts import PostService
from bot.runtime.delivery.views import Place
from bot.slack.connection.errors import SlackRefused
from bot.slack.connection.web import SlackWeb
from bot.slack.outbound.messages import Destination, Messages

log = structlog.get_logger()


class OrphanStreams:
    """Finds them. `agent` is our user in Slack."""

    def __init__(
        self, *, web: SlackWeb, book: PostService, messages: Messages, agent: str, lock: DistributedLock
    ) -> None:
        self._web = web
        self._book = book
        self._messages = messages
        self._agent = agent
        self._exclusion = lock
        self._locks: WeakValueDictionary[Destination, asyncio.Lock] = WeakValueDictionary()

    @contextlib.asynccontextmanager
    async def kept_out(self, to: Destination) -> AsyncGenerator[IsHeld]:
        """Nobody looks for orphans here while a stream is begun and has no row yet, or shows an answer here."""
        lock = self._locks.setdefault(to, asyncio.Lock())
        async with lock, self._exclusion.acquire(f"{to.channel}/{to.thread_ts}") as is_held:
            yield is_held

    async def adopt(self, place: Place, to: Destination) -> None:
        """Make the newest orphan here the message of the run's answer, unless that stands; delete the others."""
        async with self.kept_out(to):
            await self.adopt_alone(place, to)

    async def adopt_alone(self, place: Place, to: Destination) -> None:
        """The same for a caller that keeps the others out already."""
        found = list(await self._found(place, to))
        if found and await self._messages.standing(place.run_id, ANSWER) is None:
            before = await self._book.find(place.run_id, ANSWER)
            post = Post(run_id=place.run_id, slot=ANSWER, channel=to.channel, ts=found[-1], streaming=True)
            if (await self._book.save(post, instead_of=before)).ts == post.ts:
                found.pop()
        await self._take_away(to, found)

    async def clear(self, place: Place, to: Destination) -> None:
        """Delete the orphans here: they may not be shown here any more."""
        async with self.kept_out(to):
            await self._take_away(to, await self._found(place, to))

    async def _found(self, place: Place, to: Destination) -> Sequence[str]:
        if not to.thread_ts:  # a stream needs a thread
            return []
        try:
            unmarked = await self._web.unmarked(
                to.channel, thread_ts=to.thread_ts, author=self._agent, since=place.request_ts
            )
        except SlackRefused as refused:  # the thread is gone, or not ours to read
            if refused.may_heal or refused.locks_out:
                raise
            return []
        return [ts for ts in unmarked if not await self._book.has(place.team, to.channel, ts)]

    async def _take_away(self, to: Destination, found: Sequence[str]) -> None:
        for ts in found:
            log.info("slack.orphan_stream_removed", channel=to.channel, ts=ts)
            with contextlib.suppress(SlackRefused):
                await self._web.stop_stream(to.channel, ts)
            with contextlib.suppress(SlackRefused):
                await self._web.delete(to.channel, ts)
