"""Posing a question: the row of a fresh one about an action, whatever its kind (docs/states.md §3)."""

from __future__ import annotations

from datetime import timedelta

from bot.domain import ids
from bot.domain.actions import Action
from bot.domain.questions import Question, QuestionKind, QuestionState
from bot.runtime.core import limits
from bot.runtime.core.transaction import Transaction


def new_question(
    action: Action,
    kind: QuestionKind,
    bound: str,
    tx: Transaction,
    *,
    life: timedelta | None = None,
    **payload: object,
) -> Question:
    """A fresh question about an action; its owner is reminded of it at half time."""
    life = life or (limits.SETTLE_LIFE if kind is QuestionKind.SETTLE else limits.QUESTION_LIFE)
    return Question(
        id=ids.new_id("q"),
        kind=kind,
        run_id=action.run_id,
        step_id=action.step_id,
        action_id=action.id,
        thread_id=action.thread_id,
        team=action.team,
        user=action.user,
        state=QuestionState.OPEN,
        nonce=ids.new_nonce(),
        edition=action.edition,
        hash=bound,
        payload=payload,
        created_at=tx.now,
        expires_at=tx.now + life,
        remind_at=tx.now + life / 2,
    )
