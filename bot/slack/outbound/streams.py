"""One answer while it is written: a native stream where Slack takes it, else one message that is changed.

A stream lives about five minutes and cannot take anything back, so it ends before that, and when its text is replaced;
from then on the same message is changed (docs.slack.dev/reference/methods/chat.startStream, chat.update).
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from weakref import WeakValueDictionary

import structlog

from bot.domain.deliveries import ANSWER, Place, Post, said_slot
from bot.runtime.core.lock import DistributedLock, IsHeld
from bot.runtime.delivery.posts import PostService
from bot.runtime.texts.inert_markdown import beginning
from bot.slack.connection.errors import SlackBusy, SlackError, SlackRefused, SlackUnclear
from bot.slack.connection.web import SlackWeb
from bot.slack.outbound.messages import Destination, RunMessages
from bot.slack.views.answer import MESSAGE_LIMIT, streamed

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamTimings:
    """How long a stream lives, and the seconds between two writes to it, or to a message that is changed instead."""

    life: float = 240.0  # Slack ends a stream about 300 seconds after its start
    append: float = 1.0
    update: float = 2.0  # chat.update: 50 a minute over all runs
    pause: float = 0.2  # between two rounds that write no text


class OrphanStreams:
    """Finds our streams without a row: Slack's answer was lost, or the process died before it came.

    A stream takes no metadata by which it could be found, but whatever else we post has some. So what is ours in a
    thread, carries no mark and stands in no row is such a stream. `agent` is our user in Slack.
    """

    def __init__(
        self, *, web: SlackWeb, book: PostService, messages: RunMessages, agent: str, lock: DistributedLock
    ) -> None:
        self._web = web
        self._book = book
        self._messages = messages
        self._agent = agent
        self._shared_lock = lock
        self._locks: WeakValueDictionary[Destination, asyncio.Lock] = WeakValueDictionary()

    @contextlib.asynccontextmanager
    async def kept_out(self, to: Destination) -> AsyncGenerator[IsHeld]:
        """Nobody looks for orphans here while a stream is begun and has no row yet, or shows an answer here."""
        lock = self._locks.setdefault(to, asyncio.Lock())
        async with lock, self._shared_lock.acquire(f"{to.channel}/{to.thread_ts}") as is_held:
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


class StreamMode(StrEnum):
    """How the text reaches Slack."""

    NATIVE = "native"
    CHANGED = "changed"
    STOPPED = "stopped"  # a person stopped the stream: nothing more is shown until the answer


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamContext:
    """What every stream works with."""

    web: SlackWeb
    posts: PostService
    messages: RunMessages
    orphans: OrphanStreams
    timings: StreamTimings
    monotonic: Callable[[], float] = time.monotonic


class Stream:
    """The streamed answer of one run at one destination. Not for parallel use: the caller holds the run's lock."""

    def __init__(self, *, place: Place, to: Destination, context: StreamContext) -> None:
        self.destination = to
        self.unclear = False
        """Whether there may be a stream of it without a row."""
        self._place = place
        self._context = context
        self._mode = StreamMode.NATIVE
        self._in_doubt = False
        self._post: Post | None = None
        self._shown = ""
        self._began = 0.0

    @property
    def interval(self) -> float:
        """The seconds between two writes."""
        return self._context.timings.append if self._mode is StreamMode.NATIVE else self._context.timings.update

    def overwrites(self, text: str) -> bool:
        """Whether showing this begins or changes a message, which could overwrite what another process wrote."""
        text = self._sendable(text)
        appends = self._post is not None and self._mode is StreamMode.NATIVE and self._goes_on(text)
        return not (appends or self._stands(text))

    def _sendable(self, text: str) -> str:
        """What cannot be taken back holds no secret, also none of which the rest comes later."""
        return beginning(self._context.web.cleared(text), MESSAGE_LIMIT)

    def _stands(self, text: str) -> bool:
        return text == self._shown or self._mode is StreamMode.STOPPED or not text.strip()

    async def show(self, text: str, *, is_held: IsHeld = lambda: True) -> None:
        """Bring Slack to this text (inert, the whole of it). Raises `SlackBusy`; then nothing changed.

        A caller that `overwrites` keeps others out of the destination, and `is_held` says whether it still does. If
        not, no message is posted or changed: `LostRace`.
        """
        text = self._sendable(text)
        if self._stands(text):
            return
        if self._post is None:
            await self._begin(text, is_held)
        elif self._mode is StreamMode.NATIVE and self._goes_on(text):
            await self._append(self._post, text)
        else:
            await self._change(text, is_held)

    async def end(self) -> Post | None:
        """End the native stream, if there is one; the message stays."""
        if self._post and self._post.streaming:
            await self._context.messages.end_stream(self._post)
            self._post = replace(self._post, streaming=False)
        return self._post

    async def remove(self) -> None:
        """Delete the message: it was not the answer, or may not stand here any more."""
        if self._post:
            await self._context.messages.take_away(self._post)
            self._post = None

    async def keep(self) -> None:
        """Keep the message; the answer comes in another one."""
        post = await self.end()
        if post:
            await self._context.posts.save(post.said)

    def _goes_on(self, text: str) -> bool:
        return text.startswith(self._shown) and self._context.monotonic() - self._began < self._context.timings.life

    async def _begin(self, text: str, is_held: IsHeld) -> None:
        if await self._context.messages.standing(self._place.run_id, ANSWER):  # an earlier process began this answer
            self._mode = StreamMode.CHANGED
        if self._mode is StreamMode.NATIVE and self.destination.thread_ts:
            try:
                await self._start_native(self.destination.thread_ts, text, is_held)
                return
            except (SlackRefused, SlackBusy) as error:
                log.info("slack.stream_refused", run=self._place.run_id, error=str(error))
            except SlackUnclear as error:
                log.info("slack.stream_unclear", run=self._place.run_id, error=str(error))
                self.unclear = True
                await self._context.orphans.adopt_alone(self._place, self.destination)
        self._mode = StreamMode.CHANGED
        in_doubt, self._in_doubt = self._in_doubt, True
        self._post = await self._context.messages.only_while(is_held).put(
            self._place.run_id,
            ANSWER,
            self.destination,
            streamed(text),
            since=self._place.request_ts,
            in_doubt=in_doubt,
        )
        self._shown = text

    async def _start_native(self, thread_ts: str, text: str, is_held: IsHeld) -> None:
        place, began = self._place, self._context.monotonic()  # Slack may count from here on
        ts = await self._context.web.start_stream(
            self.destination.channel, thread_ts, text, user=place.user, team=place.team
        )
        post = Post(run_id=place.run_id, slot=ANSWER, channel=self.destination.channel, ts=ts, streaming=True)
        if not is_held():  # this process stood still, and another one writes the answer by now
            await self._discard(post)
            return
        self._post, self._began, self._shown = post, began, text
        before = await self._context.posts.find(place.run_id, ANSWER)
        if (await self._context.posts.save(post, instead_of=before)).ts != ts:
            self._post, self._shown = None, ""
            await self._discard(post)

    async def _discard(self, post: Post) -> None:
        """Take away a stream that may not stand. Where Slack does not take that now, it is looked for later."""
        try:
            await self._context.messages.take_away(replace(post, slot=said_slot(post.ts)))
        except SlackError:
            self.unclear = True
            raise

    async def _append(self, post: Post, text: str) -> None:
        try:
            await self._context.web.append_stream(post.channel, post.ts, text[len(self._shown) :])
        except SlackRefused as error:
            self._mode = StreamMode.STOPPED if error.code == "stopped_by_user" else StreamMode.CHANGED
        except SlackUnclear:
            self._mode = StreamMode.CHANGED  # whether it arrived is not known: the next write sets the whole text
        else:
            self._shown = text

    async def _change(self, text: str, is_held: IsHeld) -> None:
        self._mode = StreamMode.CHANGED
        await self.end()
        place = self._place
        messages = self._context.messages.only_while(is_held)
        await messages.put(place.run_id, ANSWER, self.destination, streamed(text), since=place.request_ts)
        self._shown = text
