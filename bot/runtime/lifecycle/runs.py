"""How a message becomes a queued run, its transitions to its end, and who may see what it says (docs/states.md §1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Unpack

from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import RunMoved
from bot.domain.ids import new_id
from bot.domain.limits import Limits
from bot.domain.plans import Phase, Plan, asks_for_plan
from bot.domain.runs import MAX_ATTACHED, AgentTask, AttachedContext, Run, RunChanges, RunState
from bot.domain.threads import Message
from bot.runtime.core import activity
from bot.runtime.core.transaction import Transaction
from bot.store.unit_of_work import UnitOfWork

_SHOWN_AS_HELD = {RunState.EXECUTING, RunState.AWAITING}
"""What the message about something held back shows besides its end, which the answer tells in its place."""

_SHOWN_OF_AGENTS = frozenset(RunState) - {RunState.QUEUED, RunState.PLANNING, RunState.EXECUTING}
"""The states whose begin and end the message about agents must show; between the others it is changed as they work."""

_DIGITS = 10
"""The decimals of an order key that is none of Slack's: the six of a timestamp, and four that count on from there."""


async def request_of(work: UnitOfWork, run: Run) -> Run:
    """The request that a run belongs to. What was held back belongs to the one that asked for it, as long as that is
    kept.
    """
    asked = await work.actions.known(run.holds) if run.holds else None
    behind = await work.runs.find(asked.run_id) if asked else run
    return await work.runs.find(behind.root) if behind.root else behind


def message_source(team: str, channel: str, ts: str) -> str:
    """The source key of the run that a message begins."""
    return f"slack:{team}:{channel}:{ts}"


def _source_of(message: Message) -> str:
    """What was said over HTTP to a run has no place of its own: several messages may have the same in the order."""
    return message_source(message.team, message.channel, message.ts) if message.is_in_slack else f"http:{message.id}"


def retry_source(run_id: str) -> str:
    """The source key of the run that tries a failed one again: a second click begins no second run."""
    return f"retry:{run_id}"


async def next_order(work: UnitOfWork, team: str, user: str) -> str:
    """The place, among a person's requests, of one that did not come as a Slack message: right after all that are known
    of them. So “stop” and whatever they write next come after it, even if our clock is ahead of Slack's.
    """
    whole, _, decimals = (await work.runs.newest_order(team, user) or "0.000000").partition(".")
    after = str(int(whole + decimals.ljust(_DIGITS, "0")[:_DIGITS]) + 1).zfill(len(whole) + _DIGITS)
    return f"{after[:-_DIGITS]}.{after[-_DIGITS:]}"


def new_run(
    message: Message,
    *,
    limits: Limits,
    now: datetime,
    source: str | None = None,
    order: str | None = None,
    user: str | None = None,
    attached: Sequence[AttachedContext] = (),
    late: bool = False,
    retry_of: str | None = None,
    task: AgentTask | None = None,
    phase: Phase | None = None,
    deadline_at: datetime | None = None,
) -> Run:
    """The queued run of a message, with one whole allowance; of an agent where it has a `task`, of a plan where it has
    a `phase`. Source, order and user are the message's by default.
    """
    return Run(
        id=new_id("run"),
        thread_id=message.thread_id,
        team=message.team,
        user=user or message.author,
        source_key=source or _source_of(message),
        message_id=message.id,
        state=RunState.QUEUED,
        order_key=message.ts if order is None else order,
        limits=limits,
        ceiling=limits,
        attached=attached,
        late=late,
        retry_of=retry_of,
        agent=task.agent if task else "",
        definition=task.definition if task else None,
        inputs=task.inputs if task else None,
        phase=phase,
        deadline_at=deadline_at,
        created_at=now,
    )


def retried_run(request: Message, run: Run, *, now: datetime) -> Run:
    """A new run of a failed one's request, at the place in the order that the request has."""
    return new_run(
        request,
        limits=run.limits,
        now=now,
        source=retry_source(run.id),
        order=run.order_key,
        user=run.user,
        attached=run.attached,
        retry_of=run.id,
        task=run.task,
        phase=Phase.PROPOSE if run.is_plan else None,
        deadline_at=run.deadline_at if run.deadline_at and run.deadline_at > now else None,
    )


async def queue_run(tx: Transaction, run: Run, *, code: AuditCode = AuditCode.RUN_QUEUED, **details: object) -> bool:
    """A new run, to be begun once this is durable; False when its source began one already."""
    if not await tx.work.runs.add(run):
        return False
    about = {"source": run.source_key, **details}
    tx.record(AuditEvent(team=run.team, code=code, actor=run.user, run_id=run.id, details=about))
    tx.wake(run.thread_id)
    tx.publish(RunMoved(run.id, RunState.QUEUED, run.root))
    await show_agent(tx, run)
    return True


async def begin_request(
    tx: Transaction,
    message: Message,
    *,
    limits: Limits,
    attached: Sequence[AttachedContext] = (),
    begins_at: datetime | None = None,
    source: str | None = None,
) -> Run | None:
    """The queued run of a message that is a request of its own; None when its source began one already."""
    late = await tx.work.runs.has_begun_later(message.thread_id, message.ts)
    phase = Phase.PROPOSE if asks_for_plan(message.typed) else None
    run = new_run(
        message,
        limits=limits,
        now=tx.now,
        source=source,
        attached=tuple(attached)[:MAX_ATTACHED],
        late=late,
        phase=phase,
    )
    run = run if begins_at is None else replace(run, not_before=begins_at)
    if phase is not None:
        await tx.work.plans.begin(Plan(run_id=run.id, created_at=tx.now))
    return run if await queue_run(tx, run) else None


async def move_run(tx: Transaction, run: Run, to: RunState, **changes: Unpack[RunChanges]) -> Run:
    """Move a run; the run as it is then. The log names the states that it passed through in this transaction.

    `changes` are columns that change with the move. Raises `LostRace` when the run moved on meanwhile.
    """
    clocked: RunChanges = {**changes, **await _clocked(tx, run, to)}
    moved = await tx.work.runs.move(run, to, **clocked)
    tx.record_passed(run, moved)
    if run.holds and to in _SHOWN_AS_HELD and to is not run.state:
        await tx.deliver(run.thread_id, DeliveryKind.HELD, run.id, team=run.team)
    if to is not run.state:
        begun_in = tx.epoch if run.state is RunState.QUEUED else None
        tx.publish(RunMoved(run.id, to, run.root, begun_in))
    if {run.state, to} & _SHOWN_OF_AGENTS:
        await show_agent(tx, run)
    return moved


async def show_agent(tx: Transaction, run: Run) -> None:
    """If it works for a request, have the message written anew that shows what the agents do."""
    if run.root is not None:
        await tx.deliver(run.thread_id, DeliveryKind.AGENTS, run.root, team=run.team)


async def _clocked(tx: Transaction, run: Run, to: RunState) -> RunChanges:
    """Its working time, begun or ended by this move."""
    changes = activity.moved(run, to, tx.now)
    return activity.moved(await tx.work.runs.find(run.id), to, tx.now) if changes else changes


async def live_below(work: UnitOfWork, run: Run) -> Sequence[Run]:
    """The runs that work for this one, at any depth, and are not over; each before the one that it works for."""
    below, found, level = await work.runs.below(run.request_run), list[Run](), {run.id}
    while level:
        children = [child for child in below if child.parent in level]
        found += children
        level = {child.id for child in children}
    return [child for child in reversed(found) if not child.is_over]
