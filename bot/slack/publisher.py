"""Everything that a run shows in Slack is written here: from rows when it must arrive, from the bus while it works.

Implements `runtime.ports.Surface`. Content goes where it may be seen, decided from rows at every write: what is private
reaches its owner's direct messages only, and a channel's thread gets lines without content.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType

import structlog

from bot.domain.actions import ActionState
from bot.domain.deliveries import Delivery, DeliveryKind, Post, card_slot, said_slot
from bot.domain.events import ActionMoved, Event, HomeChanged, RunMoved, TextStreamed, TextVoided
from bot.domain.questions import QuestionKind, QuestionState
from bot.domain.runs import RunState
from bot.runtime.core.event_bus import Bus
from bot.runtime.core.lock import DistributedLock, IsHeld, NullLock
from bot.runtime.core.ports import DeliveryFailed
from bot.runtime.delivery.posts import PostService
from bot.runtime.delivery.queries import Queries
from bot.runtime.delivery.schedule_views import ScheduleViews
from bot.runtime.delivery.views import CardView, Place
from bot.slack import ids
from bot.slack.errors import SlackBusy, SlackError, SlackRefused
from bot.slack.feeds import Feed, Tools
from bot.slack.postings import Postings, Spot
from bot.slack.rooms import Rooms
from bot.slack.strays import Strays
from bot.slack.views import (
    answer,
    briefing,
    card,
    connect,
    held,
    inquiry,
    loss,
    notice,
    opening,
    refusal,
    reminder,
    stub,
)
from bot.slack.views.blocks import Outgoing
from bot.slack.web import SlackWeb

log = structlog.get_logger()

SOON_SECONDS = 3.0
"""When a delivery whose outcome is not known is tried again."""

GRACE_SECONDS = 1.0
"""How long streams may take to end when the process does; the answer, from its row, takes over what is left of them."""

THREAD_GONE = "thread_not_found"

APPENDS_PER_SECOND = 1.6
"""chat.appendStream: 100 a minute over all streams (docs.slack.dev, "Rate limits", tier 4)."""


class Publisher:
    """The surface. Between `async with` and its end it follows the bus; `deliver` works at any time, and sends only
    while relaying is `ours`.
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
        lock: DistributedLock | None = None,
        is_held: IsHeld = lambda: True,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._web = web
        self._queries = queries
        self._timely = timely
        self._posts = posts
        self._bus = bus
        lock = lock or NullLock()
        postings = Postings(web=web, book=posts, lock=lock)
        self._postings = postings.only_while(is_held)
        self._rooms = Rooms(web=web, postings=postings)  # a root is begun for streams as well, by who is alone with it
        self._tools = Tools(
            web=web,
            queries=queries,
            book=posts,
            postings=postings,
            rooms=self._rooms,
            strays=Strays(web=web, book=posts, postings=postings, agent=agent, lock=lock),
            timings=self._pace,
            monotonic=monotonic,
        )
        self._feeds: dict[str, Feed] = {}
        self._queue: asyncio.Queue[Event] | None = None
        self._task: asyncio.Task[None] | None = None
        self._stack = contextlib.AsyncExitStack()

    async def __aenter__(self) -> Publisher:
        """Follow the bus."""
        self._queue = await self._stack.enter_async_context(self._bus.subscribe())
        self._task = asyncio.create_task(self._follow(self._queue), name="slack-publisher")
        self._stack.push_async_callback(self._end, self._task)
        return self

    @property
    def task(self) -> asyncio.Task[None]:
        """What follows the bus; it never ends by itself."""
        assert self._task is not None, "not entered"
        return self._task

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def deliver(self, delivery: Delivery) -> None:
        """Show the subject as its rows are now. Raises `DeliveryFailed`, with the seconds after which it may work, and
        `LostRace` when relaying is not ours any more.
        """
        try:
            await self._deliver(delivery)
        except SlackBusy as busy:
            raise DeliveryFailed(str(busy), retry_after=busy.seconds) from busy
        except SlackRefused as refused:
            heals = refused.may_heal or refused.locks_out
            raise DeliveryFailed(str(refused), retry_after=SOON_SECONDS if heals else None) from refused
        except SlackError as unclear:
            raise DeliveryFailed(str(unclear), retry_after=SOON_SECONDS) from unclear

    async def _deliver(self, delivery: Delivery) -> None:
        ways: Mapping[DeliveryKind, Callable[[Delivery], Awaitable[object]]] = {
            DeliveryKind.CARD: self._card,
            DeliveryKind.ANSWER: self._answer,
            DeliveryKind.HELD: self._held,
            DeliveryKind.RESUMED: self._resumed,
            DeliveryKind.STUB: self._stub_alone,
            DeliveryKind.NOTICE: self._notice,
            DeliveryKind.REFUSAL: self._refusal,
            DeliveryKind.REMINDER: self._reminder,
            DeliveryKind.ALARM: self._alarm,
            DeliveryKind.OPENING: self._opening,
            DeliveryKind.BRIEFING: self._briefing,
            DeliveryKind.CONNECTED: self._connected,
            DeliveryKind.LOSS: self._loss,
        }
        await ways[delivery.kind](delivery)

    async def _card(self, delivery: Delivery) -> None:
        view = await self._queries.card(delivery.subject)
        if view is None or view.quiet:
            return
        spot = await self._rooms.content(view.place, private=view.card_private)
        await self._show(delivery, view.place, card_slot(view.question_id), spot, _card(view, await self._newer(view)))
        if view.older and view.state is QuestionState.OPEN:
            await self._point_on(view.older)
        self._bus.publish(HomeChanged(view.place.team, view.place.user))  # which links to where the card stands

    async def _newer(self, view: CardView) -> str:
        """Where the card stands that took this one's place."""
        with contextlib.suppress(SlackRefused):  # it may have been deleted
            return await self._web.permalink(*view.newer) if view.newer else ""
        return ""

    async def _point_on(self, question_id: str) -> None:
        """Let the card of before lead to the one that stands now."""
        view = await self._queries.card(question_id)
        post = await self._posts.find(view.place.run_id, card_slot(question_id)) if view else None
        if view is None or post is None:
            return
        try:
            await self._postings.change(post, _card(view, await self._newer(view)))
        except SlackRefused as refused:
            if refused.may_heal:
                raise

    async def _answer(self, delivery: Delivery) -> None:
        self._drain()
        feed = self._feeds.pop(delivery.subject, None) or Feed(run_id=delivery.subject, tools=self._tools)
        await feed.settle()
        view = await self._queries.answer(delivery.subject)
        if await self._held(delivery) and view.place.state not in {RunState.PAUSED, RunState.FAILED}:
            await feed.finish(view.place)
            self._feeds.setdefault(delivery.subject, feed)
            return
        spot = await self._rooms.content(view.place)
        await feed.look(view.place, spot)
        async with self._tools.strays.kept_out(spot):  # another process may still stream it
            for part, message in enumerate(answer.answer(view)):
                await self._show(delivery, view.place, ids.answer_slot(part), spot, message)
        await self._point_elsewhere(delivery, view.place)
        await feed.finish(view.place)
        self._feeds.setdefault(delivery.subject, feed)

    async def _held(self, delivery: Delivery) -> bool:
        """What waits for its moment, and in its place what came of it; False for a run that never waited."""
        view = await self._queries.held(delivery.subject)
        if view is None:
            return False
        spot = await self._rooms.content(view.place, private=view.preview.private)
        await self._show(delivery, view.place, ids.HELD, spot, held.held(view))
        return True

    async def _resumed(self, delivery: Delivery) -> None:
        view = await self._queries.resumed(delivery.subject)
        post = Post(run_id=view.place.run_id, slot=said_slot(view.ts), channel=view.channel, ts=view.ts)
        await self._postings.change(post, answer.resumed(view))

    async def _point_elsewhere(self, delivery: Delivery, place: Place) -> None:
        """The stub, beside an answer that stands: a channel that takes no stub does not make the answer a loss."""
        try:
            await self._stub(delivery, place)
        except SlackRefused as refused:
            if refused.may_heal:
                raise
            log.warning("slack.stub_refused", run=place.run_id, error=refused.code)

    async def _stub_alone(self, delivery: Delivery) -> None:
        await self._stub(delivery, await self._queries.place(delivery.subject))

    async def _stub(self, delivery: Delivery, place: Place) -> None:
        """One line per run in a channel's thread, as the run is now; it goes where the answer itself stands there."""
        message = stub.stub(place)
        if message is None:
            await self._recover(delivery, place, ids.STUB, self._rooms.thread(place))
            await self._postings.clear(place.run_id, ids.STUB)
            return
        try:
            await self._put(delivery, place, ids.STUB, self._rooms.thread(place), message)
        except SlackRefused as refused:
            if refused.code != THREAD_GONE:  # then nobody is left to be pointed anywhere
                raise

    async def _notice(self, delivery: Delivery) -> None:
        view = await self._queries.notice(delivery.subject)
        slot, spot = ids.notice_slot(view.action.action_id), await self._rooms.content(view.place)
        await self._show(delivery, view.place, slot, spot, notice.notice(view))

    async def _refusal(self, delivery: Delivery) -> None:
        view = await self._queries.refusal(delivery.subject)
        spot, message = Spot(view.channel, view.root_ts), refusal.refusal(view.text)
        await self._postings.say(delivery.subject, spot, message, since=view.request_ts, in_doubt=delivery.in_doubt)

    async def _reminder(self, delivery: Delivery) -> None:
        """In the owner's DM, though the card may stand elsewhere; nothing stands there once it was decided."""
        view = await self._timely.reminder(delivery.subject)
        if view is None:
            return
        spot, slot = await self._rooms.direct(view.place.team, view.place.user), ids.reminder_slot(view.question_id)
        if view.needs_none:
            await self._recover(delivery, view.place, slot, spot)
            await self._postings.clear(view.place.run_id, slot)
            return
        link = ""
        with contextlib.suppress(SlackRefused):  # the card may have been deleted
            link = await self._web.permalink(*view.card) if view.card else ""
        await self._put(delivery, view.place, slot, spot, reminder.reminder(view, link))

    async def _alarm(self, delivery: Delivery) -> None:
        view = await self._timely.alarm(delivery.subject)
        if view is None:
            return
        spot, mark = await self._rooms.direct(view.team, view.user), ids.alarm_mark(delivery.id)
        await self._postings.say(mark, spot, reminder.alarm(view), since=view.since, in_doubt=delivery.in_doubt)

    async def _briefing(self, delivery: Delivery) -> None:
        """In the owner's DM; once it stands, replies to it are known by where they stand."""
        view = await self._timely.briefing(delivery.subject)
        if view is None:
            return
        spot, mark = await self._rooms.direct(view.team, view.user), ids.briefing_mark(delivery.subject)
        shown = briefing.briefing(view.briefing, owner=view.user)
        ts = await self._postings.say(mark, spot, shown, since=view.since, in_doubt=delivery.in_doubt)
        await self._posts.briefing(delivery.subject, spot.channel, ts)

    async def _opening(self, delivery: Delivery) -> None:
        """Once it stands, everything else of the run goes below it."""
        view = await self._timely.opening(delivery.subject)
        run_id, spot, shown = view.place.run_id, Spot(view.place.channel), opening.opening(view)
        post = await self._postings.put(run_id, ids.OPENING, spot, shown, since=view.since, in_doubt=delivery.in_doubt)
        await self._posts.root(run_id, post)

    async def _connected(self, delivery: Delivery) -> None:
        view = await self._queries.connected(delivery.subject)
        if view is None:
            return
        spot, mark = await self._rooms.direct(view.team, view.reader), ids.connected_mark(delivery.subject)
        shown = connect.connected(view)
        await self._postings.say(mark, spot, shown, since=view.since, in_doubt=delivery.in_doubt)

    async def _loss(self, delivery: Delivery) -> None:
        view = await self._queries.loss(delivery.subject)
        spot, slot = await self._rooms.direct(view.team, view.user), ids.loss_slot(view.kind)
        await self._postings.put(
            view.reference, slot, spot, loss.loss(view), since=view.request_ts, in_doubt=delivery.in_doubt
        )

    async def _show(self, delivery: Delivery, place: Place, slot: str, spot: Spot, message: Outgoing) -> None:
        """In this slot; in the owner's DM when the request, and its thread with it, was deleted meanwhile."""
        try:
            await self._put(delivery, place, slot, spot, message)
        except SlackRefused as refused:
            if refused.code != THREAD_GONE:
                raise
            await self._put(delivery, place, slot, await self._rooms.direct(place.team, place.user), message)

    async def _put(self, delivery: Delivery, place: Place, slot: str, spot: Spot, message: Outgoing) -> None:
        since, in_doubt = place.request_ts, delivery.in_doubt
        await self._postings.put(place.run_id, slot, spot, message, since=since, in_doubt=in_doubt)

    async def _recover(self, delivery: Delivery, place: Place, slot: str, spot: Spot) -> None:
        """Write down what an earlier attempt may have posted, though nothing is to be posted any more."""
        if delivery.in_doubt:
            await self._postings.recover(place.run_id, slot, spot, since=place.request_ts)

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
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE_SECONDS):
                for left in await asyncio.gather(
                    *(feed.close() for feed in self._feeds.values()), return_exceptions=True
                ):
                    if left is not None:
                        log.error("slack.feed_not_closed", exc_info=left)


def _card(view: CardView, newer: str) -> Outgoing:
    """`newer` is the address of the card that took its place."""
    match view.kind:
        case QuestionKind.ANSWER:
            return inquiry.inquiry(view)
        case QuestionKind.CONNECT:
            return connect.card(view)
        case _:
            return card.card(view, newer)
