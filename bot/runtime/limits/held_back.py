"""What came too fast and was not taken: it is offered to its author again, once what waits for its turn has begun.

Such a message stands in its thread like any other, with a mark in the place of a run that it steers. Whoever takes the
mark away has the message: the press of a button that takes it, “stop”, or its deletion.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import DeliveryKind, RefusalReason, RefusalSubject
from bot.domain.limits import Limits, Rate
from bot.domain.runs import AttachedContext, Run
from bot.domain.threads import Message, held_back_mark
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.runs import begin_request
from bot.store.unit_of_work import UnitOfWork

MOST = 10  # messages of one person that are offered again
OFFERED_FOR = timedelta(days=1)
_SECOND = timedelta(seconds=1)


async def keep(tx: Transaction, message: Message, rate: Rate, again_at: datetime) -> tuple[int, ...]:
    """Hold back a message that was refused: the second (since 1970) at which it is offered again, in one message with
    whatever else is by then; nothing where its author has as many of them as one press may bring. `again_at` is when
    the next request can be put into the queue: a whole queue later that is empty.
    """
    team, user = message.team, message.author
    offers = f"offers:{team}:{user}"
    offered_at = await tx.work.rates.held(offers)
    if len(await _all(tx.work, team, user, tx.now)) >= min(MOST, rate.waiting):
        return ()
    await tx.work.messages.change(message.id, steers=held_back_mark(team, user))
    ahead = tx.now - await tx.work.leases.moment(tx.now)  # `again_at` is of the clock that counts, the relay has ours
    free_at = (again_at + rate.ahead + ahead).replace(microsecond=0) + _SECOND
    if offered_at is None or not tx.now < offered_at <= free_at:
        offered_at = free_at
        await tx.work.rates.set(offers, offered_at)
        subject = str(RefusalSubject(RefusalReason.OFFERED, message.id, (int(offered_at.timestamp()),)))
        await tx.deliver(offers, DeliveryKind.REFUSAL, subject, team=team, not_before=offered_at)
    return (int(offered_at.timestamp()),)


async def begin_in_turn(
    tx: Transaction,
    message: Message,
    turn: float,
    *,
    rate: Rate | None,
    limits: Limits,
    attached: Sequence[AttachedContext],
) -> Run | None:
    """The run of a request that begins when its turn comes, so many seconds from now; one that waits is told when."""
    begins_at = tx.now + timedelta(seconds=turn) if turn else None
    if begins_at and rate:
        figures = (rate.per_minute, int(begins_at.timestamp()) + 1)
        waits = str(RefusalSubject(RefusalReason.WAITS, message.id, figures))
        await tx.deliver(message.thread_id, DeliveryKind.REFUSAL, waits, team=message.team)
    return await begin_request(tx, message, limits=limits, attached=attached, begins_at=begins_at)


async def offered(work: UnitOfWork, team: str, user: str, second: str, now: datetime) -> Sequence[Message]:
    """What is held back of this person and was said before that second, at which it was offered."""
    if not (second.isascii() and second.isdecimal() and len(second) <= 10):
        return ()
    before = datetime.fromtimestamp(int(second), UTC)
    return [message for message in await _all(work, team, user, now) if message.created_at < before]


async def drop(tx: Transaction, stopped: Message, *, everywhere: bool) -> int:
    """How much of what its author said before this “stop” is not offered any more: in its thread, or `everywhere`."""
    held = await _all(tx.work, stopped.team, stopped.author, tx.now)
    before = [message for message in held if message.ts < stopped.ts]
    return await _drop(tx, [one for one in before if everywhere or one.thread_id == stopped.thread_id])


async def drop_of(transactions: TransactionFactory, team: str, user: str) -> int:
    """The same of everything that is held back of a person. Raises `NotSaved`, or `NotRead`."""
    async with transactions.read_promptly() as work:
        if not await _all(work, team, user, transactions.clock.now()):
            return 0
    async with transactions.write_promptly() as tx:
        return await _drop(tx, await _all(tx.work, team, user, tx.now))


async def _drop(tx: Transaction, held: Sequence[Message]) -> int:
    gone = [one for one in held if await tx.work.messages.release(one.id, held_back_mark(one.team, one.author))]
    for one in gone:
        about = {"message": one.id}
        tx.record(AuditEvent(team=one.team, code=AuditCode.MESSAGE_DROPPED, actor=one.author, details=about))
    return len(gone)


async def _all(work: UnitOfWork, team: str, user: str, now: datetime) -> Sequence[Message]:
    """What is offered for a day, and then not any more."""
    held = await work.messages.untaken(held_back_mark(team, user))
    return [message for message in held if message.created_at > now - OFFERED_FOR]
