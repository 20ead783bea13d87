"""Questions: a click comes in by the front door, is checked against rows, the first one wins (docs/states.md §3).

Every refusal is audited and the clicker is told what happened. A vote only changes state; the runner acts on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.domain.actions import Action, ActionState, Approval
from bot.domain.conditions import in_time, is_current, is_open
from bot.domain.questions import Choice, Question, QuestionKind, QuestionState
from bot.domain.threads import zone_of
from bot.runtime import asking, limits, model_words, words
from bot.runtime.connect_questions import decline_beside, decline_elsewhere, not_now
from bot.runtime.expiry import expire
from bot.runtime.leases import Journal
from bot.runtime.ports import PATIENCE_SECONDS, UnitOfWork
from bot.runtime.presses import ClickOutcome, Press, Refused, on_its_card, owner_only, question_of, take_press
from bot.runtime.transitions import Transitions
from policies.types import EffectClass, Label

_DESTRUCTIVE_LIFE_MINUTES = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Click(Press):
    """A press on a choice of a card; for `Choice.ANSWER` it is the `option` at this place."""

    choice: Choice
    option: int | None = None
    reason: str = ""


_KINDS = {
    QuestionKind.APPROVE: {Choice.APPROVE, Choice.REJECT},
    QuestionKind.SETTLE: {Choice.HAPPENED, Choice.DID_NOT, Choice.TRY_AGAIN},
    QuestionKind.ANSWER: {Choice.ANSWER, Choice.NONE},
    QuestionKind.CONNECT: {Choice.REJECT},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """Answers questions."""

    journal: Journal

    async def click(self, click: Click) -> ClickOutcome:
        """One click, in one transaction. Raises `NotSaved`."""
        return await take_press(self.journal, click, self._clicked, choice=click.choice.value)

    async def turned_away(self, press: Press, wanted: str) -> None:
        """What somebody wanted of a card was refused: it is not his, is none, or is over. Raises `NotSaved`."""
        async with self.journal.write(patience=PATIENCE_SECONDS) as moves:
            (await _why_not(moves, press)).note(moves, press, choice=wanted)

    async def _clicked(self, moves: Transitions, click: Click) -> None:
        question = await question_of(moves, click)
        await self._check(moves, question, click)
        await self._decide(moves, await still_asked(moves, question), click)

    async def _check(self, moves: Transitions, question: Question, click: Click) -> None:
        """Team, person, place and kind; raises `Refused`."""
        await owner_only(moves, click, question, "Only <@{owner}> can decide this.")
        await on_its_card(moves, click, question)
        if click.choice not in _KINDS.get(question.kind, set()):
            raise Refused("click.wrong_choice", "This button does not answer this question.", question)
        if click.choice is Choice.ANSWER and click.option not in range(len(asking.options_of(question))):
            raise Refused("click.wrong_choice", "This button does not answer this question.", question)

    async def _decide(self, moves: Transitions, question: Question, click: Click) -> None:
        await vote(moves, question, click.user, click.choice)
        if question.kind is QuestionKind.ANSWER:
            await asking.settle(moves, question, asking.Answer(by=click.user, option=click.option))
            await moves.after(question.step_id, woken=True)
            return
        decided = {"decided_by": click.user, "decision": click.choice, "reason": click.reason[:2000]}
        await moves.close(question, QuestionState.DECIDED, actor=click.user, **decided)
        action = await moves.work.actions.find(question.action_id)
        match click.choice:
            case Choice.APPROVE:
                await _approve(moves, question, action, click)
            case Choice.REJECT if question.kind is QuestionKind.CONNECT:
                await not_now(moves, action)
                await decline_beside(moves, question)
                await decline_elsewhere(moves, question)
            case Choice.REJECT:
                await _reject(moves, action, click)
            case Choice.HAPPENED:
                await _happened(moves, action, click)
            case Choice.DID_NOT:
                await _did_not(moves, action, click)
            case _:
                await _try_again(moves, question, action, click)
        await moves.after(question.step_id, woken=True)


def approval_of(action: Action, hash_: str, by: str, now: datetime, expires_at: datetime) -> Approval:
    """An approval lives until its question's expiry or an hour after the vote; a destructive one is short."""
    if action.effect is EffectClass.DESTRUCTIVE:
        until = now + limits.APPROVAL_LIFE * (_DESTRUCTIVE_LIFE_MINUTES / 60)
    else:
        until = max(expires_at, now + limits.APPROVAL_LIFE)
    return Approval(hash=hash_, by=by, at=now, expires_at=until)


async def _approve(moves: Transitions, question: Question, action: Action, click: Click) -> None:
    approval = approval_of(action, question.hash, click.user, moves.now, question.expires_at)
    await moves.action(action, ActionState.APPROVED, code="action.approved", actor=click.user, approval=approval)


async def _reject(moves: Transitions, action: Action, click: Click) -> None:
    if click.reason:
        await moves.said_on_card(action)
    await moves.ended(
        action,
        ActionState.REJECTED,
        code="action.rejected",
        response=model_words.rejected(click.reason),
        actor=click.user,
        summary="Rejected.",
    )


async def _happened(moves: Transitions, action: Action, click: Click) -> None:
    told = {"output": {"settled_by_owner": True}, "trust": Label.OWNER.value}
    await moves.ended(
        action,
        ActionState.COMPLETED,
        code="action.settled",
        response=told,
        actor=click.user,
        doubt=False,
        summary="Its owner says that it happened.",
    )
    await moves.rewrite_card(action)


async def _did_not(moves: Transitions, action: Action, click: Click) -> None:
    told = model_words.error("not_done", "The person looked: it did not happen.")
    await moves.ended(
        action,
        ActionState.FAILED,
        code="action.settled",
        response=told,
        actor=click.user,
        doubt=False,
        summary="Its owner says that it did not happen.",
    )
    await moves.rewrite_card(action)


async def _try_again(moves: Transitions, question: Question, action: Action, click: Click) -> None:
    """Its owner takes the doubt: it may run once more, as it was approved."""
    approval = approval_of(action, question.hash, click.user, moves.now, question.expires_at)
    await moves.action(
        action, ActionState.APPROVED, code="action.try_again", actor=click.user, approval=approval, response=None
    )


async def _why_not(moves: Transitions, press: Press) -> Refused:
    try:
        question = await question_of(moves, press)
        await owner_only(moves, press, question, "")
    except Refused as refusal:
        return refusal
    return Refused("click.late", "", question)


async def still_asked(moves: Transitions, seen: Question) -> Question:
    """The question with its step locked: open, in time, and about the present edition; raises `Refused` with what
    became of it. What came late is written down as expired.
    """
    await moves.lock(seen.step_id)
    question = await moves.work.questions.find(seen.id)
    assert question is not None, "it is forgotten with its step, which is locked"
    if not is_open(question.state):
        raise Refused("click.late", await came_of(moves.work, question), question)
    action = await moves.work.actions.find(question.action_id)
    if not is_current(question.edition, action.edition):
        raise Refused("click.old_edition", "This was changed since; use the newer card.", question)
    if not in_time(question.expires_at, moves.now):
        await expire(moves, question)
        raise Refused("click.late", words.EXPIRED, question)
    return question


async def vote(moves: Transitions, question: Question, user: str, choice: Choice) -> None:
    """One person's, once; raises `Refused`."""
    if not await moves.work.questions.vote(question, user=user, choice=choice.value, at=moves.now):
        raise Refused("click.late", words.DECIDED_MEANWHILE, question)


async def came_of(work: UnitOfWork, question: Question) -> str:
    """What became of a question that is not open any more, in words."""
    action = await work.actions.find(question.action_id)
    match question.state:
        case QuestionState.DECIDED:
            person = await work.users.find(question.team, question.user)
            assert question.decided_at is not None, "it is written down with the decision"
            when = question.decided_at.astimezone(ZoneInfo(zone_of(person)))
            said = question.reason if question.decision is Choice.ANSWER else _said(question)
            return (
                f"Already decided: <@{question.decided_by}> said “{said}” on {when:%A %d %B at %H:%M}. "
                f"What came of it: {action.state.caption}."
            )
        case QuestionState.EXPIRED:
            return words.EXPIRED
        case QuestionState.REPLACED:
            return "This was changed or looked at again since; use the newer card."
        case _:
            return "This question was withdrawn, so nothing was done."


def _said(question: Question) -> str:
    if question.decision is Choice.NONE:
        return "none of these"
    return (question.decision or Choice.APPROVE).value.replace("_", " ")
