"""Strays: streams of ours that nobody wrote down, because Slack's answer was lost or the process died before it came.

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
from bot.slack.errors import SlackRefused
from bot.slack.postings import Postings, Spot
from bot.slack.web import SlackWeb

log = structlog.get_logger()


class Strays:
    """Finds them. `agent` is our user in Slack."""

    def __init__(
        self, *, web: SlackWeb, book: PostService, postings: Postings, agent: str, lock: DistributedLock
    ) -> None:
        self._web = web
        self._book = book
        self._postings = postings
        self._agent = agent
        self._exclusion = lock
        self._locks: WeakValueDictionary[Spot, asyncio.Lock] = WeakValueDictionary()

    @contextlib.asynccontextmanager
    async def kept_out(self, spot: Spot) -> AsyncGenerator[IsHeld]:
        """Nobody looks for strays here while a stream is begun and not written down yet, or shows an answer here."""
        lock = self._locks.setdefault(spot, asyncio.Lock())
        async with lock, self._exclusion.acquire(f"{spot.channel}/{spot.thread_ts}") as is_held:
            yield is_held

    async def adopt(self, place: Place, spot: Spot) -> None:
        """What strays here becomes the message of the run's answer, unless that stands; whatever else does goes."""
        async with self.kept_out(spot):
            await self.adopt_alone(place, spot)

    async def adopt_alone(self, place: Place, spot: Spot) -> None:
        """The same for who keeps the others out already."""
        found = list(await self._found(place, spot))
        if found and await self._postings.standing(place.run_id, ANSWER) is None:
            before = await self._book.find(place.run_id, ANSWER)
            post = Post(run_id=place.run_id, slot=ANSWER, channel=spot.channel, ts=found[-1], streaming=True)
            if (await self._book.save(post, instead_of=before)).ts == post.ts:
                found.pop()
        await self._take_away(spot, found)

    async def clear(self, place: Place, spot: Spot) -> None:
        """Whatever strays here goes: it may not be shown here any more."""
        async with self.kept_out(spot):
            await self._take_away(spot, await self._found(place, spot))

    async def _found(self, place: Place, spot: Spot) -> Sequence[str]:
        if not spot.thread_ts:  # a stream needs a thread
            return []
        try:
            unmarked = await self._web.unmarked(
                spot.channel, thread_ts=spot.thread_ts, author=self._agent, since=place.request_ts
            )
        except SlackRefused as refused:  # the thread is gone, or not ours to read
            if refused.may_heal or refused.locks_out:
                raise
            return []
        return [ts for ts in unmarked if not await self._book.has(place.team, spot.channel, ts)]

    async def _take_away(self, spot: Spot, found: Sequence[str]) -> None:
        for ts in found:
            log.info("slack.stray_removed", channel=spot.channel, ts=ts)
            with contextlib.suppress(SlackRefused):
                await self._web.stop_stream(spot.channel, ts)
            with contextlib.suppress(SlackRefused):
                await self._web.delete(spot.channel, ts)
