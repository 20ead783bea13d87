"""Several deciders: the owner's yes shows the card to the person who has to agree next, one after the other.

A turn ends where others are left to make up the number; else it lasts as long as the question. A person who
is no full member any more is not asked, and one who leaves in their turn is not waited for; neither is one who stood in
for somebody until then.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import timedelta

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import is_open, turn_is_over
from bot.domain.questions import Question, QuestionState, ReaderTurn
from bot.runtime.core.transaction import AGENT, Transaction
from bot.runtime.lifecycle.actions import move_action
from bot.runtime.lifecycle.progress import step_locked
from bot.runtime.lifecycle.questions import close_question, record_question, show_to_next
from bot.runtime.policy.service import may_decide
from policies.deciders import Deciders, counts_until, have_agreed, next_reader, turn_minutes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """How far a question is: who said yes to exactly this, and whose turn is over without it. `deciders` are those who
    count by now: a yes of who does not stand in any more is none.
    """

    question: Question
    deciders: Sequence[Deciders]
    agreed: Set[str]
    over: Set[str]

    @property
    def is_decided(self) -> bool:
        """Whether its owner and all who have to agree said yes."""
        return self.question.user in self.agreed and have_agreed(self.deciders, self.agreed, self.over)


async def agreed_to(tx: Transaction, question: Question) -> tuple[str, ...]:
    """Who besides its owner said yes to exactly this."""
    votes = await tx.work.questions.votes(question.id)
    return tuple(vote.user for vote in votes if vote.is_yes_to(question) and vote.user != question.user)


async def is_decided(tx: Transaction, question: Question, *, by: str, about: dict[str, object]) -> bool:
    """After a yes, whether nobody else has to agree; else it is shown to the next one. `about` goes into the log."""
    if not question.deciders:
        return True
    now = await _round(tx, question)
    if now.is_decided:
        return True
    await _pass_on(tx, now, AuditCode.QUESTION_AGREED, actor=by, about=about)
    return False


async def end_turn(tx: Transaction, question: Question) -> None:
    """Its reader left, stands in no more, or said nothing in their time: somebody else is asked. Nothing where none of
    this is so any more.
    """
    async with step_locked(tx, question.step_id):
        current = await tx.work.questions.find(question.id)
        if current is None or not is_open(current.state) or current.reader is None:
            return
        now = await _round(tx, current)
        if not await may_decide(tx.work, current.team, current.reader):
            gone: dict[str, object] = {"gone": current.reader}
            await _pass_on(tx, now, AuditCode.QUESTION_READER_GONE, actor=AGENT, about=gone)
        elif not current.may_say(current.reader, tx.now):
            over: dict[str, object] = {"gone": current.reader, "stood_in": True}
            await _pass_on(tx, now, AuditCode.QUESTION_READER_GONE, actor=AGENT, about=over)
        elif turn_is_over(current.turn_over_at, tx.now):
            await _pass_on(tx, now, AuditCode.QUESTION_PASSED_ON, actor=AGENT, about={})


async def _round(tx: Transaction, question: Question) -> _Round:
    votes = await tx.work.questions.votes(question.id)
    agreed = {vote.user for vote in votes if vote.is_yes_to(question)}
    over = question.over(agreed)
    deciders = [each.at(tx.now) for each in question.deciders]
    return _Round(question=question, deciders=deciders, agreed=agreed, over=over)


async def _pass_on(tx: Transaction, now: _Round, code: AuditCode, *, actor: str, about: dict[str, object]) -> None:
    question, over = now.question, set(now.over)
    while (reader := next_reader(now.deciders, now.agreed, over)) is not None:
        if await may_decide(tx.work, question.team, reader):
            break
        over.add(reader)
    if reader is not None:
        await show_to_next(tx, question, _turn(tx, now, reader, over), code, actor=actor, about=about)
    elif code is AuditCode.QUESTION_PASSED_ON:  # those who came next left meanwhile: this one is waited for
        await tx.work.questions.wait_on(question)
    else:
        record_question(tx, question, code, actor, **about)
        await _judge_again(tx, question)


def _turn(tx: Transaction, now: _Round, reader: str, over: Set[str]) -> tuple[ReaderTurn, bool]:
    """The reader's turn, and whether it ends before the question: somebody can follow, or they stand in until then."""
    question = now.question
    followed = next_reader(now.deciders, now.agreed, {*over, reader}) is not None
    until = tx.now + timedelta(minutes=turn_minutes(now.deciders, reader))
    ends_at = min(until, question.expires_at) if followed else question.expires_at
    stands_until = counts_until(now.deciders, reader)
    if stands_until is not None and stands_until < ends_at:
        followed, ends_at = True, stands_until
    return ReaderTurn(user=reader, began_at=tx.now, ends_at=ends_at), followed


async def _judge_again(tx: Transaction, question: Question) -> None:
    """Too few are left to agree: policy says what follows."""
    await close_question(tx, question, QuestionState.REPLACED)
    action = await tx.work.actions.find(question.action_id)
    await move_action(tx, action, ActionState.PLANNED, code=AuditCode.ACTION_JUDGED_AGAIN)
