"""What becomes of an action that needs an account, once its owner connected one, or said “not now”.

An action without a working connection waits on a `connect` question (docs/states.md §2, §3). Connecting for the first
time, or the same account again, brings it back to be evaluated: its hash did not change, so a vote on it stands within
its life. Connecting another account ends the action.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.domain.actions import ActionState
from bot.domain.audit import AuditCode
from bot.domain.conditions import in_time, is_open, same_account
from bot.domain.connections import ACTIVE, PROVIDER, lacking_literally
from bot.domain.deliveries import DeliveryKind
from bot.domain.questions import Choice, ConnectPayload, Question, QuestionChanges, QuestionKind, QuestionState
from bot.domain.states import LostRace
from bot.runtime.actions.asking.connect_questions import MOST_ASKED, has_a_voice, others_asked, payload_of
from bot.runtime.actions.rejections import not_now, other_account
from bot.runtime.core.batch import isolated, shuffled
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.actions import move_action
from bot.runtime.lifecycle.progress import lock_step, step_locked
from bot.runtime.lifecycle.questions import close_question
from bot.store.repositories.questions import Questions as Asked
from bot.store.unit_of_work import UnitOfWork


async def believe_again(work: UnitOfWork, team: str, user: str) -> None:
    """This person connects an account in the same transaction: what is stored of it is news.

    Until then it counts for no question whose scopes the provider refused although they were stored, or the same would
    be tried, refused and asked for without end.
    """
    for question in await work.questions.open_of(team, user, limit=MOST_ASKED):
        if isinstance(question.payload, ConnectPayload) and question.payload.disbelieved:
            with suppress(LostRace):  # it is over meanwhile
                payload = replace(question.payload, disbelieved=False)
                await work.questions.speak_up(question, payload, remind_at=question.remind_at)


async def decline_beside(tx: Transaction, question: Question) -> None:
    """“Not now” is said on the one card of the run: what waits without one is rejected with it."""
    for other in await tx.work.questions.open_of_run(question.run_id):
        if other.kind is QuestionKind.CONNECT and other.step_id == question.step_id:
            decided: QuestionChanges = {"decided_by": question.user, "decision": Choice.REJECT}
            await close_question(tx, other, QuestionState.DECIDED, actor=question.user, **decided)
            await not_now(tx, await tx.work.actions.find(other.action_id))


async def decline_elsewhere(tx: Transaction, question: Question) -> None:
    """“Not now” is said on the one card for a lost account: what other runs need it for waits on, in silence. Nothing
    of it is asked again by itself, one after the other; connecting the account takes all of it up.
    """
    if not payload_of(question).is_lost:
        return
    await tx.work.connections.lock(question.team, question.user, payload_of(question).provider)
    others = [other for other in await others_asked(tx.work, question) if payload_of(other).is_lost]
    waiting = {other.run_id for other in others if payload_of(other).elsewhere}
    for other in others:
        if other.run_id in waiting:
            with suppress(LostRace):  # it is over meanwhile
                await tx.work.questions.speak_up(other, replace(payload_of(other), declined=True), remind_at=None)
                await tx.deliver(other.thread_id, DeliveryKind.CARD, other.id, team=other.team)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectQuestions:
    """Answers them: by an account that is connected, never by a button."""

    transactions: TransactionFactory
    lacking: Callable[[frozenset[str], frozenset[str]], frozenset[str]] = lacking_literally
    batch: int = 200  # questions of one round's page

    async def connected(self, team: str, user: str) -> None:
        """This person connected an account just now."""
        async with self.transactions.store.read() as work:
            asked = await work.questions.open_of(team, user, limit=MOST_ASKED)
        for question in asked:
            if question.kind is QuestionKind.CONNECT:
                async with self.transactions.write() as tx:
                    await self._answer(tx, question)

    async def tick(self) -> None:
        """Answer questions that `connected` did not reach: the process ended, or the account was adopted."""
        async for question in self._paged(
            lambda asked, last: asked.of_connected(PROVIDER, after=last, limit=self.batch)
        ):
            async with isolated(self.transactions, "connect", question.id) as tx:
                await self._answer(tx, question)
        async for question in self._paged(lambda asked, last: asked.without_card(after=last, limit=self.batch)):
            if not (payload_of(question).has_card or payload_of(question).declined):
                async with isolated(self.transactions, "connect", question.id) as tx:
                    await self._speak_up(tx, question)

    async def _paged(self, page: Callable[[Asked, str], Awaitable[Sequence[Question]]]) -> AsyncGenerator[Question]:
        """All of them, however many: those that stay open keep none from its turn."""
        last: str | None = ""
        while last is not None:
            async with self.transactions.store.read() as work:
                found = await page(work.questions, last)
            for question in shuffled(found):
                yield question
            last = found[-1].id if len(found) == self.batch else None

    async def _speak_up(self, tx: Transaction, question: Question) -> None:
        """Give it a card of its own, once nobody asks for the same any more: that one expired, its run ended, or what
        was connected is not enough for this one.
        """
        await lock_step(tx, question.step_id)
        await tx.work.connections.lock(question.team, question.user, payload_of(question).provider)
        current = await tx.work.questions.find(question.id)
        if current is None or not is_open(current.state) or payload_of(current).declined:
            return
        if await self._is_answered(tx.work, current) or has_a_voice(current, await others_asked(tx.work, current)):
            return
        payload = replace(payload_of(current), quiet=False, elsewhere=False)
        left = current.expires_at - tx.now
        await tx.work.questions.speak_up(current, payload, remind_at=tx.now + left / 2)
        await tx.deliver(current.thread_id, DeliveryKind.CARD, current.id, team=current.team)

    async def _is_answered(self, work: UnitOfWork, question: Question) -> bool:
        """Whether what is connected by now is what it waits for."""
        found = await work.connections.find(question.team, question.user, payload_of(question).provider)
        if found is None or found.status != ACTIVE or payload_of(question).disbelieved:
            return False
        return not self.lacking(found.scopes, payload_of(question).missing)

    async def _answer(self, tx: Transaction, question: Question) -> None:
        async with step_locked(tx, question.step_id, woken=True):
            current = await tx.work.questions.find(question.id)
            if current is None or not is_open(current.state) or not in_time(current.expires_at, tx.now):
                return
            action = await tx.work.actions.find(current.action_id)
            payload = payload_of(current)
            found = await tx.work.connections.find(current.team, current.user, payload.provider)
            if found is None or found.status != ACTIVE:
                return
            if not same_account(action.account or payload.account or None, found.account):
                await self._decide(tx, current, Choice.OTHER_ACCOUNT)
                await other_account(tx, action, by=action.user)
            elif payload.disbelieved or self.lacking(found.scopes, payload.missing):
                return
            else:
                await self._decide(tx, current, Choice.CONNECTED)
                await move_action(
                    tx, action, ActionState.PLANNED, code=AuditCode.ACTION_ACCOUNT_CONNECTED, actor=action.user
                )

    async def _decide(self, tx: Transaction, question: Question, choice: Choice) -> None:
        decided: QuestionChanges = {"decided_by": question.user, "decision": choice}
        await close_question(tx, question, QuestionState.DECIDED, actor=question.user, **decided)
