"""Late results: the word "done" of a worker that lost its lease while it acted (docs/states.md §2).

Nothing else that such a worker says counts, because its lease is gone. Once the owner is asked what happened, this is
the answer.
"""

from __future__ import annotations

from enum import StrEnum

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import may_take_late, same_attempt
from bot.domain.questions import QuestionState
from bot.runtime.actions.results import record_result
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.progress import step_locked
from bot.runtime.lifecycle.questions import close_question
from integrations.base import Result


class LateResult(StrEnum):
    """What became of a late word."""

    TAKEN = "taken"
    NOT_YET = "not yet"  # the holder of the lease now waits for the deadline, or asks the provider
    IN_VAIN = "in vain"  # nobody is in doubt about this attempt


async def take_late(transactions: TransactionFactory, action: Action, result: Result) -> LateResult:
    """unknown → completed, without a lease, when somebody is in doubt about this attempt. Raises `NotSaved`.

    The run follows its open step, unless it rests or ended: then only the card says it.
    """
    async with transactions.write() as tx:
        await tx.work.threads.lock(action.thread_id)
        async with step_locked(tx, action.step_id):
            current = await tx.work.actions.find(action.id)
            if not may_take_late(current.state, told=action.attempt, attempt=current.attempt):
                settling = current.state is ActionState.EXECUTING and same_attempt(action.attempt, current.attempt)
                return LateResult.NOT_YET if settling else LateResult.IN_VAIN
            await _settle_by_itself(tx, current)
            await record_result(tx, current, result, code=AuditCode.ACTION_RECONCILED)
            return LateResult.TAKEN


async def _settle_by_itself(tx: Transaction, action: Action) -> None:
    """Nobody needs to be asked any more."""
    for question in await tx.work.questions.open_of_run(action.run_id):
        if question.action_id == action.id:
            await close_question(tx, question, QuestionState.WITHDRAWN)
