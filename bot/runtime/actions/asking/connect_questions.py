"""Asking a person to connect an account that an action needs (docs/states.md §2, §3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.actions import Action, ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import may_ask
from bot.domain.questions import ConnectPayload, Question, QuestionKind
from bot.domain.runs import Run
from bot.runtime.actions.claim import stored_hash
from bot.runtime.actions.rejections import not_now, standing, supersede
from bot.runtime.core.transaction import Transaction
from bot.runtime.lifecycle.actions import move_action
from bot.runtime.lifecycle.privacy import post_stub
from bot.runtime.lifecycle.questions import ask_question, new_question
from bot.store.unit_of_work import UnitOfWork
from integrations.errors import Lack, NotConnected

MOST_ASKED = 200  # questions of one person that are looked at


async def ask_to_connect(tx: Transaction, action: Action, lack: NotConnected) -> None:
    """planned, approved or executing → awaiting_confirmation, with the question; rejected while a reply is untaken.

    The step is locked by the caller, who ends with `after`. A run asks once: what waits for the same account beside it
    has a question too, without a card. So does what another run needs a lost account for that is asked about already:
    it has a line that says so, without buttons. Where its owner said “Not now” in this request, nothing is asked.
    """
    run = await tx.work.runs.find(action.run_id)
    if action.state is ActionState.PLANNED and not may_ask(await standing(tx, run)):
        await supersede(tx, action.id, by=action.user)
        return
    await tx.work.connections.lock(action.team, action.user, lack.provider)  # two runs that lose it at once ask once
    known = await tx.work.connections.find(action.team, action.user, lack.provider)
    asked = await move_action(
        tx, action, ActionState.AWAITING, code=AuditCode.ACTION_NEEDS_ACCOUNT, about={"why": lack.why.value}
    )
    payload = _payload(asked, lack, account=known.account if known else "")
    if await _was_declined(tx.work, run, payload):
        await not_now(tx, asked)
        return
    question = new_question(asked, payload, stored_hash(asked), tx)
    others = await others_asked(tx.work, question)
    beside = any(other.run_id == run.id for other in others)
    if beside:
        question = replace(question, payload=replace(payload, quiet=True), remind_at=None)
    elif has_a_voice(question, others):
        question = replace(question, payload=replace(payload, elsewhere=True), remind_at=None)
    if payload.private and not beside:
        await post_stub(tx, run)
    await ask_question(tx, question)


async def _was_declined(work: UnitOfWork, run: Run, payload: ConnectPayload) -> bool:
    declined = [payload_of(question) for question in await work.questions.declined(run.request_run)]
    return any(
        (one.provider, one.why) == (payload.provider, payload.why) and payload.missing <= one.missing
        for one in declined
    )


def _payload(action: Action, lack: NotConnected, *, account: str) -> ConnectPayload:
    return ConnectPayload(
        provider=lack.provider,
        why=lack.why,
        missing=frozenset(lack.missing),
        account=account,
        private=lack.why is Lack.CREDENTIALS or bool(action.preview and action.preview.get("private")),
        disbelieved=lack.refused and lack.why is Lack.SCOPE,
    )


def payload_of(question: Question) -> ConnectPayload:
    """What a `connect` question asks for."""
    return question.payload_as(ConnectPayload)


async def others_asked(work: UnitOfWork, question: Question) -> Sequence[Question]:
    """What else this person is asked to connect."""
    asked = await work.questions.open_of(question.team, question.user, limit=MOST_ASKED)
    return [other for other in asked if other.kind is QuestionKind.CONNECT and other.id != question.id]


def has_a_voice(question: Question, others: Sequence[Question]) -> bool:
    """Whether one of the others has a card that asks for the same: of the same run, or for the same lost account."""
    return any(
        other.run_id == question.run_id or (payload_of(question).is_lost and payload_of(other).is_lost)
        for other in others
        if payload_of(other).has_card
    )
