"""Briefings: a message of the agent's that code made, in its owner's direct messages, and what comes of it.

It is kept with what it found. A reply to it, or a click on an item, begins a run that has those things before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.domain import ids
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.briefings import Briefing, Item, ItemVerb, briefing_in
from bot.domain.deliveries import DeliveryKind
from bot.domain.limits import Limits, Rate
from bot.domain.runs import MAX_ATTACHED, AttachedContext
from bot.domain.threads import Audience, Message, Speaker, Thread
from bot.runtime.core.clicks import ButtonClick, ClickOutcome, ClickRejected, handle
from bot.runtime.core.transaction import AGENT, Transaction, TransactionFactory
from bot.runtime.lifecycle.runs import new_run, next_order, queue_run
from bot.runtime.limits import rate_limit
from bot.runtime.schedules.sources import BriefingSources
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from integrations.base import Requester
from policies.types import Label

ASKED = {
    ItemVerb.ANSWER: "Answer this mail for me.",
    ItemVerb.OPEN: "Show me this mail: what does it say, and what is asked of me?",
    ItemVerb.PREPARE: "Help me to prepare this meeting.",
}
"""What a click asks for, in words that stand in the conversation as its owner's request."""

ON_IT = "I am on it. My answer comes in the thread below the briefing."
PRESSED_BEFORE = "You asked for this before; my answer stands in the thread below the briefing."
NOT_YOURS = "Only the person whose briefing this is can do this."
NOT_KNOWN = "This briefing is not known here any more, so nothing was done. Write to me what you need."


async def add(tx: Transaction, message_id: str, team: str, user: str, found: Briefing) -> None:
    """Write it down and have it delivered; one that is known already stays as it is."""
    if await tx.work.messages.known(message_id):
        return
    await tx.work.messages.add(_message(message_id, team, user, found, tx))
    thread_id = ids.named("thr", message_id)
    await tx.deliver(thread_id, DeliveryKind.BRIEFING, message_id, team=team)
    details = {"briefing": message_id, "holds": [f"{item.kind.value}:{item.id}" for item in found.items]}
    tx.record(AuditEvent(team=team, code=AuditCode.BRIEFING_MADE, actor=AGENT, details={"for": user, **details}))


def _message(message_id: str, team: str, user: str, found: Briefing, tx: Transaction) -> Message:
    return Message(
        id=message_id,
        thread_id=ids.named("thr", message_id),
        team=team,
        speaker=Speaker.AGENT,
        author=AGENT,
        text=f"Briefing for {found.day}: {'; '.join(found.counts())}",
        elements=found.as_elements(),
        audience=Audience.OWNER,
        owner=user,
        label=Label.EXTERNAL,
        created_at=tx.now,
    )


async def stands(store: Store, message_id: str, channel: str, ts: str) -> None:
    """It was posted here: its thread hangs from it."""
    async with store.write() as work:
        message = await work.messages.find(message_id)
        wanted = Thread(
            id=message.thread_id,
            team=message.team,
            channel=channel,
            root_ts=ts,
            is_dm=True,
            created_at=message.created_at,
        )
        thread = await work.threads.ensure(wanted)
        await work.threads.worsen(thread.id, message.label)
        await work.messages.change(message_id, thread_id=thread.id, channel=channel, ts=ts, root_ts=ts)


async def attached(work: UnitOfWork, thread_id: str, user: str) -> Sequence[AttachedContext]:
    """What a request in this thread begins with: the briefing that it hangs from, if that is this person's."""
    message = await work.messages.begins(thread_id)
    found = briefing_in(message.elements) if message and message.owner == user else None
    return found.attached(message.id)[:MAX_ATTACHED] if message and found else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefingService:
    """Makes briefings that are asked for, and takes the clicks on their items. Implements `Briefings`."""

    transactions: TransactionFactory
    sources: BriefingSources
    limits: Limits
    rate: Rate | None = None

    async def send(self, requester: Requester, *, key: str) -> Sequence[str]:
        """Look, and have it delivered; the same key twice is one. Raises `NotConnected` when nothing is connected."""
        found = await self.sources.briefing(requester, must_be_connected=True)
        async with self.transactions.write() as tx:
            await add(tx, ids.named("msg", f"briefing:{key}"), requester.team, requester.user, found)
        return found.counts()

    async def click(self, click: ButtonClick, verb: ItemVerb) -> ClickOutcome:
        """A button on an item, whose place in the briefing is the value; one run for each. Raises `NotSaved`."""
        outcome = await handle(self.transactions, click, partial(self._begin, verb=verb), verb=verb.value)
        return replace(outcome, text=ON_IT) if outcome.accepted else outcome

    async def _begin(self, tx: Transaction, click: ButtonClick, verb: ItemVerb) -> None:
        briefing, item = await _pressed(tx, click)
        await tx.work.threads.lock(briefing.thread_id)  # a click at the same moment is seen from here on
        source = f"briefing:{briefing.id}:{click.value}:{verb.value}"
        if await tx.work.runs.by_source(source) is not None:
            raise ClickRejected(AuditCode.CLICK_LATE, PRESSED_BEFORE)
        if self.rate and (refused := await rate_limit.exceeded(tx, click.team, click.user, self.rate)):
            told = await rate_limit.in_words(tx.work, click.team, click.user, self.rate, refused)
            raise ClickRejected(AuditCode.CLICK_TOO_FAST, told)
        request = _request(briefing, click.user, verb, tx)
        order = await next_order(tx.work, click.team, click.user)
        run = new_run(
            request,
            limits=self.limits,
            now=tx.now,
            source=source,
            order=order,
            attached=(item.attached(),),
        )
        if not await queue_run(tx, run, briefing=briefing.id):
            raise ClickRejected(AuditCode.CLICK_LATE, PRESSED_BEFORE)
        await tx.work.messages.add(request)


async def _pressed(tx: Transaction, click: ButtonClick) -> tuple[Message, Item]:
    """The briefing and the item; raises `ClickRejected` unless its owner clicked the original."""
    thread = await tx.work.threads.at(click.team, click.channel, click.message_ts)
    message = await tx.work.messages.begins(thread.id) if thread else None
    found = briefing_in(message.elements) if message else None
    if message is None or found is None or not click.value.isdecimal() or int(click.value) >= len(found.items):
        raise ClickRejected(AuditCode.CLICK_UNKNOWN, NOT_KNOWN)
    if message.owner != click.user:
        raise ClickRejected(AuditCode.CLICK_WRONG_PERSON, NOT_YOURS)
    person = await tx.work.users.find(click.team, click.user)
    if person is not None and not person.is_member:
        raise ClickRejected(AuditCode.CLICK_NOT_A_MEMBER, "Only full members of this workspace can use me.")
    return message, found.items[int(click.value)]


def _request(briefing: Message, user: str, verb: ItemVerb, tx: Transaction) -> Message:
    """Its words are ours, so none of them count as typed by its owner."""
    return Message(
        id=ids.new_id("msg"),
        thread_id=briefing.thread_id,
        team=briefing.team,
        speaker=Speaker.PERSON,
        author=user,
        text=ASKED[verb],
        channel=briefing.channel,
        root_ts=briefing.root_ts,
        audience=Audience.OWNER,
        owner=user,
        label=Label.MEMBER,
        created_at=tx.now,
    )
