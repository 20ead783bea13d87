"""Intake: an event becomes a message and a run, in one transaction, before it is acknowledged. What its author deletes
or edits later is taken in as well (docs/states.md §7.4).

Idempotent: one mention arrives as two events, and Slack delivers again what it got no answer for.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from bot.domain import ids
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.conditions import Standing, is_unfinished
from bot.domain.deliveries import OPENING, DeliveryKind, RefusalReason, RefusalSubject
from bot.domain.limits import Limits, Rate
from bot.domain.replies import Reply, meaning
from bot.domain.runs import SLACK_MESSAGE, AttachedContext, Run
from bot.domain.threads import Audience, Message, Speaker, Thread, held_back_mark, zone_of
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.runs import live_below, message_source
from bot.runtime.limits import held_back, rate_limit
from bot.runtime.questions.deleted_cards import deleted_card, post_again
from bot.runtime.runs.incoming import Admission, Admitted, Incoming, with_shared
from bot.runtime.runs.steering import Steering, addressed
from bot.runtime.runs.stop import SLACK, cancel, newest_of, stop, stoppable_in_thread
from bot.runtime.schedules import briefings
from bot.store.unit_of_work import UnitOfWork
from policies.types import Label

SECOND_LOOK_SECONDS = 0.7


_RIGHT_BEHIND_SECONDS = 10.0

_MAY_STILL_COME = timedelta(days=1)
"""For how long Slack tries to deliver an event, at the most (docs.slack.dev/apis/events-api, "Delayed events")."""

_DUPLICATE = Admitted(admission=Admission.DUPLICATE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """Takes messages in. `limits` is what a chat run may use, `rate` how fast one person may ask.

    What is `_arriving` here another replica cannot know: there a follow-up right behind a thread's first word is looked
    at once more, `second_look` seconds later. 0: there is no other replica.
    """

    transactions: TransactionFactory
    limits: Limits
    rate: Rate | None = None
    second_look: float = 0.0
    _arriving: Counter[tuple[str, str, str]] = field(default_factory=Counter[tuple[str, str, str]])

    async def message(self, incoming: Incoming) -> Admitted:
        """One message. Raises `NotSaved`, or `NotRead`: then nothing may be acknowledged."""
        if not await self._may_be_for_agent(incoming):
            return Admitted(admission=Admission.IGNORED)
        with self._arrival(incoming):
            return await self._take(incoming)

    async def _may_be_for_agent(self, incoming: Incoming) -> bool:
        """Looked up without the write lock: most of what is said in channels is between people.

        What is still on its way counts as if it were saved: a follow-up may come right behind its thread's first word.
        """
        if incoming.is_dm or incoming.mentions_agent:
            return True
        if incoming.thread_ts is None:
            return False
        if self._arriving[incoming.team, incoming.channel, incoming.thread_ts]:
            return True
        if await self._is_known(incoming):
            return True
        if not (self.second_look and _is_right_behind(incoming.ts, incoming.thread_ts)):
            return False
        await asyncio.sleep(self.second_look)
        return await self._is_known(incoming)

    async def _is_known(self, incoming: Incoming) -> bool:
        async with self.transactions.read_promptly() as work:
            return await self._is_for_agent(work, incoming, await self._place(work, incoming))

    @contextmanager
    def _arrival(self, incoming: Incoming) -> Generator[None]:
        """Known by the message and by its thread while it is being saved."""
        places = {(incoming.team, incoming.channel, ts) for ts in (incoming.ts, incoming.thread_ts or incoming.ts)}
        self._arriving.update(places)
        try:
            yield
        finally:
            self._arriving.subtract(places)
            for place in places:
                if not self._arriving[place]:
                    del self._arriving[place]

    async def _take(self, incoming: Incoming) -> Admitted:
        async with self.transactions.write_promptly() as tx:
            thread = await self._place(tx.work, incoming)
            if not await self._is_for_agent(tx.work, incoming, thread):
                return Admitted(admission=Admission.IGNORED)
            is_new = await tx.work.inbox.admit(
                incoming.event_id, team=incoming.team, channel=incoming.channel, ts=incoming.ts, at=tx.now
            )
            if not is_new:
                return _DUPLICATE
            thread = await tx.work.threads.ensure(thread)
            await tx.work.threads.lock(thread.id)
            return await self._admit(tx, incoming, thread)

    async def _place(self, work: UnitOfWork, incoming: Incoming) -> Thread:
        """The thread that a message belongs to: a reply under a post of ours goes to that post's run's thread."""
        root = incoming.thread_ts or incoming.ts
        run_id = await work.posts.run_at(incoming.team, incoming.channel, root)
        if run_id is not None:
            return await work.threads.find((await work.runs.find(run_id)).thread_id)
        known = await work.threads.at(incoming.team, incoming.channel, root)
        return known or Thread(
            id=ids.new_id("thr"),
            team=incoming.team,
            channel=incoming.channel,
            root_ts=root,
            is_dm=incoming.is_dm,
            created_at=self.transactions.clock.now(),
        )

    async def _is_for_agent(self, work: UnitOfWork, incoming: Incoming, thread: Thread) -> bool:
        """Without a mention only somebody who has a run in this thread is talking to the agent."""
        if incoming.is_dm or incoming.mentions_agent:
            return True
        return await work.runs.latest_of_thread(thread.id, incoming.user) is not None

    async def _admit(self, tx: Transaction, incoming: Incoming, thread: Thread) -> Admitted:
        message = self._message(incoming, thread, tx.now)
        await tx.work.messages.add(message)
        await tx.work.files.add(incoming.files_of(message.id))
        if incoming.external:
            return await self._refuse(tx, RefusalSubject(RefusalReason.OUTSIDER, message.id), message)
        reply = _reply(incoming)
        if reply is Reply.STOP:
            return await self._stop(tx, incoming, thread, message)
        if not message.text.strip():
            return await self._refuse(tx, RefusalSubject(RefusalReason.EMPTY, message.id), message)
        run = None if incoming.messages else await addressed(tx, message)  # others' words need a label of their own
        is_request = reply is Reply.WORDS or incoming.messages
        turn = await self._turn(tx, message, run, incoming.messages) if is_request else 0.0
        if isinstance(turn, Admitted):
            return turn
        if run is None:
            return await self._start(tx, incoming, message, turn)
        admission = await Steering(tx=tx, run=run, message=message).hear(reply)
        return Admitted(admission=admission, run_id=run.id)

    def _message(self, incoming: Incoming, thread: Thread, now: datetime) -> Message:
        return Message(
            id=ids.new_id("msg"),
            thread_id=thread.id,
            team=incoming.team,
            speaker=Speaker.PERSON,
            author=incoming.user,
            text=with_shared(incoming.text, incoming.messages, incoming.files),
            typed=incoming.typed,
            elements=list(incoming.elements),
            channel=incoming.channel,
            ts=incoming.ts,
            root_ts=incoming.thread_ts or incoming.ts,
            audience=Audience.OWNER if incoming.is_dm else Audience.CHANNEL,
            owner=incoming.user if incoming.is_dm else None,
            label=Label.EXTERNAL if incoming.external else Label.MEMBER,
            created_at=now,
        )

    async def _refuse(
        self, tx: Transaction, refusal: RefusalSubject, message: Message, *, told: bool = False
    ) -> Admitted:
        """No run, but never silence: the words come from the delivery, unless they were `told` before; the refusal is
        audited.
        """
        if not told:
            await tx.deliver(message.thread_id, DeliveryKind.REFUSAL, str(refusal), team=message.team)
        why = {"why": refusal.code}
        tx.record(AuditEvent(team=message.team, code=AuditCode.MESSAGE_REFUSED, actor=message.author, details=why))
        return Admitted(admission=Admission.REFUSED)

    async def _stop(self, tx: Transaction, incoming: Incoming, thread: Thread, message: Message) -> Admitted:
        """“stop” in a thread stops its newest run of this person, a paused one where none is live; at the top of a DM
        that DM's newest live one. What was asked after it was said goes on: it came late. What was held back before it
        there is not offered any more.
        """
        run = newest_of(await self._stoppable(tx, incoming, message))
        everywhere = incoming.is_dm and (incoming.thread_ts is None or run is None)
        if dropped := await held_back.drop(tx, message, everywhere=everywhere):
            told = str(RefusalSubject(RefusalReason.DROPPED, message.id, (dropped,)))
            await tx.deliver(thread.id, DeliveryKind.REFUSAL, told, team=thread.team)
        if run is None:
            nothing = str(RefusalSubject(RefusalReason.NOTHING_TO_STOP, message.id))
            if not dropped:
                await tx.deliver(thread.id, DeliveryKind.REFUSAL, nothing, team=thread.team)
            return Admitted(admission=Admission.STOPPED)
        taken_back = await stop(tx, run, by=incoming.user)
        if run.holds is not None:  # else the run's own last words say it
            told = str(RefusalSubject(RefusalReason.TAKEN_BACK, message.id, (taken_back,)))
            await tx.deliver(thread.id, DeliveryKind.REFUSAL, told, team=thread.team)
        return Admitted(admission=Admission.STOPPED, run_id=run.id)

    async def _stoppable(self, tx: Transaction, incoming: Incoming, message: Message) -> Sequence[Run]:
        if incoming.thread_ts is not None or not incoming.is_dm:
            return await stoppable_in_thread(tx.work, message)
        live = await tx.work.runs.live_of(incoming.team, incoming.user)
        before = [run for run in live if run.order_key < incoming.ts]
        return [run for run in before if await self._is_seen_in(tx, run, incoming.channel)]

    async def _is_seen_in(self, tx: Transaction, run: Run, channel: str) -> bool:
        """Whether it was asked there, or shows something there: a channel's run may have its card in the DM."""
        asked = await tx.work.messages.find(run.message_id)
        shown = [each.id for each in (run, *await live_below(tx.work, run))]
        posts = [post for run_id in shown for post in await tx.work.posts.of_run(run_id)]
        return asked.channel == channel or any(post.channel == channel for post in posts)

    async def _turn(
        self, tx: Transaction, message: Message, run: Run | None, forwarded: Sequence[object]
    ) -> float | Admitted:
        """The seconds until its turn, or its refusal. Whatever a person asks counts, whether it begins a run or is said
        to one, which need not wait; “stop”, “no” and “yes” never do. Of what is refused the first one is answered where
        it was said, and the first one that was said to a run; of the others their author alone is told. It is offered
        again later, unless a message was `forwarded` with it, which no row holds.
        """
        if self.rate is None:
            return 0.0
        turn = await rate_limit.turn(tx, message, run, self.rate)
        if not isinstance(turn, rate_limit.TooFast):
            return turn
        offered = () if forwarded else await held_back.keep(tx, message, self.rate, turn.again_at)
        refusal = RefusalSubject(RefusalReason.TOO_FAST, message.id, (*rate_limit.figures(self.rate, turn), *offered))
        refused = await self._refuse(tx, refusal, message, told=turn.told)
        if not turn.told:
            return refused
        zone = zone_of(await tx.work.users.find(message.team, message.author))
        return replace(refused, aside=rate_limit.words_of(refusal.figures, zone))

    async def _start(self, tx: Transaction, incoming: Incoming, message: Message, turn: float) -> Admitted:
        attached = incoming.attached or await attached_before(tx.work, message)
        run = await held_back.begin_in_turn(tx, message, turn, rate=self.rate, limits=self.limits, attached=attached)
        return Admitted(admission=Admission.STARTED, run_id=run.id) if run else _DUPLICATE

    async def deleted(self, team: str, channel: str, ts: str, *, may_ask: bool = True) -> None:
        """A request was deleted in Slack: its run is withdrawn with its questions; a waiting card is posted again.
        Raises as `message` does.

        One that has not arrived yet (Slack delivers again what it got no answer for) is kept from ever beginning,
        unless it is clear that it asked the agent for nothing.
        """
        if await self._was_card(team, channel, ts):
            return
        expected = may_ask and _is_recent(ts, self.transactions.clock.now())
        if not (expected or await self._may_have_run(team, channel, ts)):
            return
        async with self.transactions.write_promptly() as tx:
            if expected and await self._is_kept_out(tx, team, channel, ts):
                tx.record(AuditEvent(team=team, code=AuditCode.MESSAGE_DELETED_EARLY, actor=SLACK, details={"ts": ts}))
            run = await _begun_by(tx.work, team, channel, ts)
            if run is not None:
                await _withdraw(tx, run)
            elif said := await tx.work.messages.said_at(team, channel, ts):
                await _take_back(tx, said)

    async def _was_card(self, team: str, channel: str, ts: str) -> bool:
        """Whether it was a card that waits; then it is posted again."""
        async with self.transactions.read_promptly() as work:
            if await deleted_card(work, team, channel, ts) is None:
                return False
        async with self.transactions.write_promptly() as tx:
            card = await deleted_card(tx.work, team, channel, ts)
            if card is not None:
                await post_again(tx, card)
        return True

    async def _is_kept_out(self, tx: Transaction, team: str, channel: str, ts: str) -> bool:
        """Whether the message had not arrived; from now on it is a duplicate."""
        gone = f"deleted:{message_source(team, channel, ts)}"
        return await tx.work.inbox.admit(gone, team=team, channel=channel, ts=ts, at=tx.now)

    async def edited(self, team: str, channel: str, ts: str) -> None:
        """A request's text was changed in Slack: it stays as it was. Raises as `message` does."""
        if not await self._may_have_run(team, channel, ts):
            return
        async with self.transactions.write_promptly() as tx:
            run = await tx.work.runs.by_source(message_source(team, channel, ts))
            if run is not None:
                await _say_unchanged(tx, run)

    async def _may_have_run(self, team: str, channel: str, ts: str) -> bool:
        """Looked up without the write lock, as most messages that change were none of ours."""
        if self._arriving[team, channel, ts]:
            return True
        async with self.transactions.read_promptly() as work:
            began = await _begun_by(work, team, channel, ts)
            return began is not None or await work.messages.said_at(team, channel, ts) is not None


def _reply(incoming: Incoming) -> Reply:
    """What its words mean. With a file they are more than a yes or a no: the run takes it in."""
    reply = meaning(incoming.typed)
    return Reply.WORDS if incoming.files and reply is not Reply.STOP else reply


async def attached_before(work: UnitOfWork, message: Message) -> Sequence[AttachedContext]:
    """What the talk in this thread is about already: the briefing that it hangs from, if that is this person's, or the
    messages that were attached to their request before.
    """
    if briefing := await briefings.attached(work, message.thread_id, message.author):
        return briefing
    before = await work.runs.latest_of_thread(message.thread_id, message.author)
    return [item for item in before.attached if item.type == SLACK_MESSAGE] if before else ()


def _is_right_behind(ts: str, thread_ts: str) -> bool:
    """Whether this was said so soon after the thread began that its first message may still be on its way."""
    try:
        return float(ts) - float(thread_ts) < _RIGHT_BEHIND_SECONDS
    except ValueError:
        return False


def _is_recent(ts: str, now: datetime) -> bool:
    """Whether the message with this timestamp may still be delivered for the first time."""
    try:
        return now - datetime.fromtimestamp(float(ts), UTC) < _MAY_STILL_COME
    except (ValueError, OverflowError, OSError):
        return False


async def _begun_by(work: UnitOfWork, team: str, channel: str, ts: str) -> Run | None:
    """The run that the message at this place began; a first message of ours stands for the request below it."""
    if run := await work.runs.by_source(message_source(team, channel, ts)):
        return run
    ours = [post for post in await work.posts.at(team, channel, ts) if post.slot == OPENING]
    return await work.runs.find(ours[0].run_id) if ours else None


async def _withdraw(tx: Transaction, began: Run) -> None:
    """The request that began this run is gone: every run of it is cancelled, none is continued or tried again, and what
    it named is named by nobody any more.
    """
    await tx.work.threads.lock(began.thread_id)
    await tx.work.messages.change(began.message_id, typed="")
    runs = await tx.work.runs.of_request(began.message_id)
    for run in sorted(runs, key=lambda run: run.holds is None):  # so that the others' last words say what became of it
        await tx.work.runs.change(run.id, request_deleted=True)
        if is_unfinished(Standing.of(run)):
            await cancel(tx, run, by=SLACK, code=AuditCode.RUN_REQUEST_DELETED)


async def _take_back(tx: Transaction, message: Message) -> None:
    """What was said and began no run is gone: it names nothing any more. A run that has not taken it in yet never hears
    of it.
    """
    await tx.work.threads.lock(message.thread_id)
    if message.steers is None or message.taken_at is not None:
        await tx.work.messages.change(message.id, typed="")
        return
    await tx.work.messages.change(message.id, steers=None, text="", typed="", elements=[])
    await tx.work.files.forget([message.id])
    is_held = message.steers == held_back_mark(message.team, message.author)
    code = AuditCode.MESSAGE_DROPPED if is_held else AuditCode.MESSAGE_WITHDRAWN
    about = None if is_held else message.steers
    tx.record(AuditEvent(team=message.team, code=code, actor=SLACK, run_id=about, details={"message": message.id}))


async def _say_unchanged(tx: Transaction, began: Run) -> None:
    """The request's text was changed: that changes nothing, and while a run of it is live it is said, once."""
    live = [run for run in await tx.work.runs.of_request(began.message_id) if run.state.is_live()]
    if not live:
        return
    request = await tx.work.messages.find(began.message_id)
    once = str(RefusalSubject(RefusalReason.EDITED, request.id))
    if not await tx.work.inbox.admit(once, team=request.team, channel=request.channel, ts="", at=tx.now):
        return
    await tx.deliver(request.thread_id, DeliveryKind.REFUSAL, once, team=request.team)
    tx.record_run(live[-1], AuditCode.RUN_REQUEST_EDITED, actor=request.author)
