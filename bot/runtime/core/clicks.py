"""Presses: what every press on a button of ours is checked against before it counts; refusals are audited and said."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from bot.domain.audit import AuditEvent
from bot.domain.deliveries import card_slot
from bot.domain.questions import Question
from bot.domain.runs import Run
from bot.domain.states import LostRace
from bot.runtime.core.transaction import Transaction, TransactionFactory


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """A press on a button, as Slack tells it. `value` is opaque: `<question id>.<nonce>` on a card, else a run's id."""

    team: str
    user: str
    value: str
    channel: str = ""
    message_ts: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClickOutcome:
    """Whether the press counted, and what its person is to be told ("" for nothing)."""

    accepted: bool
    text: str = ""


class Refused(Exception):
    """A press that does not count: an audit code, words for its person, and what it is about, where that is known."""

    def __init__(self, code: str, text: str, of: Run | Question | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.of = of

    def note(self, tx: Transaction, press: Press, **details: object) -> ClickOutcome:
        """Into the log, and what the person is told."""
        about = {"pressed": press.value.partition(".")[0][:64], **details}
        team, run_id = (self.of.team, run_id_of(self.of)) if self.of else (press.team, None)
        tx.record(AuditEvent(team=team, code=self.code, actor=press.user, run_id=run_id, details=about))
        return ClickOutcome(accepted=False, text=self.text)


_Outcome = TypeVar("_Outcome")
_Press = TypeVar("_Press", bound=Press)


async def first_or_told(
    transactions: TransactionFactory, deed: Callable[[Transaction], Awaitable[_Outcome]]
) -> _Outcome:
    """What a press does, in one transaction. Where somebody else was first it is looked at once more, in another one:
    what he made of it is known there, so that its person is told the truth. Raises `NotSaved`.
    """
    try:
        async with transactions.write_promptly() as tx:
            return await deed(tx)
    except LostRace:
        async with transactions.write_promptly() as tx:
            return await deed(tx)


async def take_press(
    transactions: TransactionFactory,
    press: _Press,
    deed: Callable[[Transaction, _Press], Awaitable[None]],
    **details: object,
) -> ClickOutcome:
    """One press: its deed, or why it does not count (`Refused`), which is in the log then with these details.

    What the deed wrote before it refused is kept. Raises `NotSaved`.
    """

    async def taken(tx: Transaction) -> ClickOutcome:
        try:
            await deed(tx, press)
        except Refused as refusal:
            return refusal.note(tx, press, **details)
        return ClickOutcome(accepted=True)

    return await first_or_told(transactions, taken)


def run_id_of(of: Run | Question) -> str:
    """The run that a press is about."""
    return of.id if isinstance(of, Run) else of.run_id


async def question_of(tx: Transaction, press: Press) -> Question:
    """The question whose button it is; raises `Refused` for what we never showed."""
    question_id, _, nonce = press.value.partition(".")
    question = await tx.work.questions.find(question_id)
    if question is None or not hmac.compare_digest(question.nonce.encode(), nonce.encode()):
        raise Refused("click.unknown", "This card is not known here any more, so nothing was done.")
    return question


async def run_of(tx: Transaction, press: Press) -> Run:
    """The run whose button it is, with its thread locked; raises `Refused` unless its owner pressed ours."""
    known = await tx.work.records.run(press.value)
    if known is None:
        raise Refused("click.unknown", "This request is not known here any more, so nothing was done.")
    await owner_only(tx, press, known, "Only <@{owner}> can do this.")
    posts = await tx.work.posts.of_run(known.id)
    _in_place(press, {(post.channel, post.ts) for post in posts}, known)
    await tx.work.threads.lock(known.thread_id)
    return await tx.work.runs.find(known.id)


async def owner_only(tx: Transaction, press: Press, of: Run | Question, refusal: str) -> None:
    """Its owner pressed, who is still a full member; raises `Refused`."""
    if (press.team, press.user) != (of.team, of.user):
        raise Refused("click.wrong_person", refusal.format(owner=of.user), of)
    person = await tx.work.users.find(press.team, press.user)
    if person is not None and not person.is_member:
        raise Refused("click.not_a_member", "Only full members of this workspace can decide this.", of)


async def on_its_card(tx: Transaction, press: Press, question: Question) -> None:
    """The button is that of the card itself, no copy of it; raises `Refused`."""
    post = await tx.work.posts.find(question.run_id, card_slot(question.id))
    _in_place(press, {(post.channel, post.ts)} if post else set(), question)


def _in_place(press: Press, places: set[tuple[str, str]], of: Run | Question) -> None:
    """Without a place of our own known, or from a surface that has none, there is nothing to compare."""
    if press.message_ts and places and (press.channel, press.message_ts) not in places:
        raise Refused("click.wrong_place", "This button is a copy and does not count. Use the original.", of)
