"""A request in a thread of its own, whose first message is ours and yet to be posted (`DeliveryKind.OPENING`), or which
is held over HTTP and has no such message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.domain import ids
from bot.domain.audit import AuditCode
from bot.domain.deliveries import DeliveryKind
from bot.domain.limits import Limits
from bot.domain.plans import Phase
from bot.domain.runs import AgentTask, AttachedContext
from bot.domain.threads import Audience, Message, Speaker, Surface, Thread
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.runs import new_run, next_order, queue_run
from policies.types import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunRequest:
    """The run that began, now or before; or why none did."""

    run_id: str = ""
    refusal: str = ""


def request_of(
    source: str, *, team: str, user: str, channel: str, is_dm: bool, text: str, typed: str, now: datetime
) -> Message:
    """What a person asks from this source, as the first message of its thread; in direct messages it is for them alone.
    Of the text only what they `typed` counts as such.
    """
    thread_id = ids.named("thr", source)
    return Message(
        id=ids.named("msg", source),
        thread_id=thread_id,
        team=team,
        speaker=Speaker.PERSON,
        author=user,
        text=text,
        typed=typed,
        channel=channel,
        root_ts=thread_id,
        audience=Audience.OWNER if is_dm else Audience.CHANNEL,
        owner=user if is_dm else None,
        label=Label.MEMBER,
        created_at=now,
    )


async def open_request(
    tx: Transaction,
    request: Message,
    *,
    source: str,
    is_dm: bool,
    limits: Limits,
    details: Mapping[str, str],
    attached: Sequence[AttachedContext] = (),
    task: AgentTask | None = None,
    phase: Phase | None = None,
    deadline_at: datetime | None = None,
    surface: Surface = Surface.SLACK,
) -> bool:
    """The thread, the request in it, and its run, which is an agent's where it has a `task`, a plan's where it has a
    `phase`; False when this source began one already. `details` are audited.
    """
    order = await next_order(tx.work, request.team, request.author)
    if surface is Surface.HTTP:
        request = replace(request, ts=order)
    run = new_run(
        request,
        limits=limits,
        now=tx.now,
        source=source,
        order=order,
        attached=attached,
        task=task,
        phase=phase,
        deadline_at=deadline_at,
    )
    await tx.work.threads.ensure(_thread(request, is_dm=is_dm, surface=surface))
    if not await queue_run(tx, run, code=AuditCode.RUN_QUEUED, **details):
        return False
    await tx.work.messages.add(request)
    if surface is Surface.SLACK:
        await tx.deliver(run.thread_id, DeliveryKind.OPENING, run.id, team=run.team)
    return True


def _thread(request: Message, *, is_dm: bool, surface: Surface) -> Thread:
    """Its own id stands in for its root until that is posted."""
    return Thread(
        id=request.thread_id,
        team=request.team,
        channel=request.channel,
        root_ts=request.thread_id,
        is_dm=is_dm,
        surface=surface,
        owner=request.author if surface is Surface.HTTP else None,
        created_at=request.created_at,
    )
