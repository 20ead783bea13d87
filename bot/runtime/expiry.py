"""What time does to questions: one reminder at half time, and their end when nobody answered (docs/time.md).

Every replica ticks. Each question has a transaction of its own, which looks again after it locked what it moves: a
click that comes at the same moment wins, or is told.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.actions import ActionState
from bot.domain.conditions import in_time, is_open
from bot.domain.deliveries import DeliveryKind
from bot.domain.questions import Question, QuestionState
from bot.runtime import model_words
from bot.runtime.leases import Journal
from bot.runtime.rounds import alone, shuffled
from bot.runtime.transitions import Transitions

BATCH = 100
"""Questions that one tick looks at; the next tick, a second later, takes the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expiry:
    """Expires and reminds."""

    journal: Journal

    async def tick(self) -> None:
        """Everything whose time has come; what cannot be done now stays due. Raises `NotRead`."""
        now = self.journal.clock.now()
        async with self.journal.store.read() as work:
            over = await work.questions.expired(now=now, limit=BATCH)
            half = await work.questions.to_remind(now=now, limit=BATCH)
        for question in shuffled(over):
            async with alone(self.journal, "expiry", question.id) as moves:
                await expire(moves, question)
        for question in shuffled(half):
            async with alone(self.journal, "reminder", question.id) as moves:
                await _remind(moves, question)


async def expire(moves: Transitions, question: Question) -> None:
    """Nobody answered: its action waits no more, and the run goes where `after` says. Nothing for what is not over."""
    await moves.lock(question.step_id)
    current = await moves.work.questions.find(question.id)
    if current is None or not is_open(current.state) or in_time(current.expires_at, moves.now):
        return
    await moves.close(current, QuestionState.EXPIRED)
    action = await moves.work.actions.find(current.action_id)
    if action.state is ActionState.AWAITING:
        await moves.action(action, ActionState.EXPIRED, code="action.expired", response=model_words.expired())
    await moves.after(current.step_id)


async def _remind(moves: Transitions, question: Question) -> None:
    """One line to its owner, which says nothing when it is delivered after a decision, or after its end."""
    await moves.work.questions.reminded(question, at=moves.now)
    await moves.deliver(question.thread_id, DeliveryKind.REMINDER, question.id, team=question.team)
