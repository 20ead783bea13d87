"""Deferred actions: their owner clicks Undo or Send now. One click wins, or the claim."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import Standing, may_be_undone
from bot.domain.deliveries import DeliveryKind
from bot.domain.runs import Run, RunState
from bot.runtime.core.clicks import ButtonClick, ClickOutcome, ClickRejected, handle, run_of
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.progress import lock_step
from bot.runtime.runs.stop import cancel
from bot.runtime.texts import to_people


@dataclass(frozen=True, slots=True, kw_only=True)
class DeferredActions:
    """Undoes what waits, or has it done at once; `click.value` is the waiting run's id. Both raise `NotSaved`."""

    transactions: TransactionFactory

    async def undo(self, click: ButtonClick) -> ClickOutcome:
        """Cancel it, unless it was begun before."""
        return await handle(self.transactions, click, _undo)

    async def send_now(self, click: ButtonClick) -> ClickOutcome:
        """Its moment is now."""
        return await handle(self.transactions, click, _send_now)


async def _waiting(tx: Transaction, click: ButtonClick) -> Run:
    """What waits for its moment, with its step locked; raises `ClickRejected` when something of it was begun."""
    run = await run_of(tx, click)
    if run.holds is None:
        raise ClickRejected(AuditCode.CLICK_WRONG_CHOICE, to_people.HELD_OVER, run)
    step = await tx.work.steps.open_of(run.id)
    if step is not None:
        await lock_step(tx, step.id)
    (action,) = await tx.work.actions.of_run(run.id)
    if not may_be_undone(Standing.of(run), action.state):
        raise ClickRejected(AuditCode.RUN_NOT_UNDONE, _came_of(run, action), run)
    return run


async def _undo(tx: Transaction, click: ButtonClick) -> None:
    await cancel(tx, await _waiting(tx, click), by=click.user, code=AuditCode.RUN_UNDONE)


async def _send_now(tx: Transaction, click: ButtonClick) -> None:
    run = await _waiting(tx, click)
    if run.state is not RunState.QUEUED:
        raise ClickRejected(AuditCode.RUN_NOT_SENT_NOW, to_people.HELD_BEGUN, run)
    await tx.work.runs.change(run.id, not_before=tx.now)
    tx.record_run(run, AuditCode.RUN_SENT_NOW, actor=click.user)
    await tx.deliver(run.thread_id, DeliveryKind.HELD, run.id, team=run.team)
    tx.wake(run.thread_id)


def _came_of(run: Run, action: Action) -> str:
    if action.state is ActionState.COMPLETED:
        return to_people.HELD_DONE
    return to_people.HELD_UNDONE if run.state is RunState.CANCELLED else to_people.HELD_BEGUN
