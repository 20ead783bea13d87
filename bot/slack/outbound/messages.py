"""Our messages: where they may stand, stored once they are posted, changed in place, and never posted twice.

When the outcome of a `chat.postMessage` is unknown, we look for the mark in its metadata before we post it again
(docs.slack.dev/messaging/message-metadata).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from weakref import WeakValueDictionary

from bot.domain.deliveries import Place, Post, said_slot
from bot.runtime.core.lock import DistributedLock, IsHeld
from bot.runtime.delivery.posts import PostService
from bot.slack.connection.errors import SlackRefused, SlackUnclear
from bot.slack.connection.web import SlackWeb
from bot.slack.views import notices
from bot.slack.views.blocks import Outgoing

ROOT = "root"  # the slot of a private run's first message in its owner's DM

Look = Callable[[], Awaitable[str | None]]


@dataclass(frozen=True, slots=True)
class Destination:
    """A place to post: a conversation, and the thread in it."""

    channel: str
    thread_ts: str | None = None


class RunMessages:
    """The messages of runs, by slot. One slot is written by one at a time."""

    def __init__(self, *, web: SlackWeb, book: PostService, lock: DistributedLock) -> None:
        self._web = web
        self._book = book
        self._shared_lock = lock
        self._is_held: IsHeld = lambda: True
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    def only_while(self, is_held: IsHeld) -> RunMessages:
        """The same messages for a caller that may lose the right to show them; from then on they raise `LostRace`."""
        before, these = self._is_held, copy(self)
        these._is_held = lambda: before() and is_held()
        return these

    async def put(
        self, run_id: str, slot: str, to: Destination, message: Outgoing, *, since: str, in_doubt: bool = False
    ) -> Post:
        """Show this message in this slot: the one that stands there is changed, or a new one is posted.

        `in_doubt` says that an earlier attempt may have posted without our knowing, though not before `since`, the
        timestamp of the request. What stands somewhere else (the run became private since) is taken away there.
        """
        async with self._alone(run_id, slot):
            before = await self._book.find(run_id, slot)
            known = await self._unless_kept(before)
            if known and known.channel != to.channel:
                await self.take_away(known)
                known = None
            if known is None and in_doubt:
                known = await self._recovered(run_id, slot, to, since)
            if known and await self.change(known, message):
                return known
            return await self._posted(run_id, slot, to, message, since, known or before)

    async def once(self, run_id: str, slot: str, to: Destination, message: Outgoing, *, since: str) -> Post:
        """The message in this slot, posted if there is none; what stands is left as it is."""
        async with self._alone(run_id, slot):
            if known := await self._book.find(run_id, slot):
                return known
            async with self._shared_lock.acquire(_mark(run_id, slot)) as is_held:  # another process may need it as well
                known = await self._book.find(run_id, slot) or await self._recovered(run_id, slot, to, since)
                return known or await self.only_while(is_held)._posted(run_id, slot, to, message, since, None)

    async def recover(self, run_id: str, slot: str, to: Destination, *, since: str) -> None:
        """Write down what an earlier attempt may have posted here without our knowing; nothing is posted."""
        async with self._alone(run_id, slot):
            if await self._book.find(run_id, slot) is None:
                await self._recovered(run_id, slot, to, since)

    async def clear(self, run_id: str, slot: str) -> None:
        """Nothing is to stand in this slot any more."""
        async with self._alone(run_id, slot):
            known = await self._book.find(run_id, slot)
            if known:
                await self.take_away(known)

    async def take_away(self, post: Post) -> None:
        """Remove a message of ours; a stream is ended first. Whether it was still there does not matter."""
        if post.streaming:
            await self.end_stream(post)
        with contextlib.suppress(SlackRefused):
            await self._web.delete(post.channel, post.ts)

    async def end_stream(self, post: Post) -> None:
        """End a stream that may have ended by itself, and write that down."""
        with contextlib.suppress(SlackRefused):
            await self._web.stop_stream(post.channel, post.ts)
        await self._book.save(replace(post, streaming=False))

    async def standing(self, run_id: str, slot: str) -> Post | None:
        """The message in this slot, unless it was left standing as something said before a card or a pause."""
        return await self._unless_kept(await self._book.find(run_id, slot))

    async def _unless_kept(self, post: Post | None) -> Post | None:
        kept = post and post.is_answer and await self._book.find(post.run_id, said_slot(post.ts))
        return None if kept else post

    async def change(self, post: Post, message: Outgoing) -> bool:
        """Show this in a message that stands; False where it is gone, or can be changed no more."""
        if post.streaming:
            await self.end_stream(post)
        try:
            await self._updated(post, message)
        except SlackRefused as error:
            if error.is_gone:
                return False
            raise
        return True

    async def _updated(self, post: Post, message: Outgoing) -> None:
        """Where Slack says that it streams still, the stream is stopped again: the first time that was refused."""
        try:
            await self._web.update(post.channel, post.ts, message, is_held=self._is_held)
        except SlackRefused as error:
            if error.code != "streaming_state_conflict":
                raise
            await self.end_stream(post)
            await self._web.update(post.channel, post.ts, message, is_held=self._is_held)

    async def _recovered(self, run_id: str, slot: str, to: Destination, since: str) -> Post | None:
        """What an earlier attempt posted here without writing it down; what it showed may be out of date by now."""
        before = await self._book.find(run_id, slot)
        ts = await self._unsaid(run_id, slot, to, since)
        return await self._written(run_id, slot, to, ts, before) if ts else None

    async def _posted(
        self, run_id: str, slot: str, to: Destination, message: Outgoing, since: str, before: Post | None
    ) -> Post:
        look = partial(self._unsaid, run_id, slot, to, since)
        ts = await self._sent(_mark(run_id, slot), to, message, look)
        post = await self._written(run_id, slot, to, ts, before)
        if post.ts != ts:
            await self.change(post, message)
        return post

    async def _written(self, run_id: str, slot: str, to: Destination, ts: str, before: Post | None) -> Post:
        """What stands in the slot from now on: this message, or the one that another process posted meanwhile. Then
        this one is deleted, because a slot is one message.
        """
        post = Post(run_id=run_id, slot=slot, channel=to.channel, ts=ts)
        standing = await self._book.save(post, instead_of=before)
        if standing.ts != ts:
            with contextlib.suppress(SlackRefused):
                await self._web.delete(to.channel, ts)
        return standing

    async def say(self, mark: str, to: Destination, message: Outgoing, *, since: str, in_doubt: bool = False) -> str:
        """Post something that is never changed and belongs to no run; its timestamp."""

        async def found() -> str | None:
            return next(iter(await self._found(to, mark, since)), None)

        ts = await found() if in_doubt else None
        return ts or await self._sent(mark, to, message, found)

    async def _sent(self, mark: str, to: Destination, message: Outgoing, found: Look) -> str:
        """Post it; where the outcome is unclear, what is found is what was posted."""
        try:
            return await self._web.post(to.channel, message, thread_ts=to.thread_ts, mark=mark, is_held=self._is_held)
        except SlackUnclear:
            ts = await found()
            if ts is None:
                raise
            return ts

    async def _unsaid(self, run_id: str, slot: str, to: Destination, since: str) -> str | None:
        """The message with this slot's mark; not one that was left standing as something said before it."""
        for ts in await self._found(to, _mark(run_id, slot), since):
            if await self._book.find(run_id, said_slot(ts)) is None:
                return ts
        return None

    async def _found(self, to: Destination, mark: str, since: str) -> Sequence[str]:
        return await self._web.posted(to.channel, thread_ts=to.thread_ts, mark=mark, since=since)

    def _alone(self, run_id: str, slot: str) -> asyncio.Lock:
        return self._locks.setdefault((run_id, slot), asyncio.Lock())


class Destinations:
    """Finds the place for a run's text, stream and cards. A private run has one root message in the DM, and so has one
    that was asked for over HTTP, in the `application` of this name.
    """

    def __init__(self, *, web: SlackWeb, messages: RunMessages, application: str) -> None:
        self._web = web
        self._messages = messages
        self._application = application
        self._direct: dict[tuple[str, str], str] = {}

    async def content(self, place: Place, *, private: bool = False) -> Destination:
        """Where the run's content goes; `private` adds that this piece is, even if the run is not."""
        if place.elsewhere or (private and not place.is_dm):
            return await self._below_root(place)
        return self.thread(place)

    def thread(self, place: Place) -> Destination:
        """Where the request was made."""
        return Destination(place.channel, place.root_ts or None)

    async def direct(self, team: str, user: str) -> Destination:
        """A person's DM, at its top level."""
        if (team, user) not in self._direct:
            self._direct[team, user] = await self._web.direct(user)
        return Destination(self._direct[team, user])

    async def _below_root(self, place: Place) -> Destination:
        to = await self.direct(place.team, place.user)
        link = await self._web.permalink(place.channel, place.request_ts) if place.is_in_slack else ""
        message = notices.root(place, link, self._application)
        root = await self._messages.once(place.run_id, ROOT, to, message, since=place.request_ts)
        return Destination(root.channel, root.ts)


def _mark(run_id: str, slot: str) -> str:
    """What a message carries in its metadata, so that it can be found."""
    return f"{run_id}/{slot}"
