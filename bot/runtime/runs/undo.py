"""Undoing: its owner takes back what the agent did in our own store, or what waits for its moment (docs/cards.md).

A result names what Undo would take back as `<kind>:<id>`. The button carries the id of the action; whose that is, is
looked up.
"""

from __future__ import annotations

from bot.domain.actions import Action, ActionState, Undo
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.conditions import Standing, may_be_undone
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import HomeChanged
from bot.domain.runs import Run, RunState
from bot.domain.schedules import ScheduleState
from bot.runtime.core.clicks import ButtonClick, ClickOutcome, ClickRejected, handle, run_of
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.actions import tell_undone
from bot.runtime.lifecycle.progress import lock_step
from bot.runtime.runs.stop import cancel
from bot.runtime.texts import to_people


async def undo(transactions: TransactionFactory, click: ButtonClick) -> ClickOutcome:
    """Take back the action with the id `click.value`; its line is written anew. Raises `NotSaved`."""
    return await handle(transactions, click, _undo)


async def _undo(tx: Transaction, click: ButtonClick) -> None:
    action = await _locked(tx, click.value)
    if action is None:
        raise ClickRejected(AuditCode.CLICK_UNKNOWN, to_people.NOT_YOURS_TO_UNDO)
    about = await tx.work.runs.find(action.run_id)
    if (action.team, action.user) != (click.team, click.user):
        raise ClickRejected(AuditCode.CLICK_WRONG_PERSON, to_people.NOT_YOURS_TO_UNDO, about)
    take_back = _TAKE_BACK.get(action.undo.kind) if action.undo else None
    if action.undo is None or take_back is None or action.state is not ActionState.COMPLETED:
        raise ClickRejected(AuditCode.CLICK_LATE, to_people.GONE_ALREADY, about)
    said = await take_back(tx, click, action.undo.subject, action.caption)
    await tell_undone(tx, action, said or to_people.GONE_ALREADY)
    tx.publish(HomeChanged(click.team, click.user))
    if not said:
        raise ClickRejected(AuditCode.CLICK_LATE, "", about)  # the line says it


async def _forget_memory(tx: Transaction, click: ButtonClick, memory: str, _caption: str = "") -> str:
    """Erase a saved memory. The caption quotes it, so it goes with it."""
    if not await tx.work.memories.forget(click.team, click.user, memory, at=tx.now):
        return ""
    tx.record(
        AuditEvent(team=click.team, code=AuditCode.MEMORY_FORGOTTEN, actor=click.user, details={"memory": memory})
    )
    return to_people.FORGOTTEN_MEMORY


async def _end_schedule(tx: Transaction, click: ButtonClick, schedule_id: str, caption: str) -> str:
    """End a schedule, active or paused. The caption says which one it was: several can stand below each other."""
    known = await tx.work.schedules.find(schedule_id)
    if known is None or (known.team, known.user) != (click.team, click.user) or known.state is ScheduleState.ENDED:
        return ""
    await tx.work.schedules.move(known, ScheduleState.ENDED)
    details = {"schedule": known.id, "kind": known.kind.value}
    tx.record(AuditEvent(team=click.team, code=AuditCode.SCHEDULE_ENDED, actor=click.user, details=details))
    return f"{caption}: {to_people.SCHEDULE_TAKEN_BACK}"


_TAKE_BACK = {"memory": _forget_memory, "schedule": _end_schedule}
"""By kind: takes it back and notes that in the log. What the action's line says then; "" for what is gone already, or
not this person's.
"""


async def forget(transactions: TransactionFactory, click: ButtonClick) -> ClickOutcome:
    """Forget the memory that App Home lists, whose id is `click.value`. The line that told of it is written anew.
    Raises `NotSaved`.
    """
    async with transactions.write_promptly() as tx:
        action = await tx.work.actions.that_left(click.team, click.user, Undo("memory", click.value))
        if action is not None:
            await tx.work.threads.lock(action.thread_id)
        said = await _forget_memory(tx, click, click.value)
        if not said:
            return ClickRejected(AuditCode.CLICK_UNKNOWN, to_people.GONE_ALREADY).record(tx, click)
        if action is not None:
            await tell_undone(tx, action, said)
        tx.publish(HomeChanged(click.team, click.user))
        return ClickOutcome(accepted=True)


async def _locked(tx: Transaction, action_id: str) -> Action | None:
    """The action as it stays until the transaction ends: a click at the same moment has undone it, or waits."""
    seen = await tx.work.actions.known(action_id)
    if seen is not None:
        await tx.work.threads.lock(seen.thread_id)
    return seen and await tx.work.actions.known(action_id)


# Deferred actions: one click wins, or the claim -----------------------------------------------------------------


async def undo_deferred(transactions: TransactionFactory, click: ButtonClick) -> ClickOutcome:
    """Cancel what waits, unless it was begun before; `click.value` is the waiting run's id. Raises `NotSaved`."""
    return await handle(transactions, click, _undo_deferred)


async def send_now(transactions: TransactionFactory, click: ButtonClick) -> ClickOutcome:
    """Have what waits done at once; `click.value` is the waiting run's id. Raises `NotSaved`."""
    return await handle(transactions, click, _send_now)


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


async def _undo_deferred(tx: Transaction, click: ButtonClick) -> None:
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
