"""Everything that a run shows in Slack goes through here: from rows when it must arrive, from the bus while it works.

Implements `bot.runtime.core.ports.Display`.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

import structlog

from bot.domain.actions import ActionState
from bot.domain.deliveries import Delivery, DeliveryKind
from bot.domain.events import (
    ActionMoved,
    Event,
    RunMoved,
    TextStreamed,
    TextVoided,
    ThoughtStreamed,
    ThreadServed,
)
from bot.domain.runs import RunState
from bot.runtime.core.event_bus import Bus, BusFollower
from bot.runtime.core.lock import DistributedLock, IsHeld, NullLock
from bot.runtime.core.ports import DeliveryFailed
from bot.runtime.core.priority import Priorities
from bot.runtime.delivery.posts import PostService
from bot.runtime.delivery.queries import Queries
from bot.runtime.delivery.schedule_views import ScheduleViews
from bot.slack.connection.errors import SlackBusy, SlackError, SlackRefused
from bot.slack.connection.web import SlackWeb
from bot.slack.outbound.agents import AgentsMessage
from bot.slack.outbound.deliveries import THREAD_GONE, Deliveries, Redact
from bot.slack.outbound.files import SharedFiles
from bot.slack.outbound.live_updates import LiveUpdate, LiveUpdateContext
from bot.slack.outbound.messages import Destinations, RunMessages
from bot.slack.outbound.served import ServedThreads
from bot.slack.outbound.streams import OrphanStreams, StreamTimings

log = structlog.get_logger()

SOON_SECONDS = 3.0  # until a delivery whose outcome is not known is tried again
GRACE_SECONDS = 1.0  # for streams to end when the process does; the answer, from its row, takes over what is left
APPENDS_PER_SECOND = 1.6  # chat.appendStream: 100 a minute over all streams (docs.slack.dev, "Rate limits", tier 4)


class Publisher(BusFollower):
    """The surface. Between `async with` and its end it follows the bus; `deliver` works at any time, and sends only
    while relaying `is_held` by this process.
    """

    def __init__(
        self,
        *,
        web: SlackWeb,
        queries: Queries,
        timely: ScheduleViews,
        posts: PostService,
        bus: Bus,
        agent: str,
        redact: Redact,
        application: str = "an application",
        lock: DistributedLock | None = None,
        is_held: IsHeld = lambda: True,
        timings: StreamTimings | None = None,
        priorities: Priorities | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        lock = lock or NullLock()
        messages = RunMessages(web=web, book=posts, lock=lock)
        destinations = Destinations(
            web=web, messages=messages, application=application
        )  # a root is begun by streams too, which do not relay
        super().__init__(bus=bus, name="slack-publisher")
        self._relayed = messages.only_while(is_held)
        self._deliveries = Deliveries(
            web=web,
            queries=queries,
            timely=timely,
            posts=posts,
            bus=bus,
            messages=self._relayed,
            files=SharedFiles(web=web, book=posts, author=agent, is_held=is_held),
            destinations=destinations,
            redact=redact,
        )
        self._context = LiveUpdateContext(
            web=web,
            queries=queries,
            served=ServedThreads(),
            posts=posts,
            messages=messages,
            destinations=destinations,
            orphans=OrphanStreams(web=web, book=posts, messages=messages, agent=agent, lock=lock),
            lock=lock,
            slowdown=self._slowdown,
            priorities=priorities or Priorities(),
            timings=timings or StreamTimings(),
            monotonic=monotonic,
        )
        self._updates: dict[str, LiveUpdate] = {}

    async def deliver(self, delivery: Delivery) -> None:
        """Show the subject as its rows are now. Raises `DeliveryFailed`, with the seconds after which it may work, and
        `LostRace` when another process relays by now.
        """
        try:
            match delivery.kind:
                case DeliveryKind.ANSWER:
                    await self._answer(delivery)
                case DeliveryKind.AGENTS:
                    await self._agents(delivery)
                case _:
                    await self._deliveries.show(delivery)
        except SlackBusy as busy:
            raise DeliveryFailed(str(busy), retry_after=busy.seconds) from busy
        except SlackRefused as refused:
            heals = refused.may_heal or refused.locks_out
            raise DeliveryFailed(str(refused), retry_after=SOON_SECONDS if heals else None) from refused
        except SlackError as unclear:
            raise DeliveryFailed(str(unclear), retry_after=SOON_SECONDS) from unclear

    async def _answer(self, delivery: Delivery) -> None:
        """The answer takes over what was streamed of it, and nothing heard before is shown after it."""
        while self._queue and not self._queue.empty():
            self._hear(self._queue.get_nowait())
        update = self._updates.pop(delivery.subject, None) or LiveUpdate(run_id=delivery.subject, context=self._context)
        await update.settle()
        view = await self._context.queries.answer(delivery.subject)
        deferred = await self._deliveries.held(delivery)
        if not deferred and not view.place.is_in_slack:  # people who asked over HTTP are answered there
            return
        if not deferred or view.place.state in {RunState.PAUSED, RunState.FAILED}:
            to = await self._context.destinations.content(view.place)
            await update.look(view.place, to)
            async with self._context.orphans.kept_out(to):  # another process may still stream it
                await self._deliveries.answer(delivery, view, to)
            await self._deliveries.point_elsewhere(delivery, view.place)
        await update.finish(view.place)
        self._updates.setdefault(delivery.subject, update)

    async def _agents(self, delivery: Delivery) -> None:
        """The message about agents, with what is heard of them here."""
        update = self._updates.get(delivery.subject)
        message = update.agents if update else AgentsMessage(run_id=delivery.subject, context=self._context)
        try:
            await message.show(self._relayed, in_doubt=delivery.in_doubt)
        except SlackRefused as refused:
            if refused.code != THREAD_GONE:  # then nobody is left to be shown anything
                raise

    async def _follow(self, queue: asyncio.Queue[Event]) -> None:
        while True:
            self._hear(await queue.get())

    def _hear(self, event: Event) -> None:
        """What a run says or does that works for another one is heard by that."""
        match event:
            case ActionMoved(run_id=run_id, state=state, caption=caption, root=root):
                self._update(root or run_id).hear_caption(caption if state == ActionState.EXECUTING.value else "")
                if root:
                    self._update(root).hear_agent(run_id)
            case RunMoved(root=str(root)) | TextVoided(root=str(root)) | ThoughtStreamed(root=str(root)):
                self._hear_agent(event, self._update(root))
            case RunMoved(run_id=run_id, state=state, begun_in=begun_in):
                self._update(run_id).hear_state(state, begun_in=begun_in)
            case TextStreamed(run_id=run_id, text=text, root=None):
                self._update(run_id).hear_text(text)
            case TextVoided(run_id=run_id):
                self._update(run_id).hear_void()
            case ThreadServed(thread_id=thread_id, epoch=epoch):
                self._context.served.hear(thread_id, epoch)
            case _:
                pass

    def _hear_agent(self, event: RunMoved | TextVoided | ThoughtStreamed, request: LiveUpdate) -> None:
        match event:
            case RunMoved(run_id=run_id, state=state):
                request.hear_agent(run_id, state)
            case TextVoided(run_id=run_id):
                request.hear_agent(run_id)
            case ThoughtStreamed(run_id=run_id, text=text):
                request.hear_thought(run_id, text)

    def _update(self, run_id: str) -> LiveUpdate:
        if run_id not in self._updates:
            self._updates = {known: update for known, update in self._updates.items() if not update.idle}
            self._updates[run_id] = LiveUpdate(run_id=run_id, context=self._context)
        return self._updates[run_id]

    def _slowdown(self) -> float:
        """How much slower than alone each stream goes, so that all together keep within Slack's limit."""
        return max(1.0, sum(update.writes for update in self._updates.values()) / APPENDS_PER_SECOND)

    async def _end(self, task: asyncio.Task[None]) -> None:
        await super()._end(task)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE_SECONDS):
                for left in await asyncio.gather(
                    *(update.close() for update in self._updates.values()), return_exceptions=True
                ):
                    if left is not None:
                        log.error("slack.update_not_closed", exc_info=left)
