"""The live view of one run: collects what the bus says about it, and writes it no faster than Slack allows."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from dataclasses import dataclass, field

import structlog

from bot.domain.deliveries import Place
from bot.domain.runs import RunState
from bot.domain.states import LostRace
from bot.runtime.core.priority import Priorities, Priority
from bot.runtime.texts.inert_markdown import Inert
from bot.slack.connection.errors import SlackBusy, SlackError
from bot.slack.outbound.agents import AgentsContext, AgentsMessage
from bot.slack.outbound.messages import Destination
from bot.slack.outbound.served import ServedThreads
from bot.slack.outbound.statuses import Statuses
from bot.slack.outbound.streams import Stream

log = structlog.get_logger()

_UNROOTED_SECONDS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveUpdateContext(AgentsContext):
    """What every update works with."""

    served: ServedThreads
    priorities: Priorities


@dataclass(slots=True)
class Heard:
    """What the model said since a step began, made inert; void when it does not count."""

    inert: Inert = field(default_factory=Inert)
    text: str = ""
    void: bool = False

    @property
    def shown(self) -> str:
        """What the screen shows of it now."""
        return "" if self.void else self.text + self.inert.pending

    def close(self) -> None:
        """Nothing more is said."""
        self.text += self.inert.close()


class LiveUpdate:
    """Shows one run while it works, best effort. `hear…` never waits; a task writes. Rows are the truth."""

    def __init__(self, *, run_id: str, context: LiveUpdateContext) -> None:
        self.run_id = run_id
        self._context = context
        self._lock = asyncio.Lock()
        self._news = asyncio.Event()
        self._begins = asyncio.Event()
        self._state = RunState.PLANNING
        self._caption = ""
        self._heard = Heard()
        self._earlier: Heard | None = None  # what was said before a card came
        self._stream: Stream | None = None
        self._is_held_up = False  # by Slack, or by a message that is on its way
        self._clean_since: int | None = None
        """The epoch of the lease since which only this process may have begun a stream; None while others may have."""
        self._is_owed_look = False  # what this process began may stand without a row
        self._is_elsewhere = False  # not asked in Slack, so that nothing of its work is shown there
        self._statuses = Statuses(web=context.web, monotonic=context.monotonic)
        self.agents = AgentsMessage(run_id=run_id, context=context)
        self._task: asyncio.Task[None] | None = None

    @property
    def writes(self) -> int:
        """How many messages it keeps changing."""
        return 0 if self._is_elsewhere else (self._stream is not None) + self.agents.waits

    @property
    def idle(self) -> bool:
        """Whether it can be dropped: the run does not work now, and nothing about it is being written."""
        done = self._task is None or self._task.done()
        return done and self._stream is None and not self._works

    @property
    def _works(self) -> bool:
        """A run that waits for people costs no task."""
        return self._state.is_live() and self._state is not RunState.AWAITING

    def hear_state(self, state: RunState, *, begun_in: int | None = None) -> None:
        """The run reached a state; it was begun by this process under that epoch, where there is one."""
        self._state, self._caption = state, ""
        if begun_in is not None:
            self._clean_since = begun_in
        if state is RunState.AWAITING:
            self._leave_behind()
        self._wake()

    def hear_agent(self, agent: str, state: RunState | None = None) -> None:
        """An agent that works for the run went on, perhaps to a state."""
        if state is RunState.QUEUED:
            self._leave_behind()
        if self.agents.hear_move(agent):
            self._wake()

    def hear_thought(self, agent: str, text: str) -> None:
        """Its model thought something more."""
        if self.agents.hear_thought(agent, text):
            self._wake()

    def hear_caption(self, caption: str) -> None:
        """An action began, or ended (then empty)."""
        self._caption = caption
        self._wake()

    def hear_text(self, text: str) -> None:
        """The model said something more."""
        if self._is_elsewhere:
            return
        if self._heard.void:
            self._heard = Heard()
        self._heard.text += self._heard.inert.feed(text)
        if self._stream is None:
            self._begins.set()
        self._wake()

    def hear_void(self) -> None:
        """What was said since the step began does not count; it stays on the screen until something replaces it."""
        self._heard.void = True
        self._wake()

    async def settle(self) -> None:
        """Stop writing, and end the stream: the answer takes the slot over."""
        await self._stop()
        async with self._lock:
            stream, self._stream = self._stream, None
            self._earlier, self._heard = None, Heard()
            if stream:
                await stream.end()

    async def look(self, place: Place, to: Destination) -> None:
        """Find what may have been begun and not written down: here, and where the content may not be any more.

        Another process that served the thread may have begun a stream and died. Once looked for, it is only looked for
        again where another one served it since.
        """
        if not (self._is_owed_look or (place.has_begun and self._may_be_of_others(place))):
            return
        thread = self._context.destinations.thread(place)
        if thread != to:
            await self._context.orphans.clear(place, thread)
        await self._context.orphans.adopt(place, to)
        self._clean_since, self._is_owed_look = place.epoch, False

    def _may_be_of_others(self, place: Place) -> bool:
        return self._clean_since is None or not self._context.served.alone(place, since=self._clean_since)

    async def finish(self, place: Place) -> None:
        """Show the state that the run is in, after its answer stands; what Slack does not take now is shown later."""
        self._state, self._caption = place.state, ""
        async with self._lock:
            await self._try(self._statuses.show(place, place.state, ""))
        if self._statuses.waits:
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
            task.cancel()  # also when the caller ran out of time: the task must not outlive the store
            await asyncio.gather(task, return_exceptions=True)

    def _leave_behind(self) -> None:
        """What was said so far stands above what comes now."""
        if self._earlier is None:
            self._heard.close()
            self._earlier, self._heard = self._heard, Heard()

    def _wake(self) -> None:
        if self._is_elsewhere:
            return
        self._news.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work(), name=f"slack-update-{self.run_id}")

    async def _work(self) -> None:
        """Rounds while the run works; best effort, so what fails is logged and the next round tries again."""
        while not self._is_elsewhere and self._has_work():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._next_refresh()):
                    await self._news.wait()
            await self._context.priorities.turn(Priority.REST)
            self._news.clear()
            self._begins.clear()
            async with self._lock:
                wait = await self._round()
            await self._rest(wait)

    def _has_work(self) -> bool:
        return self._news.is_set() or self._works or self._statuses.waits or self.agents.waits

    def _next_refresh(self) -> float | None:
        """The seconds until there is something to do, also without news."""
        due = [self._statuses.next_refresh(), self.agents.next_refresh()]
        return min((seconds for seconds in due if seconds is not None), default=None)

    async def _rest(self, seconds: float) -> None:
        """Until the next round may begin. The first words of an answer begin it, unless Slack asked for a pause."""
        if self._is_held_up:
            await asyncio.sleep(seconds)
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._begins.wait()

    async def _round(self) -> float:
        """Write what is new; the seconds until the next round may begin."""
        self._is_held_up = False
        text, caption = self._heard.shown, self._caption
        try:
            # read after the text was taken: the place is at least as private as everything in that text
            place = await self._context.queries.place(self.run_id)
            if not place.is_in_slack:
                self._is_elsewhere, self._state = True, place.state
                return self._context.timings.pause
            if not place.root_ts:  # the message that everything stands below is on its way
                self._news.set()
                self._is_held_up = True
                return _UNROOTED_SECONDS
            self._believe(place.state)
            await self._make_way()
            if self._is_owed_look:
                await self.look(place, await self._context.destinations.content(place))
            if text and place.state.is_live():
                await self._stream_text(place, text)
            await self._try(self._statuses.show(place, self._state, caption))
            await self.agents.refresh()
        except SlackBusy as busy:
            self._news.set()
            self._is_held_up = True
            return busy.seconds
        except (SlackError, LostRace) as error:
            log.warning("slack.update_failed", run=self.run_id, error=str(error))
        except Exception:  # the task's outer edge
            log.exception("slack.update_broke", run=self.run_id)
        return (self._stream.interval if self._stream else self._context.timings.pause) * self._context.slowdown()

    def _believe(self, state: RunState) -> None:
        """Only rows say when a run rests, which other processes may work on; its answer then takes the stream over."""
        if not state.is_live():
            self._stream = None
        if state is not self._state and (state is RunState.AWAITING or not state.is_live()):
            self._state, self._caption = state, ""

    async def _stream_text(self, place: Place, text: str) -> None:
        to = await self._context.destinations.content(place)
        if self._stream and self._stream.destination != to:
            stream, self._stream = self._stream, None
            await stream.remove()
        if self._stream is None:
            await self.look(place, to)
            self._stream = Stream(place=place, to=to, context=self._context)
            self._statuses.outdated()
        stream = self._stream
        try:
            if stream.overwrites(text):
                await self._overwrite(stream, text)
            else:
                await stream.show(text)
        finally:
            if stream.unclear:
                stream.unclear, self._is_owed_look = False, True
                self._news.set()

    async def _overwrite(self, stream: Stream, text: str) -> None:
        """Nothing is begun or changed where the answer stands already, or is about to."""
        async with self._context.orphans.kept_out(stream.destination) as is_held:
            place = await self._context.queries.place(self.run_id)
            if place.state.is_live():
                await stream.show(text, is_held=is_held)

    async def _make_way(self) -> None:
        """A card, or an agent, is the newest thing now: what counts stays above it, what does not goes."""
        earlier, self._earlier = self._earlier, None
        if earlier is None or self._stream is None:
            return
        stream, self._stream = self._stream, None
        if earlier.void or not earlier.text:
            await stream.remove()
        else:
            await stream.show(earlier.text)
            await stream.keep()

    async def _try(self, call: Coroutine[object, object, object]) -> None:
        try:
            await call
        except SlackError as error:
            log.warning("slack.update_failed", run=self.run_id, error=str(error))
