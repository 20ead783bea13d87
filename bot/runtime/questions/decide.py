"""Questions: a click is checked against rows, and the first one wins (docs/states.md §3).

Every refusal is audited and the clicker is told what happened. A vote only changes state; the runner acts on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.domain.actions import Action, ActionState, Approval
from bot.domain.audit import AuditCode
from bot.domain.conditions import in_time, is_current, is_open, may_vote
from bot.domain.confirmations import Confirmation, missing, must_be_read
from bot.domain.questions import APPROVAL_LIFE, HASTY, Choice, Question, QuestionChanges, QuestionKind, QuestionState
from bot.domain.threads import zone_of
from bot.runtime.actions.asking import plan_questions, tool_questions
from bot.runtime.actions.previews import preview_of
from bot.runtime.actions.rejections import not_now, reject, reject_for
from bot.runtime.core.clicks import (
    ButtonClick,
    ClickOutcome,
    ClickRejected,
    handle,
    on_its_card,
    question_of,
    readers_only,
)
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.actions import move_action, rewrite_card, settle_action
from bot.runtime.lifecycle.privacy import make_private_like_card
from bot.runtime.lifecycle.progress import step_locked
from bot.runtime.lifecycle.questions import close_question
from bot.runtime.questions.agreement import agreed_to, is_decided
from bot.runtime.questions.connect import decline_beside, decline_elsewhere
from bot.runtime.questions.expiry import expire
from bot.runtime.texts import about_times, to_model, to_people
from bot.store.unit_of_work import UnitOfWork
from policies.types import EffectClass, Label

_DESTRUCTIVE_LIFE_MINUTES = 15
_DID_NOT_HAPPEN = "Its owner says that it did not happen."


@dataclass(frozen=True, slots=True, kw_only=True)
class Click(ButtonClick):
    """A click on a choice of a card; for `Choice.ANSWER` it is the `option` at this place.

    `confirmed` is what was filled into the window of a card that a plain yes does not do for. `by_operator`:
    somebody else made the click for them, on the command line.
    """

    choice: Choice
    option: int | None = None
    reason: str = ""
    confirmed: Confirmation | None = None
    by_operator: bool = False


_KINDS = {
    QuestionKind.APPROVE: {Choice.APPROVE, Choice.REJECT},
    QuestionKind.SETTLE: {Choice.HAPPENED, Choice.DID_NOT, Choice.TRY_AGAIN},
    QuestionKind.ANSWER: {Choice.ANSWER, Choice.NONE},
    QuestionKind.CONNECT: {Choice.REJECT},
    QuestionKind.PLAN: {Choice.CONFIRM, Choice.REJECT},
}


async def decide(transactions: TransactionFactory, click: Click) -> ClickOutcome:
    """One click, in one transaction. Raises `NotSaved`."""
    return await handle(transactions, click, _clicked, choice=click.choice.value)


async def turned_away(transactions: TransactionFactory, click: ButtonClick, wanted: str) -> None:
    """Record a refused click: the card belongs to someone else, does not exist, or is closed. Raises `NotSaved`."""
    async with transactions.write_promptly() as tx:
        (await _why_not(tx, click)).record(tx, click, choice=wanted)


async def _clicked(tx: Transaction, click: Click) -> None:
    question = await question_of(tx, click)
    await readers_only(tx, click, question, "Only <@{owner}> can decide this.")
    await on_its_card(tx, click, question)
    if not _is_offered(click, question):
        raise ClickRejected(AuditCode.CLICK_WRONG_CHOICE, to_people.NOT_ITS_BUTTON, question)
    async with step_locked(tx, question.step_id, woken=True):
        await _decide(tx, await still_asked(tx, question), click)


def _is_offered(click: Click, question: Question) -> bool:
    """Whether a question of this kind has this choice, and this option."""
    if click.choice is Choice.ANSWER and click.option not in range(len(tool_questions.options_of(question))):
        return False
    return click.choice in _KINDS.get(question.kind, set())


async def _decide(tx: Transaction, question: Question, click: Click) -> None:
    _check_turn(question, click, tx.now)
    await _check_shown(tx, question, click)
    if question.reader and click.user == question.user:
        await _take_back(tx, question, click)
    else:
        await vote(tx, question, click.user, click.choice)
    if question.kind is QuestionKind.ANSWER:
        await tool_questions.settle(tx, question, tool_questions.ToolAnswer(by=click.user, option=click.option))
        return
    about = pace(question, click.user, tx.now)
    if click.choice is Choice.APPROVE and not await is_decided(tx, question, by=click.user, about=about):
        return
    decided: QuestionChanges = {"decided_by": click.user, "decision": click.choice, "reason": click.reason[:2000]}
    await close_question(tx, question, QuestionState.DECIDED, actor=click.user, **decided)
    action = await tx.work.actions.find(question.action_id)
    match click.choice:
        case Choice.APPROVE:
            await _approve(tx, question, action, click, about)
        case Choice.CONFIRM:
            await plan_questions.confirm(tx, question, action, by=click.user, by_operator=click.by_operator)
        case Choice.REJECT if question.kind is QuestionKind.PLAN:
            await plan_questions.drop(tx, action, by=click.user)
        case Choice.REJECT if question.kind is QuestionKind.CONNECT:
            await not_now(tx, action)
            await decline_beside(tx, question)
            await decline_elsewhere(tx, question)
        case Choice.REJECT:
            await _reject(tx, question, action, click, about)
        case Choice.HAPPENED | Choice.DID_NOT:
            await _settle(tx, action, click)
        case _:
            await _try_again(tx, question, action, click)


def _check_turn(question: Question, click: Click, now: datetime) -> None:
    """The person in turn is who decides; its owner may take it back as long as it is open. Who stood in for
    somebody until now decides no more. Raises `ClickRejected`.
    """
    says_no = click.choice is Choice.REJECT
    if not may_vote(click.user, owner=question.user, waits_for=question.waits_for, says_no=says_no):
        told = to_people.NOT_IN_TURN.format(reader=question.waits_for)
        raise ClickRejected(AuditCode.CLICK_NOT_IN_TURN, told, question)
    if not question.may_say(click.user, now):
        raise ClickRejected(AuditCode.CLICK_NOT_IN_TURN, to_people.STANDS_IN_NO_MORE, question)


async def _take_back(tx: Transaction, question: Question, click: Click) -> None:
    """Its owner agreed, others are asked, and they say no."""
    await tx.work.questions.take_back(question, user=click.user, choice=click.choice.value, at=tx.now)


def pace(question: Question, user: str, now: datetime) -> dict[str, object]:
    """How long this person was asked, for the log; what was hardly read is marked."""
    took = now - question.shown_since(user)
    hasty = {"hasty": True} if took < HASTY else {}
    return {"latency_ms": took // timedelta(milliseconds=1), **hasty}


async def _check_shown(tx: Transaction, question: Question, click: Click) -> None:
    """Nobody approves what no card can show, nor with a plain yes what is long or what nobody named, nor confirms what
    is not begun any more; raises `ClickRejected`.
    """
    if click.choice is Choice.APPROVE:
        action = await tx.work.actions.find(question.action_id)
        preview = preview_of(action)
        if not preview.shows_destinations():
            raise ClickRejected(AuditCode.CLICK_WRONG_CHOICE, to_people.TOO_MANY_DESTINATIONS, question)
        is_long = must_be_read(preview)
        _check_confirmed(action, question, click.confirmed, has_window=is_long)
        if is_long and not (click.confirmed and click.confirmed.read):
            raise ClickRejected(AuditCode.CLICK_NOT_READ, to_people.READ_FIRST, question)
    if click.choice is Choice.CONFIRM:
        deadline_at = (await tx.work.runs.find(question.run_id)).deadline_at
        if deadline_at is not None and deadline_at <= tx.now:
            raise ClickRejected(AuditCode.CLICK_LATE, to_people.DEADLINE_OVER, question)


def _check_confirmed(action: Action, question: Question, given: Confirmation | None, *, has_window: bool) -> None:
    """What a guard asks about was confirmed, value by value, and no window counts but one that its card has; raises
    `ClickRejected`.
    """
    if action.verdict is None or not action.verdict.is_by_guard:
        if given is not None and not has_window:
            raise ClickRejected(AuditCode.CLICK_WRONG_CHOICE, to_people.NOT_ITS_BUTTON, question)
        return
    if given is None:
        raise ClickRejected(AuditCode.CLICK_NOT_CONFIRMED, to_people.CHECK_FIRST, question)
    if wrong := missing(action.verdict.unnamed, given):
        raise ClickRejected(AuditCode.CLICK_NOT_CONFIRMED, to_people.NOT_CONFIRMED, question, wrong)


def approval_of(action: Action, hash_: str, by: str, now: datetime, expires_at: datetime) -> Approval:
    """An approval lives until its question's expiry or an hour after the vote; a destructive one is short."""
    if action.effect is EffectClass.DESTRUCTIVE:
        until = now + APPROVAL_LIFE * (_DESTRUCTIVE_LIFE_MINUTES / 60)
    else:
        until = max(expires_at, now + APPROVAL_LIFE)
    return Approval(hash=hash_, by=by, at=now, expires_at=until)


async def _approve(
    tx: Transaction, question: Question, action: Action, click: Click, about: Mapping[str, object]
) -> None:
    agreed = await agreed_to(tx, question) if question.deciders else ()
    approval = approval_of(action, question.hash, question.user, tx.now, question.expires_at)
    await move_action(
        tx,
        action,
        ActionState.APPROVED,
        code=AuditCode.ACTION_APPROVED,
        actor=click.user,
        about=about,
        approval=replace(approval, agreed=agreed),
    )
    tx.serve_soon(action.thread_id)


async def _reject(
    tx: Transaction, question: Question, action: Action, click: Click, about: Mapping[str, object]
) -> None:
    if click.reason:
        await make_private_like_card(tx, action)
    if click.user != question.user:
        await reject_for(tx, action, by=click.user, reason=click.reason, about=about)
    else:
        await reject(tx, action, by=click.user, reason=click.reason, about=about)


async def _settle(tx: Transaction, action: Action, click: Click) -> None:
    """unknown → completed or failed, as its owner says."""
    happened = click.choice is Choice.HAPPENED
    done = {"output": {"settled_by_owner": True}, "trust": Label.OWNER.value}
    summary = f"{action.caption}: its owner says that it happened" if happened else _DID_NOT_HAPPEN
    await settle_action(
        tx,
        action,
        ActionState.COMPLETED if happened else ActionState.FAILED,
        code=AuditCode.ACTION_SETTLED,
        response=done if happened else to_model.error("not_done", "The person looked: it did not happen."),
        actor=click.user,
        doubt=False,
        summary=summary,
    )
    await rewrite_card(tx, action)


async def _try_again(tx: Transaction, question: Question, action: Action, click: Click) -> None:
    """Its owner accepts the doubt: it may run once more, as it was approved."""
    approval = approval_of(action, question.hash, click.user, tx.now, question.expires_at)
    await move_action(
        tx,
        action,
        ActionState.APPROVED,
        code=AuditCode.ACTION_TRY_AGAIN,
        actor=click.user,
        approval=approval,
        response=None,
    )


async def _why_not(tx: Transaction, click: ButtonClick) -> ClickRejected:
    try:
        question = await question_of(tx, click)
        await readers_only(tx, click, question, "")
    except ClickRejected as rejected:
        return rejected
    return ClickRejected(AuditCode.CLICK_LATE, "", question)


async def still_asked(tx: Transaction, seen: Question) -> Question:
    """The question, whose step is locked: open, in time, and about the present edition; raises `ClickRejected`
    with what became of it. What came late is written down as expired.
    """
    question = await tx.work.questions.find(seen.id)
    assert question is not None, "it is forgotten with its step, which is locked"
    if not is_open(question.state):
        raise ClickRejected(AuditCode.CLICK_LATE, await came_of(tx.work, question), question)
    action = await tx.work.actions.find(question.action_id)
    if not is_current(question.edition, action.edition):
        raise ClickRejected(AuditCode.CLICK_OLD_EDITION, "This was changed since; use the newer card.", question)
    if not in_time(question.expires_at, tx.now):
        await expire(tx, question)
        raise ClickRejected(AuditCode.CLICK_LATE, to_people.EXPIRED, question)
    return question


async def vote(tx: Transaction, question: Question, user: str, choice: Choice) -> None:
    """One person's, once; raises `ClickRejected`."""
    if not await tx.work.questions.vote(question, user=user, choice=choice.value, at=tx.now):
        raise ClickRejected(AuditCode.CLICK_LATE, to_people.DECIDED_MEANWHILE, question)


async def came_of(work: UnitOfWork, question: Question) -> str:
    """What became of a question that is not open any more, in words."""
    action = await work.actions.find(question.action_id)
    match question.state:
        case QuestionState.DECIDED:
            person = await work.users.find(question.team, question.user)
            assert question.decided_at is not None, "it is written down with the decision"
            when = about_times.moment(question.decided_at, zone_of(person))
            said = question.reason if question.decision is Choice.ANSWER else _said(question)
            return (
                f"Already decided: <@{question.decided_by}> said “{said}” on {when}. "
                f"What came of it: {action.state.caption}."
            )
        case QuestionState.EXPIRED:
            return to_people.EXPIRED
        case QuestionState.REPLACED:
            return "This was changed or looked at again since; use the newer card."
        case _:
            return "This question was withdrawn, so nothing was done."


def _said(question: Question) -> str:
    if question.decision is Choice.NONE:
        return "none of these"
    return (question.decision or Choice.APPROVE).value.replace("_", " ")
