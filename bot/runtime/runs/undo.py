"""Undoing: what the agent did in our own store is taken back by its owner, in one transaction (docs/cards.md).

A result names what Undo would take back as `<kind>:<id>`. The button carries the id of the action; whose that is, is
looked up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from bot.domain.actions import UNDONE, Action, ActionState, Undo
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import DeliveryKind
from bot.domain.events import HomeChanged
from bot.domain.schedules import ScheduleState
from bot.runtime.core.clicks import ButtonClick, ClickOutcome, ClickRejected, handle
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.texts import to_people


class TakeBack(Protocol):
    """Takes one kind of thing back."""

    def said(self, caption: str) -> str:
        """What stands there afterwards, in place of an action with this caption."""
        ...

    async def take_back(self, tx: Transaction, *, team: str, user: str, subject: str) -> bool:
        """Take it back, and note it in the log; False when it is gone already, or not this person's."""
        ...


@dataclass(frozen=True, slots=True)
class ForgetMemory:
    """Erases a saved memory."""

    def said(self, caption: str) -> str:
        """The caption quotes the memory, so it goes with it."""
        return to_people.FORGOTTEN_MEMORY

    async def take_back(self, tx: Transaction, *, team: str, user: str, subject: str) -> bool:
        """As `TakeBack` says."""
        forgotten = await tx.work.memories.forget(team, user, subject, at=tx.now)
        if forgotten:
            tx.record(AuditEvent(team=team, code=AuditCode.MEMORY_FORGOTTEN, actor=user, details={"memory": subject}))
        return forgotten


@dataclass(frozen=True, slots=True)
class EndSchedule:
    """Ends a schedule, active or paused."""

    def said(self, caption: str) -> str:
        """Which one it was: several can stand below each other."""
        return f"{caption}: {to_people.SCHEDULE_TAKEN_BACK}"

    async def take_back(self, tx: Transaction, *, team: str, user: str, subject: str) -> bool:
        """As `TakeBack` says."""
        known = await tx.work.schedules.find(subject)
        if known is None or (known.team, known.user) != (team, user) or known.state is ScheduleState.ENDED:
            return False
        await tx.work.schedules.move(known, ScheduleState.ENDED)
        details = {"schedule": known.id, "kind": known.kind.value}
        tx.record(AuditEvent(team=team, code=AuditCode.SCHEDULE_ENDED, actor=user, details=details))
        return True


def _ways() -> Mapping[str, TakeBack]:
    return {"memory": ForgetMemory(), "schedule": EndSchedule()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Undoing:
    """Takes back the action whose Undo was clicked."""

    transactions: TransactionFactory
    ways: Mapping[str, TakeBack] = field(default_factory=_ways)

    async def undo(self, click: ButtonClick) -> ClickOutcome:
        """One click; `click.value` is the action's id. The action's line is written anew. Raises `NotSaved`."""
        return await handle(self.transactions, click, self._undo)

    async def _undo(self, tx: Transaction, click: ButtonClick) -> None:
        action = await _locked(tx, click.value)
        if action is None:
            raise ClickRejected(AuditCode.CLICK_UNKNOWN, to_people.NOT_YOURS_TO_UNDO)
        about = await tx.work.runs.find(action.run_id)
        if (action.team, action.user) != (click.team, click.user):
            raise ClickRejected(AuditCode.CLICK_WRONG_PERSON, to_people.NOT_YOURS_TO_UNDO, about)
        way = self.ways.get(action.undo.kind) if action.undo else None
        if action.undo is None or way is None or action.state is not ActionState.COMPLETED:
            raise ClickRejected(AuditCode.CLICK_LATE, to_people.GONE_ALREADY, about)
        gone = not await way.take_back(tx, team=click.team, user=click.user, subject=action.undo.subject)
        await _rewrite(tx, action, to_people.GONE_ALREADY if gone else way.said(action.caption))
        tx.publish(HomeChanged(click.team, click.user))
        if gone:
            raise ClickRejected(AuditCode.CLICK_LATE, to_people.GONE_ALREADY, about)

    async def forget(self, click: ButtonClick) -> ClickOutcome:
        """One click on a memory that App Home lists, whose id is its value. The line that told of it is written anew.
        Raises `NotSaved`.
        """
        way = ForgetMemory()
        async with self.transactions.write_promptly() as tx:
            action = await tx.work.actions.that_left(click.team, click.user, Undo("memory", click.value))
            if action is not None:
                await tx.work.threads.lock(action.thread_id)
            if not await way.take_back(tx, team=click.team, user=click.user, subject=click.value):
                return ClickRejected(AuditCode.CLICK_UNKNOWN, to_people.GONE_ALREADY).record(tx, click)
            if action is not None:
                await _rewrite(tx, action, way.said(action.caption))
            tx.publish(HomeChanged(click.team, click.user))
            return ClickOutcome(accepted=True)


async def _rewrite(tx: Transaction, action: Action, told: str) -> None:
    await tx.work.actions.change(action.id, undo=UNDONE, summary=told)
    await tx.deliver(action.thread_id, DeliveryKind.NOTICE, action.id, team=action.team)


async def _locked(tx: Transaction, action_id: str) -> Action | None:
    """The action as it stays until the transaction ends: a click at the same moment has undone it, or waits."""
    seen = await tx.work.actions.known(action_id)
    if seen is not None:
        await tx.work.threads.lock(seen.thread_id)
    return seen and await tx.work.actions.known(action_id)
