"""One run on its way to Slack: collects what the bus says of it, and writes it no faster than Slack allows."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass

import structlog

from bot.domain.runs import RunState
from bot.domain.states import LostRace
from bot.runtime.delivery.posts import PostService
from bot.runtime.delivery.queries import Queries
from bot.runtime.delivery.views import Place
from bot.slack.errors import SlackBusy, SlackError
from bot.slack.postings import Postings, Spot
from bot.slack.rooms import Rooms
from bot.slack.statuses import Statuses
from bot.slack.strays import Strays
from bot.slack.streams import Stream
from bot.slack.views.text import Inert
from bot.slack.web import SlackWeb

log = structlog.get_logger()

_UNROOTED_SECONDS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What every feed works with. `pace` is the factor that many streams at once slow each other down by."""

    web: SlackWeb
    queries: Queries
    book: PostService
    postings: Postings
    rooms: Rooms
    strays: Strays
    timings: Callable[[], float]
    monotonic: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True, kw_only=True)
class Above:
    """What was said before a card came, and whether it counts."""

    text: str
    void: bool


class Feed:
    """Everything best effort of one run. `hear…` never waits; a task does the writing. Rows are the truth."""

    def __init__(self, *, run_id: str, tools: Tools) -> None:
        self.run_id = run_id
        self._tools = tools
        self._lock = asyncio.Lock()
        self._news = asyncio.Event()
        self._state = RunState.PLANNING
        self._caption = ""
        self._inert = Inert()
        self._text = ""
        self._void = False
        self._above: Above | None = None
        self._stream: Stream | None = None
        self._in_doubt = True  # an earlier process, or another, may have begun a stream and died
        self._statuses = Statuses(web=tools.web, monotonic=tools.monotonic)
        self._task: asyncio.Task[None] | None = None

    @property
    def streams(self) -> bool:
        """Whether it has text on the screen."""
        return self._stream is not None

    @property
    def idle(self) -> bool:
        """Whether it can be let go: the run does not work now, and nothing of it is being written."""
        done = self._task is None or self._task.done()
        return done and self._stream is None and not self._works

    @property
    def _works(self) -> bool:
        """A run that waits for people costs no task."""
        return self._state.is_live() and self._state is not RunState.AWAITING

    def hear_state(self, state: RunState) -> None:
        """The run reached a state."""
        self._state, self._caption = state, ""
        if state is RunState.QUEUED:
            self._in_doubt = False
        if state is RunState.AWAITING and self._above is None:
            self._above = Above(text=self._text, void=self._void or not self._text)
            self._start_over()
        self._wake()

    def hear_caption(self, caption: str) -> None:
        """An action began, or ended (then empty)."""
        self._caption = caption
        self._wake()

    def hear_text(self, text: str) -> None:
        """The model said something more."""
        if self._void:
            self._start_over()
        self._text += self._inert.feed(text)
        self._wake()

    def hear_void(self) -> None:
        """What was said since the step began does not count; it stays on the screen until something replaces it."""
        self._void = True
        self._wake()

    async def settle(self) -> None:
        """Stop writing, and end the stream: the answer takes the slot over."""
        await self._stop()
        async with self._lock:
            stream, self._stream = self._stream, None
            self._above = None
            self._start_over()
            if stream:
                await stream.end()

    async def look(self, place: Place, spot: Spot) -> None:
        """Find what may have been begun and not written down, once: here, and where the content may not be any more."""
        if not self._in_doubt:
            return
        thread = self._tools.rooms.thread(place)
        if thread != spot:
            await self._tools.strays.clear(place, thread)
        await self._tools.strays.adopt(place, spot)
        self._in_doubt = False

    async def finish(self, place: Place) -> None:
        """Show the state that the run is in, after its answer stands; what Slack does not take now is shown later."""
        self._state, self._caption = place.state, ""
        async with self._lock:
            await self._try(self._statuses.show(place, place.state, ""))
        if self._statuses.held:
            self._wake()

    async def close(self) -> None:
        """The process ends: stop writing, and end the stream, so that it does not hang in Slack as unfinished."""
        await self._stop()
        if self._stream:
            await self._try(self._stream.end())

    async def _stop(self) -> None:
        task, self._task = self._task, None
        if task is None:
            return
        try:
            async with self._lock:  # not in the middle of a call
                task.cancel()
        finally:
            task.cancel()  # unless whoever stops it is out of time: what goes on then would outlive the store
            await asyncio.gather(task, return_exceptions=True)

    def _wake(self) -> None:
        self._news.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work(), name=f"slack-feed-{self.run_id}")

    async def _work(self) -> None:
        """Rounds while the run works; best effort, so what fails is logged and the next round tries again."""
        while self._news.is_set() or self._works or self._statuses.held:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._statuses.next_refresh()):
                    await self._news.wait()
            self._news.clear()
            async with self._lock:
                wait = await self._round()
            await asyncio.sleep(wait)

    async def _round(self) -> float:
        """Write what is new; the seconds until the next round may begin."""
        text, caption = "" if self._void else self._text, self._caption
        try:
            # read after the text was taken: the place is at least as private as everything in that text
            place = await self._tools.queries.place(self.run_id)
            if not place.root_ts:  # the message that everything stands below is on its way
                self._news.set()
                return _UNROOTED_SECONDS
            self._believe(place.state)
            await self._make_way()
            if text and place.state.is_live():
                await self._stream_text(place, text)
            await self._try(self._statuses.show(place, self._state, caption))
        except SlackBusy as busy:
            self._news.set()
            return busy.seconds
        except (SlackError, LostRace) as error:
            log.warning("slack.feed_failed", run=self.run_id, error=str(error))
        except Exception:  # the task's outer edge
            log.exception("slack.feed_broke", run=self.run_id)
        return (self._stream.timings if self._stream else 0.2) * self._tools.timings()

    def _believe(self, state: RunState) -> None:
        """Other processes work on the run as well: only rows say when it rests. Its answer then takes the stream over,
        wherever it is delivered.
        """
        if not state.is_live():
            self._stream = None
        if state is not self._state and (state is RunState.AWAITING or not state.is_live()):
            self._state, self._caption = state, ""

    async def _stream_text(self, place: Place, text: str) -> None:
        spot = await self._tools.rooms.content(place)
        if self._stream and self._stream.spot != spot:
            stream, self._stream = self._stream, None
            await stream.remove()
        if self._stream is None:
            await self.look(place, spot)
            tools = self._tools
            self._stream = Stream(
                place=place,
                spot=spot,
                web=tools.web,
                book=tools.book,
                postings=tools.postings,
                strays=tools.strays,
                monotonic=tools.monotonic,
            )
            self._statuses.outdated()
        stream = self._stream
        try:
            if stream.overwrites(text):
                await self._overwrite(stream, text)
            else:
                await stream.show(text)
        finally:
            self._in_doubt = self._in_doubt or stream.unclear

    async def _overwrite(self, stream: Stream, text: str) -> None:
        """Nothing is begun or changed where the answer stands already, or is about to."""
        async with self._tools.strays.kept_out(stream.spot) as is_held:
            place = await self._tools.queries.place(self.run_id)
            if place.state.is_live():
                await stream.show(text, is_held=is_held)

    async def _make_way(self) -> None:
        """A card is the newest thing now: what counts stays above it, what does not goes."""
        above, self._above = self._above, None
        if above is None or self._stream is None:
            return
        stream, self._stream = self._stream, None
        if above.void:
            await stream.remove()
        else:
            await stream.show(above.text)
            await stream.keep()

    def _start_over(self) -> None:
        self._inert, self._text, self._void = Inert(), "", False

    async def _try(self, call: Coroutine[object, object, object]) -> None:
        try:
            await call
        except SlackError as error:
            log.warning("slack.feed_failed", run=self.run_id, error=str(error))
