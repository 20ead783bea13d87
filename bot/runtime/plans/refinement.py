"""Changing a proposed plan in words that are no reply in its thread: from a window, or the command line. It is as if
they had been said there (`bot.runtime.runs.steering`).
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain import ids
from bot.domain.audit import AuditCode
from bot.domain.conditions import is_refined_by_reply
from bot.domain.questions import Question, QuestionState
from bot.domain.threads import Audience, Message, Speaker
from bot.runtime.actions.asking.plan_questions import refine
from bot.runtime.core.clicks import (
    ButtonClick,
    ClickOutcome,
    ClickRejected,
    handle,
    on_its_card,
    owner_only,
    question_of,
)
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.progress import step_locked
from bot.runtime.lifecycle.questions import close_question
from bot.runtime.questions.decide import still_asked
from bot.runtime.texts import about_plans
from policies.types import Label

WORDS_KEPT = 3_000  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Refinement(ButtonClick):
    """What is to be different about the plan on a card; `by_operator`: its owner did not type these words."""

    words: str
    by_operator: bool = False


async def refine_plan(transactions: TransactionFactory, wanted: Refinement) -> ClickOutcome:
    """Have the plan changed; it is proposed anew. Raises `NotSaved`."""
    return await handle(transactions, wanted, _refine, choice="refine")


async def _refine(tx: Transaction, wanted: Refinement) -> None:
    question = await question_of(tx, wanted)
    await owner_only(tx, wanted, question, "Only <@{owner}> can have this plan changed.")
    await on_its_card(tx, wanted, question)
    words = wanted.words.strip()[:WORDS_KEPT]
    if not words:
        raise ClickRejected(AuditCode.CLICK_WRONG_CHOICE, about_plans.SAY_WHAT, question)
    if not is_refined_by_reply(question.kind):
        raise ClickRejected(AuditCode.CLICK_WRONG_CHOICE, about_plans.NO_PLAN, question)
    async with step_locked(tx, question.step_id, woken=True):
        question = await still_asked(tx, question)
        await tx.work.messages.add(await _said(tx, question, wanted, words))
        await close_question(tx, question, QuestionState.REPLACED, actor=wanted.user, reason=words)
        await refine(tx, await tx.work.actions.find(question.action_id), by=wanted.user, by_operator=wanted.by_operator)


async def _said(tx: Transaction, question: Question, wanted: Refinement, words: str) -> Message:
    """The same as a message to the run."""
    run = await tx.work.runs.find(question.run_id)
    asked = await tx.work.messages.find(run.message_id)
    return Message(
        id=ids.new_id("msg"),
        thread_id=run.thread_id,
        team=run.team,
        speaker=Speaker.PERSON,
        author=wanted.user,
        text=words,
        typed="" if wanted.by_operator else words,
        channel=asked.channel,
        root_ts=asked.root_ts,
        audience=Audience.OWNER if run.private else asked.audience,
        owner=run.user if run.private else asked.owner,
        label=Label.MEMBER,
        steers=run.id,
        created_at=tx.now,
    )
