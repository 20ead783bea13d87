"""What time does to questions: one reminder at half time, of the person it waits for, the end of the turn of somebody
who has to agree, or left, and the end of the question when nobody answered (docs/time.md).

Every replica ticks. Each question has a transaction of its own, which looks again after it locked what it moves. A
click at the same moment wins, or is told.
"""

from __future__ import annotations

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import in_time, is_open
from bot.domain.questions import Question, QuestionState
from bot.runtime.core.batch import isolated, shuffled
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.actions import move_action
from bot.runtime.lifecycle.progress import step_locked
from bot.runtime.lifecycle.questions import close_question, remind
from bot.runtime.questions.agreement import end_turn
from bot.runtime.texts import to_model

BATCH = 100
"""Questions that one tick looks at; the next tick, a second later, takes the rest."""


async def tick(transactions: TransactionFactory) -> None:
    """Expire and remind where the time has come; what cannot be done now stays due. Raises `NotRead`."""
    now = transactions.clock.now()
    async with transactions.store.read() as work:
        over = await work.questions.expired(now=now, limit=BATCH)
        waited = await work.questions.turns_over(now=now, limit=BATCH)
        gone = await work.questions.readers_gone(limit=BATCH)
        half = await work.questions.to_remind(now=now, limit=BATCH)
    for question in shuffled(over):
        async with isolated(transactions, "expiry", question.id) as tx:
            await expire(tx, question)
    for question in shuffled([*gone, *waited]):
        async with isolated(transactions, "turn", question.id) as tx:
            await end_turn(tx, question)
    for question in shuffled(half):
        async with isolated(transactions, "reminder", question.id) as tx:
            await _remind(tx, question)


async def expire(tx: Transaction, question: Question) -> None:
    """Nobody answered: its action waits no more, and the run goes where `after` says. Nothing for what is not over."""
    async with step_locked(tx, question.step_id):
        current = await tx.work.questions.find(question.id)
        if current is None or not is_open(current.state) or in_time(current.expires_at, tx.now):
            return
        await close_question(tx, current, QuestionState.EXPIRED)
        action = await tx.work.actions.find(current.action_id)
        if action.state is ActionState.AWAITING:
            await move_action(
                tx, action, ActionState.EXPIRED, code=AuditCode.ACTION_EXPIRED, response=to_model.expired()
            )


async def _remind(tx: Transaction, question: Question) -> None:
    """It says nothing when it is delivered after a decision, or when it waits for them no more."""
    await tx.work.questions.reminded(question, at=tx.now)
    await remind(tx, question)
