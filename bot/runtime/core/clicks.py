"""Clicks on our buttons: what each is checked against before it counts. A rejected click is audited and answered."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.deliveries import AGENTS, Post, card_slot, reader_slot
from bot.domain.questions import Question
from bot.domain.runs import Run
from bot.domain.states import LostRace
from bot.runtime.core.transaction import Transaction, TransactionFactory


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonClick:
    """A click on a button, as Slack tells it. `value` is opaque: `<question id>.<nonce>` on a card, else a run's id."""

    team: str
    user: str
    value: str
    channel: str = ""
    message_ts: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClickOutcome:
    """Whether the click counted, what its person is to be told ("" for nothing), what is wrong by field, where they
    filled in a window, and as what it was refused.
    """

    accepted: bool
    text: str = ""
    errors: Mapping[str, str] = field(default_factory=dict[str, str])
    refused: AuditCode | None = field(default=None, compare=False)


class ClickRejected(Exception):
    """A click that does not count: an audit code, words for its person, what it is about, where that is known, what is
    wrong by field of a window, and when it would count, if it only came too soon.
    """

    def __init__(
        self,
        code: AuditCode,
        text: str,
        of: Run | Question | None = None,
        errors: Mapping[str, str] | None = None,
        *,
        again_at: datetime | None = None,
    ) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.of = of
        self.errors = errors or {}
        self.again_at = again_at

    def record(self, tx: Transaction, click: ButtonClick, **details: object) -> ClickOutcome:
        """Write it to the audit log; returns what the person is told."""
        about = {"pressed": click.value.partition(".")[0][:64], **details}
        team, run_id = (self.of.team, run_id_of(self.of)) if self.of else (click.team, None)
        tx.record(AuditEvent(team=team, code=self.code, actor=click.user, run_id=run_id, details=about))
        return ClickOutcome(accepted=False, text=self.text, errors=self.errors, refused=self.code)


_Outcome = TypeVar("_Outcome")
_Click = TypeVar("_Click", bound=ButtonClick)


async def in_transaction(
    transactions: TransactionFactory, action: Callable[[Transaction], Awaitable[_Outcome]]
) -> _Outcome:
    """Run a click's action in one transaction. After a lost race it runs once more in a new one, which sees what the
    winner did, so that the person is told the truth. Raises `NotSaved`.
    """
    try:
        async with transactions.write_promptly() as tx:
            return await action(tx)
    except LostRace:
        async with transactions.write_promptly() as tx:
            return await action(tx)


async def handle(
    transactions: TransactionFactory,
    click: _Click,
    action: Callable[[Transaction, _Click], Awaitable[None]],
    **details: object,
) -> ClickOutcome:
    """Run the action of a click, or record with these details why it was rejected.

    What the action wrote before it raised `ClickRejected` is kept. Raises `NotSaved`.
    """

    async def handled(tx: Transaction) -> ClickOutcome:
        try:
            await action(tx, click)
        except ClickRejected as rejected:
            return rejected.record(tx, click, **details)
        return ClickOutcome(accepted=True)

    return await in_transaction(transactions, handled)


def run_id_of(of: Run | Question) -> str:
    """The run that a click is about."""
    return of.id if isinstance(of, Run) else of.run_id


async def question_of(tx: Transaction, click: ButtonClick) -> Question:
    """The question whose button it is; raises `ClickRejected` for what we never showed."""
    question_id, _, nonce = click.value.partition(".")
    question = await tx.work.questions.find(question_id)
    if question is None or not hmac.compare_digest(question.nonce.encode(), nonce.encode()):
        raise ClickRejected(AuditCode.CLICK_UNKNOWN, "This card is not known here any more, so nothing was done.")
    return question


async def run_of(tx: Transaction, click: ButtonClick) -> Run:
    """The run of the button, with its thread locked; raises `ClickRejected` unless its owner clicked our button."""
    known = await tx.work.records.run(click.value)
    if known is None:
        raise ClickRejected(AuditCode.CLICK_UNKNOWN, "This request is not known here any more, so nothing was done.")
    await owner_only(tx, click, known, "Only <@{owner}> can do this.")
    posts = [
        *await tx.work.posts.of_run(known.id),
        *await _cards_of(tx, known.holds),
        *await _shown_as_agent(tx, known),
    ]
    _in_place(click, {(post.channel, post.ts) for post in posts}, known)
    await tx.work.threads.lock(known.thread_id)
    return await tx.work.runs.find(known.id)


async def _cards_of(tx: Transaction, action_id: str | None) -> Sequence[Post]:
    """The cards of the action that a run waits for, if it is such a run: the buttons stand where it was approved."""
    asked = await tx.work.actions.known(action_id) if action_id else None
    if asked is None:
        return []
    slots = [card_slot(question_id) for question_id in await tx.work.questions.ids_of_action(asked.id)]
    return [post for slot in slots if (post := await tx.work.posts.find(asked.run_id, slot))]


async def _shown_as_agent(tx: Transaction, run: Run) -> Sequence[Post]:
    """The message that has the button of an agent at work."""
    post = await tx.work.posts.find(run.root, AGENTS) if run.root else None
    return [post] if post else []


async def owner_only(tx: Transaction, click: ButtonClick, of: Run | Question, refusal: str) -> None:
    """Its owner clicked, and is still a full member; raises `ClickRejected`."""
    if (click.team, click.user) != (of.team, of.user):
        raise ClickRejected(AuditCode.CLICK_WRONG_PERSON, refusal.format(owner=of.user), of)
    await members_only(tx, click, of)


async def members_only(tx: Transaction, click: ButtonClick, of: Run | Question | None = None) -> None:
    """The person who clicked is still a full member; raises `ClickRejected`."""
    person = await tx.work.users.find(click.team, click.user)
    if person is not None and not person.is_member:
        raise ClickRejected(AuditCode.CLICK_NOT_A_MEMBER, "Only full members of this workspace can decide this.", of)


async def readers_only(tx: Transaction, click: ButtonClick, question: Question, refusal: str) -> None:
    """Its owner clicked, or somebody who has to agree and has a card of it by now; they are full members still. Raises
    `ClickRejected`.
    """
    if click.team != question.team or not question.is_shown_to(click.user):
        raise ClickRejected(AuditCode.CLICK_WRONG_PERSON, refusal.format(owner=question.user), question)
    await members_only(tx, click, question)


async def on_its_card(tx: Transaction, click: ButtonClick, question: Question) -> None:
    """The button is that of the card itself, no copy of it; raises `ClickRejected`."""
    own = click.user == question.user
    slot = card_slot(question.id) if own else reader_slot(question.id, click.user)
    post = await tx.work.posts.find(question.run_id, slot)
    _in_place(click, {(post.channel, post.ts)} if post else set(), question)


def _in_place(click: ButtonClick, places: set[tuple[str, str]], of: Run | Question) -> None:
    """Without a place of our own known, or from a surface that has none, there is nothing to compare."""
    if click.message_ts and places and (click.channel, click.message_ts) not in places:
        raise ClickRejected(
            AuditCode.CLICK_WRONG_PLACE, "This button is a copy and does not count. Use the original.", of
        )
