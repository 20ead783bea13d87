"""What becomes of a run whose request its author deletes or edits in Slack (docs/states.md §7.4)."""

from __future__ import annotations

from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.conditions import Standing, is_unfinished
from bot.domain.deliveries import DeliveryKind, Refusal, Refused
from bot.domain.runs import Run
from bot.domain.threads import Message
from bot.runtime.core.transaction import Transaction
from bot.runtime.runs.stop import SLACK, cancel


async def deleted(tx: Transaction, began: Run) -> None:
    """The request that began this run is gone: every run of it is cancelled, and none is continued or tried again."""
    await tx.work.threads.lock(began.thread_id)
    runs = await tx.work.runs.of_request(began.message_id)
    for run in sorted(runs, key=lambda run: run.holds is None):  # so that the others' last words say what became of it
        await tx.work.runs.change(run.id, request_deleted=True)
        if is_unfinished(Standing.of(run)):
            await cancel(tx, run, by=SLACK, code=AuditCode.RUN_REQUEST_DELETED)


async def unsaid(tx: Transaction, message: Message) -> None:
    """What was said to a run is gone before the run took it in: it never hears of it."""
    await tx.work.threads.lock(message.thread_id)
    await tx.work.messages.change(message.id, steers=None, text="", typed="", elements=[])
    details = {"message": message.id}
    tx.record(
        AuditEvent(
            team=message.team, code=AuditCode.MESSAGE_WITHDRAWN, actor=SLACK, run_id=message.steers, details=details
        )
    )


async def edited(tx: Transaction, began: Run) -> None:
    """The request's text was changed: that changes nothing, and while a run of it is live it is said, once."""
    live = [run for run in await tx.work.runs.of_request(began.message_id) if run.state.is_live()]
    if not live:
        return
    request = await tx.work.messages.find(began.message_id)
    once = str(Refusal(Refused.EDITED, request.id))
    if not await tx.work.inbox.admit(once, team=request.team, channel=request.channel, ts="", at=tx.now):
        return
    await tx.deliver(request.thread_id, DeliveryKind.REFUSAL, once, team=request.team)
    tx.record_run(live[-1], AuditCode.RUN_REQUEST_EDITED, actor=request.author)
