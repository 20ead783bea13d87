"""Transitions of a question, each with its card and its audit entry (docs/states.md §3)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Unpack

from bot.domain import ids
from bot.domain.actions import Action
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import CardReminder, DeliveryKind
from bot.domain.events import HomeChanged, QuestionAsked
from bot.domain.questions import (
    SETTLE_LIFE,
    Question,
    QuestionChanges,
    QuestionKind,
    QuestionPayload,
    QuestionState,
    ReaderTurn,
)
from bot.domain.runs import Run
from bot.runtime.core.transaction import AGENT, Transaction


def new_question(
    action: Action, payload: QuestionPayload, bound: str, tx: Transaction, *, life: timedelta | None = None
) -> Question:
    """A fresh question about an action; its owner is reminded of it at half time."""
    life = life or (SETTLE_LIFE if payload.kind is QuestionKind.SETTLE else tx.question_life)
    return Question(
        id=ids.new_id("q"),
        kind=payload.kind,
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


async def ask_question(tx: Transaction, question: Question) -> None:
    """Open a question: its row, the delivery of its card, its audit entry."""
    tx.step_changed(question.step_id)
    if tx.working_set is not None:
        tx.working_set.never_asked.discard(question.action_id)
    await tx.work.questions.add(question)
    await tx.deliver(question.thread_id, DeliveryKind.CARD, question.id, team=question.team)
    record_question(tx, question, AuditCode.QUESTION_ASKED, AGENT)
    tx.publish(QuestionAsked(question.run_id, question.kind))


async def close_question(
    tx: Transaction,
    question: Question,
    state: QuestionState,
    *,
    actor: str = AGENT,
    variant: str = "",
    **changes: Unpack[QuestionChanges],
) -> Question:
    """End a question, have its card written anew and its reminder taken away; `changes` say who decided what, `variant`
    which button of the card it was, where it is none of those that every card has.

    Raises `LostRace` when it was not open any more.
    """
    tx.step_changed(question.step_id)
    closed: QuestionChanges = {**changes, "decided_at": tx.now}
    question = await tx.work.questions.move(question, state, **closed)
    await tx.deliver(question.thread_id, DeliveryKind.CARD, question.id, team=question.team)
    if question.reminded_at is not None:
        await remind(tx, question)
    record_question(tx, question, AuditCode.of("question", state), actor, **({"variant": variant} if variant else {}))
    return question


async def show_to_next(
    tx: Transaction,
    question: Question,
    turn: tuple[ReaderTurn, bool],
    code: AuditCode,
    *,
    actor: str,
    about: Mapping[str, object],
) -> None:
    """It is somebody's turn to agree, with whether their turn ends before the question: they are shown the card, and
    all who were shown it how it stands. They are reminded at half of their turn, and the person it waited for before is
    not any more. Raises `LostRace` when it is not open any more.
    """
    (now, followed), before = turn, question
    question = await tx.work.questions.pass_on(
        question, [*question.turns, now], over_at=now.ends_at if followed else None, remind_at=now.half
    )
    tx.step_changed(question.step_id)
    await tx.deliver(question.thread_id, DeliveryKind.CARD, question.id, team=question.team)
    if before.reminded_at is not None:
        await remind(tx, before)
    record_question(tx, question, code, actor, next=now.user, **about)
    tx.publish(HomeChanged(question.team, before.waits_for))


async def remind(tx: Transaction, question: Question) -> None:
    """One line to the person it waits for; where it waits for them no more, the line is taken away."""
    subject = CardReminder(question.id, question.reader or "")
    await tx.deliver(question.thread_id, DeliveryKind.REMINDER, str(subject), team=question.team)


def record_question(tx: Transaction, question: Question, code: AuditCode, actor: str, **about: object) -> None:
    """Have this of a question in the log, and App Home written anew for the people it concerns."""
    details: dict[str, object] = {
        "question": question.id,
        "kind": question.kind.value,
        "action": question.action_id,
        "sha256": question.hash,
    }
    if question.decision:
        details["decision"] = question.decision.value
    details |= about
    tx.record(AuditEvent(team=question.team, code=code, actor=actor, run_id=question.run_id, details=details))
    for person in {question.user, question.waits_for}:
        tx.publish(HomeChanged(question.team, person))


async def withdraw_questions(tx: Transaction, run: Run) -> None:
    """Withdraw what the run still asks."""
    for question in await tx.work.questions.open_of_run(run.id):
        await close_question(tx, question, QuestionState.WITHDRAWN)
