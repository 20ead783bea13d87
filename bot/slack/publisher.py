"""Everything that a run shows in Slack is written here: from rows when it must arrive, from the bus while it works.

Implements `runtime.ports.Surface`. Content goes where it may be seen, decided from rows at every write: what is private
reaches its owner's direct messages only, and a channel's thread gets lines without content.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable
from datetime import datetime
from types import TracebackType

import structlog

from bot.domain.actions import ActionState
from bot.domain.deliveries import Delivery, DeliveryKind
from bot.domain.events import ActionMoved, Event, RunMoved, TextStreamed, TextVoided
from bot.runtime.bus import Bus
from bot.runtime.ports import DeliveryFailed
from bot.runtime.posts import PostBook
from bot.runtime.queries import Place, Queries
from bot.slack import ids
from bot.slack.errors import SlackBusy, SlackError, SlackRefused
from bot.slack.feeds import Feed, Tools
from bot.slack.postings import Postings, Spot
from bot.slack.rooms import Rooms
from bot.slack.views import answer, card, notice, refusal, stub
from bot.slack.views.blocks import Outgoing
from bot.slack.web import SlackWeb
from integrations.base import Clock

log = structlog.get_logger()

SOON_SECONDS = 3.0
"""When a delivery whose outcome is not known is tried again."""

APPENDS_PER_SECOND = 1.6
"""chat.appendStream: 100 a minute over all streams (docs.slack.dev, "Rate limits", tier 4)."""


class Publisher:
    """The surface. Between `async with` and its end it follows the bus; `deliver` works at any time."""

    def __init__(
        self,
        *,
        web: SlackWeb,
        queries: Queries,
        posts: PostBook,
        bus: Bus,
        clock: Clock,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queries = queries
        self._bus = bus
        self._clock = clock
        self._postings = Postings(web=web, book=posts)
        self._rooms = Rooms(web=web, postings=self._postings)
        self._tools = Tools(
            web=web,
            queries=queries,
            book=posts,
            postings=self._postings,
            rooms=self._rooms,
            pace=self._pace,
            monotonic=monotonic,
        )
        self._feeds: dict[str, Feed] = {}
        self._born: datetime = clock.now()
        self._queue: asyncio.Queue[Event] | None = None
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Publisher:
        """Follow the bus."""
        self._born = self._clock.now()
        self._queue = await self._stack.enter_async_context(self._bus.subscribe())
        task = asyncio.create_task(self._follow(self._queue), name="slack-publisher")
        self._stack.push_async_callback(self._end, task)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def deliver(self, delivery: Delivery) -> None:
        """Show the subject as its rows are now. Raises `DeliveryFailed`, with the seconds after which it may work."""
        try:
            await self._deliver(delivery)
        except SlackBusy as busy:
            raise DeliveryFailed(str(busy), retry_after=busy.seconds) from busy
        except SlackRefused as refused:
            raise DeliveryFailed(str(refused), retry_after=SOON_SECONDS if refused.may_heal else None) from refused
        except SlackError as unclear:
            raise DeliveryFailed(str(unclear), retry_after=SOON_SECONDS) from unclear

    async def _deliver(self, delivery: Delivery) -> None:
        match delivery.kind:
            case DeliveryKind.CARD:
                await self._card(delivery)
            case DeliveryKind.ANSWER:
                await self._answer(delivery)
            case DeliveryKind.STUB:
                await self._stub(await self._queries.place(delivery.subject), delivery)
            case DeliveryKind.NOTICE:
                await self._notice(delivery)
            case DeliveryKind.REFUSAL:
                await self._refusal(delivery)

    async def _card(self, delivery: Delivery) -> None:
        view = await self._queries.card(delivery.subject)
        if view is None:
            return
        slot, message = ids.card_slot(view.question_id), card.card(view)
        async with self._honest(view.place):
            spot = await self._rooms.content(view.place, private=view.card_private)
            await self._show(delivery, view.place, slot, spot, message)

    async def _answer(self, delivery: Delivery) -> None:
        self._drain()
        feed = self._feeds.pop(delivery.subject, None) or Feed(run_id=delivery.subject, tools=self._tools)
        await feed.settle()
        view = await self._queries.answer(delivery.subject)
        async with self._honest(view.place):
            spot = await self._rooms.content(view.place)
            for part, message in enumerate(answer.answer(view)):
                await self._show(delivery, view.place, ids.answer_slot(part), spot, message)
        if view.place.elsewhere:
            await self._stub(view.place, delivery)
        await feed.finish(view.place)
        self._feeds.setdefault(delivery.subject, feed)

    async def _stub(self, place: Place, delivery: Delivery) -> None:
        async with self._honest(place):
            await self._show(delivery, place, ids.STUB, self._rooms.thread(place), stub.stub(place))

    async def _notice(self, delivery: Delivery) -> None:
        view = await self._queries.notice(delivery.subject)
        slot, message = ids.notice_slot(view.action.action_id), notice.notice(view)
        async with self._honest(view.place):
            await self._show(delivery, view.place, slot, await self._rooms.content(view.place), message)

    async def _refusal(self, delivery: Delivery) -> None:
        view = await self._queries.refusal(delivery.subject)
        spot, message = Spot(view.channel, view.root_ts), refusal.refusal(view.text)
        await self._postings.say(delivery.subject, spot, message, in_doubt=self._in_doubt(delivery))

    async def _show(self, delivery: Delivery, place: Place, slot: str, spot: Spot, message: Outgoing) -> None:
        """In this slot; in the owner's DM when the request, and its thread with it, was deleted meanwhile."""
        in_doubt = self._in_doubt(delivery)
        try:
            await self._postings.put(place.run_id, slot, spot, message, in_doubt=in_doubt)
        except SlackRefused as refused:
            if refused.code != "thread_not_found":
                raise
            direct = await self._rooms.direct(place)
            await self._postings.put(place.run_id, slot, direct, message, in_doubt=in_doubt)

    @contextlib.asynccontextmanager
    async def _honest(self, place: Place) -> AsyncGenerator[None]:
        """When Slack does not let us post there and never will, the owner is told in his direct messages."""
        try:
            yield
        except SlackRefused as refused:
            if not refused.may_heal:
                with contextlib.suppress(SlackError):
                    spot = await self._rooms.direct(place)
                    await self._postings.put(place.run_id, "undeliverable", spot, stub.undeliverable(place))
            raise

    def _in_doubt(self, delivery: Delivery) -> bool:
        """Whether an earlier attempt, or an earlier process, may have posted without writing it down."""
        return delivery.attempts > 0 or delivery.created_at < self._born

    async def _follow(self, queue: asyncio.Queue[Event]) -> None:
        while True:
            self._hear(await queue.get())

    def _drain(self) -> None:
        """Hear what was published until now, so that nothing old is heard after an answer."""
        while self._queue and not self._queue.empty():
            self._hear(self._queue.get_nowait())

    def _hear(self, event: Event) -> None:
        match event:
            case RunMoved(run_id=run_id, state=state):
                self._feed(run_id).hear_state(state)
            case TextStreamed(run_id=run_id, text=text):
                self._feed(run_id).hear_text(text)
            case TextVoided(run_id=run_id):
                self._feed(run_id).hear_void()
            case ActionMoved(run_id=run_id, state=state, caption=caption):
                self._feed(run_id).hear_caption(caption if state == ActionState.EXECUTING.value else "")
            case _:
                pass

    def _feed(self, run_id: str) -> Feed:
        if run_id not in self._feeds:
            self._feeds = {known: feed for known, feed in self._feeds.items() if not feed.idle}
            self._feeds[run_id] = Feed(run_id=run_id, tools=self._tools)
        return self._feeds[run_id]

    def _pace(self) -> float:
        """How much slower than alone each stream goes, so that all together keep within Slack's limit."""
        return max(1.0, sum(feed.streams for feed in self._feeds.values()) / APPENDS_PER_SECOND)

    async def _end(self, task: asyncio.Task[None]) -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.gather(*(feed.close() for feed in self._feeds.values()))
