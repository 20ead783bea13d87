"""Held: what its owner does with something that waits for its moment: Undo, Send now. One press wins, or the claim."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditEvent
from bot.domain.conditions import Standing, may_be_undone
from bot.domain.deliveries import DeliveryKind
from bot.domain.runs import Run, RunState
from bot.runtime.core.clicks import ClickOutcome, Press, Refused, run_of, take_press
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.progress import lock_step
from bot.runtime.runs.stop import cancel
from bot.runtime.texts import to_people


@dataclass(frozen=True, slots=True, kw_only=True)
class DeferredActions:
    """Undoes what waits, or has it done at once; `press.value` is the waiting run's id. Both raise `NotSaved`."""

    transactions: TransactionFactory

    async def undo(self, press: Press) -> ClickOutcome:
        """Cancel it, unless it was begun before."""
        return await take_press(self.transactions, press, _undo)

    async def send_now(self, press: Press) -> ClickOutcome:
        """Its moment is now."""
        return await take_press(self.transactions, press, _send_now)


async def _waiting(tx: Transaction, press: Press) -> Run:
    """What waits for its moment, with its step locked; raises `Refused` when something of it was begun."""
    run = await run_of(tx, press)
    if run.holds is None:
        raise Refused("click.wrong_choice", to_people.HELD_OVER, run)
    step = await tx.work.steps.open_of(run.id)
    if step is not None:
        await lock_step(tx, step.id)
    (action,) = await tx.work.actions.of_run(run.id)
    if not may_be_undone(Standing.of(run), action.state):
        raise Refused("run.not_undone", _came_of(run, action), run)
    return run


async def _undo(tx: Transaction, press: Press) -> None:
    await cancel(tx, await _waiting(tx, press), by=press.user, code="run.undone")


async def _send_now(tx: Transaction, press: Press) -> None:
    run = await _waiting(tx, press)
    if run.state is not RunState.QUEUED:
        raise Refused("run.not_sent_now", to_people.HELD_BEGUN, run)
    await tx.work.runs.change(run.id, not_before=tx.now)
    tx.record(AuditEvent(team=run.team, code="run.sent_now", actor=press.user, run_id=run.id))
    await tx.deliver(run.thread_id, DeliveryKind.HELD, run.id, team=run.team)
    tx.wake(run.thread_id)


def _came_of(run: Run, action: Action) -> str:
    if action.state is ActionState.COMPLETED:
        return to_people.HELD_DONE
    return to_people.HELD_UNDONE if run.state is RunState.CANCELLED else to_people.HELD_BEGUN
