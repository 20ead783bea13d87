"""Lateness: the word "done" of a worker that lost its lease while it acted (docs/states.md §2).

Nothing else such a worker says counts: its lease is gone. But what is done is done, and once its owner is asked what
happened, this is the answer.
"""

from __future__ import annotations

from enum import StrEnum

from bot.domain.actions import Action, ActionState
from bot.domain.conditions import may_take_late, same_attempt
from bot.domain.questions import QuestionState
from bot.runtime.leases import Journal
from bot.runtime.results import record_result
from bot.runtime.transitions import Transitions
from integrations.base import Result


class Late(StrEnum):
    """What became of a late word."""

    TAKEN = "taken"
    NOT_YET = "not yet"  # whoever has the lease now waits for the deadline, or asks the provider
    IN_VAIN = "in vain"  # nobody is in doubt about this attempt


async def take_late(journal: Journal, action: Action, result: Result) -> Late:
    """unknown → completed, without a lease, when somebody is in doubt about this attempt. Raises `NotSaved`.

    The run follows its open step, unless it rests or ended: then only the card says it.
    """
    async with journal.write() as moves:
        await moves.work.threads.lock(action.thread_id)
        await moves.lock(action.step_id)
        current = await moves.work.actions.find(action.id)
        if not may_take_late(current.state, told=action.attempt, attempt=current.attempt):
            settling = current.state is ActionState.EXECUTING and same_attempt(action.attempt, current.attempt)
            return Late.NOT_YET if settling else Late.IN_VAIN
        await _settle_by_itself(moves, current)
        await record_result(moves, current, result, code="action.reconciled")
        await moves.after(action.step_id)
        return Late.TAKEN


async def _settle_by_itself(moves: Transitions, action: Action) -> None:
    """Nobody needs to be asked any more."""
    for question in await moves.work.questions.open_of_run(action.run_id):
        if question.action_id == action.id:
            await moves.close(question, QuestionState.WITHDRAWN)
