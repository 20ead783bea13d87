"""What must arrive: every kind of delivery, shown from its rows as they are now.

Content goes where it may be seen, decided from rows at every write: what is private reaches its owner's direct messages
only, and a channel's thread gets lines without content.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, replace

import structlog

from bot.domain.connections import window_of
from bot.domain.deliveries import (
    ANSWER,
    HELD,
    OPENING,
    Delivery,
    DeliveryKind,
    LinkEnd,
    Place,
    Post,
    RefusalReason,
    RefusalSubject,
    card_slot,
    log_slot,
    reader_slot,
    reminder_slot,
    said_slot,
)
from bot.domain.events import HomeChanged
from bot.domain.questions import QuestionKind, QuestionState
from bot.redaction import as_json
from bot.runtime.core.event_bus import Bus
from bot.runtime.delivery.card import as_read_by
from bot.runtime.delivery.plans import LogView
from bot.runtime.delivery.posts import PostService
from bot.runtime.delivery.queries import Queries
from bot.runtime.delivery.schedule_views import ScheduleViews
from bot.runtime.delivery.views import AnswerView, CardView, ReminderView
from bot.slack.connection.errors import SlackRefused
from bot.slack.connection.web import SlackWeb
from bot.slack.outbound.files import OutgoingFile, SharedFiles
from bot.slack.outbound.messages import ROOT, Destination, Destinations, RunMessages
from bot.slack.views import answer, briefing, card, connect, deferred, notices, plan, schedule, tool_question
from bot.slack.views.blocks import Outgoing

log = structlog.get_logger()

Redact = Callable[[str], str]
"""Takes secrets out of a text."""

STUB = "stub"
THREAD_GONE = "thread_not_found"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deliveries:
    """Shows deliveries. Raises `SlackError`, and `LostRace` when another process relays by now."""

    web: SlackWeb
    queries: Queries
    timely: ScheduleViews
    posts: PostService
    bus: Bus
    messages: RunMessages
    files: SharedFiles
    destinations: Destinations
    redact: Redact

    async def show(self, delivery: Delivery) -> None:
        """Show any kind but the answer of a run, which it may be streaming still."""
        ways: Mapping[DeliveryKind, Callable[[Delivery], Awaitable[object]]] = {
            DeliveryKind.CARD: self._card,
            DeliveryKind.HELD: self.held,
            DeliveryKind.LOG: self._log,
            DeliveryKind.RESUMED: self._resumed,
            DeliveryKind.STUB: self._stub,
            DeliveryKind.NOTICE: self._notice,
            DeliveryKind.REFUSAL: self._refusal,
            DeliveryKind.REMINDER: self._reminder,
            DeliveryKind.ALARM: self._alarm,
            DeliveryKind.OPENING: self._opening,
            DeliveryKind.BRIEFING: self._briefing,
            DeliveryKind.CONNECTED: self._connected,
            DeliveryKind.LINK: self._link_over,
            DeliveryKind.CHECKPOINT: self._checkpoint,
            DeliveryKind.LOSS: self._loss,
        }
        await ways[delivery.kind](delivery)

    # Of a run ------------------------------------------------------------------------------------------------

    async def _card(self, delivery: Delivery) -> None:
        view = await self.queries.card(delivery.subject)
        if view is None or view.quiet:
            return
        to = await self.destinations.content(view.place, private=view.card_private)
        await self._show(delivery, view.place, card_slot(view.question_id), to, await self._shown(view))
        for reader in view.readers:
            await self._for_reader(delivery, view, reader.user)
        if view.older and view.state is QuestionState.OPEN:
            await self._point_on(view.older)
        self.bus.publish(HomeChanged(view.place.team, view.place.user))  # which links to where the card stands

    async def _for_reader(self, delivery: Delivery, view: CardView, user: str) -> None:
        """In the direct messages of somebody who has to agree."""
        place, slot, theirs = view.place, reader_slot(view.question_id, user), as_read_by(view, user)
        shown = _as_posted_again(theirs, card.card(theirs))
        async with _of_reader(view.question_id):
            await self._put(delivery, place, slot, await self.destinations.direct(place.team, user), shown)
        self.bus.publish(HomeChanged(place.team, user))

    async def _shown(self, view: CardView) -> Outgoing:
        match view.kind:
            case QuestionKind.ANSWER:
                shown = tool_question.tool_question(view)
            case QuestionKind.CONNECT:
                shown = connect.card(view)
            case QuestionKind.PLAN:
                shown = plan.card(view, await self._link(view.newer))
            case _:
                shown = card.card(view, await self._link(view.newer))
        return _as_posted_again(view, shown)

    async def _link(self, message: tuple[str, str] | None) -> str:
        return await self.web.permalink(*message) if message else ""

    async def _point_on(self, question_id: str) -> None:
        """Let the card of before lead to the one that stands now, and those of readers say that it is asked again."""
        view = await self.queries.card(question_id)
        if view is None:
            return
        await self._rewrite(view, card_slot(question_id), await self._shown(view))
        for reader in view.readers:
            await self._rewrite(view, reader_slot(question_id, reader.user), card.card(as_read_by(view, reader.user)))

    async def _rewrite(self, view: CardView, slot: str, shown: Outgoing) -> None:
        post = await self.posts.find(view.place.run_id, slot)
        if post is None:
            return
        try:
            await self.messages.change(post, shown)
        except SlackRefused as refused:
            if refused.may_heal:
                raise

    async def answer(self, delivery: Delivery, view: AnswerView, to: Destination) -> None:
        """The answer, in as many messages as it needs; nothing of it stands where it needs none."""
        messages = answer.answer(view)
        if not messages:
            await self._clear(delivery, view.place, ANSWER, to)
        for part, message in enumerate(messages, start=1):
            await self._show(delivery, view.place, ANSWER if part == 1 else f"{ANSWER}:{part}", to, message)

    async def held(self, delivery: Delivery) -> bool:
        """What waits for its moment, and in its place what came of it: on the card where it was approved, else in a
        message of its own. False for a run that never waited.
        """
        view = await self.queries.held(delivery.subject)
        if view is None:
            return False
        if view.card:
            await self._card(replace(delivery, subject=view.card))
            return True
        to = await self.destinations.content(view.place, private=view.preview.private)
        await self._show(delivery, view.place, HELD, to, deferred.deferred(view))
        return True

    async def _log(self, delivery: Delivery) -> None:
        """A file with everything that was done for a plan. It stands as it is once it is shared."""
        view = await self.queries.log(delivery.subject)
        if view is None:
            return
        place, slot = view.place, log_slot(view.end)
        file = await asyncio.to_thread(_log_file, view, self.redact)  # a long one takes a while
        to = await self.destinations.content(place, private=view.private)
        try:
            await self._share(delivery, place, slot, to, file)
        except SlackRefused as refused:
            if refused.code != THREAD_GONE:
                raise
            await self._share(delivery, place, slot, await self.destinations.direct(place.team, place.user), file)

    async def _share(self, delivery: Delivery, place: Place, slot: str, to: Destination, file: OutgoingFile) -> None:
        since, in_doubt = place.request_ts, delivery.in_doubt
        await self.files.once(place.run_id, slot, to, file, since=since, in_doubt=in_doubt)

    async def _resumed(self, delivery: Delivery) -> None:
        view = await self.queries.resumed(delivery.subject)
        post = Post(run_id=view.place.run_id, slot=said_slot(view.ts), channel=view.channel, ts=view.ts)
        await self.messages.change(post, answer.resumed(view))

    async def point_elsewhere(self, delivery: Delivery, place: Place) -> None:
        """The stub, beside an answer that stands: a channel that takes no stub does not make the answer a loss."""
        try:
            await self._stub(delivery, place)
        except SlackRefused as refused:
            if refused.may_heal:
                raise
            log.warning("slack.stub_refused", run=place.run_id, error=refused.code)

    async def _stub(self, delivery: Delivery, place: Place | None = None) -> None:
        """One line per run in a channel's thread, as the run is now; it goes where the answer itself stands there."""
        place = place or await self.queries.place(delivery.subject)
        if not place.is_in_slack:  # there is nobody to be pointed to the direct messages
            return
        thread = self.destinations.thread(place)
        if not notices.needs_stub(place):
            await self._clear(delivery, place, STUB, thread)
            return
        root = await self.posts.find(place.run_id, ROOT)
        message = notices.private_stub(place, await self._link((root.channel, root.ts) if root else None))
        try:
            await self._put(delivery, place, STUB, thread, message)
        except SlackRefused as refused:
            if refused.code != THREAD_GONE:  # then nobody is left to be pointed anywhere
                raise

    async def _notice(self, delivery: Delivery) -> None:
        view = await self.queries.notice(delivery.subject)
        to = await self.destinations.content(view.place)
        await self._show(delivery, view.place, f"notice:{view.action.action_id}", to, notices.notice(view))

    async def _reminder(self, delivery: Delivery) -> None:
        """In the DM of the person it waits for, though the card may stand elsewhere; nothing stands there once it was
        decided, or went on to somebody else.
        """
        view = await self.timely.reminder(delivery.subject)
        if view is None:
            return
        async with _of_reader(view.question_id) if view.reader else nullcontext():
            await self._remind(delivery, view)

    async def _remind(self, delivery: Delivery, view: ReminderView) -> None:
        place, slot = view.place, reminder_slot(view.question_id, view.reader)
        to = await self.destinations.direct(place.team, view.reader or place.user)
        if view.needs_none:
            await self._clear(delivery, place, slot, to)
        else:
            await self._put(delivery, place, slot, to, notices.reminder(view, await self._link(view.card)))

    async def _opening(self, delivery: Delivery) -> None:
        """Once it stands, everything else of the run goes below it."""
        view = await self.timely.opening(delivery.subject)
        link = await self._link((view.about.channel, view.about.ts) if view.about else None)
        place, shown = view.place, notices.opening(view, link)
        run_id = place.run_id
        to = Destination(place.channel) if place.channel else await self.destinations.direct(place.team, place.user)
        post = await self.messages.put(run_id, OPENING, to, shown, since=view.since, in_doubt=delivery.in_doubt)
        await self.posts.root(run_id, post)

    async def _show(self, delivery: Delivery, place: Place, slot: str, to: Destination, message: Outgoing) -> None:
        """In this slot; in the owner's DM when the request, and its thread with it, was deleted meanwhile."""
        try:
            await self._put(delivery, place, slot, to, message)
        except SlackRefused as refused:
            if refused.code != THREAD_GONE:
                raise
            await self._put(delivery, place, slot, await self.destinations.direct(place.team, place.user), message)

    async def _put(self, delivery: Delivery, place: Place, slot: str, to: Destination, message: Outgoing) -> None:
        since, in_doubt = place.request_ts, delivery.in_doubt
        await self.messages.put(place.run_id, slot, to, message, since=since, in_doubt=in_doubt)

    async def _clear(self, delivery: Delivery, place: Place, slot: str, to: Destination) -> None:
        """Nothing is to stand in this slot, also of what an earlier attempt may have posted without a row."""
        if delivery.in_doubt:
            await self.messages.recover(place.run_id, slot, to, since=place.request_ts)
        await self.messages.clear(place.run_id, slot)

    # To a person ---------------------------------------------------------------------------------------------

    async def _refusal(self, delivery: Delivery) -> None:
        if RefusalSubject.parse(delivery.subject).why is RefusalReason.OFFERED:
            await self._offer(delivery)
            return
        view = await self.queries.refusal(delivery.subject)
        to = Destination(view.channel, view.root_ts)
        await self._say(delivery, delivery.subject, to, notices.refusal(view.text), view.request_ts)

    async def _offer(self, delivery: Delivery) -> None:
        """In the person's DM, wherever they had said it; nothing where nothing is left to offer."""
        view = await self.queries.offer(delivery.subject)
        if view is not None:
            to = await self.destinations.direct(view.team, view.user)
            await self._say(delivery, delivery.subject, to, notices.offer(view), view.since)

    async def _alarm(self, delivery: Delivery) -> None:
        view = await self.timely.alarm(delivery.subject)
        if view is not None:
            to = await self.destinations.direct(view.team, view.user)
            await self._say(delivery, f"alarm/{delivery.id}", to, schedule.alarm(view), view.since)

    async def _briefing(self, delivery: Delivery) -> None:
        """In the owner's DM; once it stands, replies to it are known by where they stand."""
        view = await self.timely.briefing(delivery.subject)
        if view is None:
            return
        to = await self.destinations.direct(view.team, view.user)
        message = briefing.briefing(view.briefing, owner=view.user)
        ts = await self._say(delivery, f"briefing/{delivery.subject}", to, message, view.since)
        await self.posts.briefing(delivery.subject, to.channel, ts)

    async def _connected(self, delivery: Delivery) -> None:
        view = await self.queries.connected(delivery.subject)
        if view is not None:
            to = await self.destinations.direct(view.team, view.reader)
            await self._say(delivery, f"connected/{delivery.subject}", to, connect.connected(view), view.since)

    async def _link_over(self, delivery: Delivery) -> None:
        """In the window with the link, if it is still open: whoever pressed Connect waits in front of it. A link that a
        command answered with has none.
        """
        email = await self.queries.connected_email(delivery.subject)
        end = LinkEnd.parse(delivery.subject)
        try:
            await self.web.update_view(connect.over_modal(end, email), external_id=window_of(end.attempt_id))
        except SlackRefused as refused:
            if refused.may_heal or refused.locks_out:
                raise
            log.warning("slack.window_refused", connect=end.attempt_id, error=refused.code)

    async def _checkpoint(self, delivery: Delivery) -> None:
        """In the channel that is named for it; it is never changed."""
        view = await self.queries.checkpoint(delivery.subject)
        if view is not None:
            mark, to = f"checkpoint/{view.team}/{view.seq}", Destination(view.channel)
            await self._say(delivery, mark, to, notices.checkpoint(view), view.since)

    async def _loss(self, delivery: Delivery) -> None:
        view = await self.queries.loss(delivery.subject)
        to, slot = await self.destinations.direct(view.team, view.user), f"loss:{view.kind.value}"
        since, in_doubt = view.request_ts, delivery.in_doubt
        await self.messages.put(view.reference, slot, to, notices.lost(view), since=since, in_doubt=in_doubt)

    async def _say(self, delivery: Delivery, mark: str, to: Destination, message: Outgoing, since: str) -> str:
        return await self.messages.say(mark, to, message, since=since, in_doubt=delivery.in_doubt)


def _as_posted_again(view: CardView, shown: Outgoing) -> Outgoing:
    """The card, with the word that it was deleted where it still waits."""
    again = view.reposted and view.state is QuestionState.OPEN
    return notices.posted_again(view.shown_to or view.place.user, shown) if again else shown


@asynccontextmanager
async def _of_reader(question_id: str) -> AsyncGenerator[None]:
    """That somebody who has to agree cannot be reached is no loss of its owner's: their turn ends."""
    try:
        yield
    except SlackRefused as refused:
        if refused.may_heal or refused.locks_out:
            raise
        log.warning("slack.reader_refused", question=question_id, error=refused.code)


def _log_file(view: LogView, redact: Redact) -> OutgoingFile:
    """As `countersign plan show … --json` prints it."""
    return OutgoingFile(
        name=f"plan-{view.place.run_id}-{view.end}.json",
        title=plan.LOG_TITLE,
        comment=plan.LOG_COMMENT,
        content=as_json(view.session.as_json(), redact, indent=2).encode(),
    )
