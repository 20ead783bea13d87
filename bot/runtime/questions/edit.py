"""Editing: the owner of a card changes its arguments before deciding (docs/states.md §2).

An edit never approves by itself: the same action gets its next edition, and is evaluated and asked again. What the
model proposed stays as it was. Only a variant that the card itself offers ("Send later") is edit and vote in one: the
vote is on the hash of the arguments that the variant makes, on the same basis.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from bot.domain.actions import Action, ActionState, Approval
from bot.domain.audit import AuditCode
from bot.domain.conditions import Standing, decides_alone, may_be_changed
from bot.domain.confirmations import must_be_read
from bot.domain.questions import Choice, Question, QuestionKind, QuestionState
from bot.domain.runs import Run
from bot.runtime.actions.asking.plan_questions import wrong_by_hand
from bot.runtime.actions.claim import stored_hash
from bot.runtime.actions.previews import preview_of, variant_of
from bot.runtime.core.clicks import ButtonClick, ClickRejected, in_transaction, on_its_card, owner_only, question_of
from bot.runtime.core.transaction import Transaction, TransactionFactory
from bot.runtime.lifecycle.actions import move_action
from bot.runtime.lifecycle.privacy import make_private_like_card
from bot.runtime.lifecycle.progress import step_locked
from bot.runtime.lifecycle.questions import close_question
from bot.runtime.questions.decide import approval_of, still_asked, vote
from bot.runtime.questions.follow_ups import can_be_edited
from bot.runtime.texts import to_people
from bot.tools.arguments import InvalidArguments, Valid, validate
from bot.tools.plans import TASKS
from bot.tools.registry import Registry
from integrations.base import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit(ButtonClick):
    """New arguments for what a card asks about: those that change; `value` is that of the card's buttons.

    `variant` is the place of the card's variant that is approved with them; None for an edit that is asked about again.
    `read`: they come from a window that has all of what the card says.
    """

    args: Mapping[str, object]
    variant: int | None = None
    read: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EditOutcome:
    """Whether the edit counted; what its person is to be told; and what is wrong, by argument."""

    accepted: bool
    text: str = ""
    errors: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Editing:
    """Takes edits, each in one transaction. `agents` are those that the assistant may give work to."""

    transactions: TransactionFactory
    registry: Registry
    agents: Collection[str] = ()

    async def edit(self, edit: Edit) -> EditOutcome:
        """One edit. Raises `NotSaved`."""
        return await in_transaction(self.transactions, lambda tx: self._edited(tx, edit))

    async def _edited(self, tx: Transaction, edit: Edit) -> EditOutcome:
        try:
            question = await question_of(tx, edit)
            await owner_only(tx, edit, question, "Only <@{owner}> can change this.")
            await on_its_card(tx, edit, question)
            async with step_locked(tx, question.step_id, woken=True):
                action = await self._check(tx, question, edit)
                return await self._take(tx, question, action, edit)
        except ClickRejected as rejected:
            return EditOutcome(accepted=False, text=rejected.record(tx, edit, choice="edit").text)

    async def _check(self, tx: Transaction, question: Question, edit: Edit) -> Action:
        """What is edited, as it waits; raises `ClickRejected`, also after the approval."""
        question = await still_asked(tx, question)
        action = await tx.work.actions.find(question.action_id)
        check_editable(await tx.work.runs.find(action.run_id), question, action)
        others = edit.variant is not None and not decides_alone(question.deciders)
        if others or (edit.variant is not None and not _is_offered(variant_of(action, edit.variant), edit.args)):
            raise ClickRejected(AuditCode.CLICK_WRONG_CHOICE, to_people.NOT_KNOWN, question)
        if edit.variant is not None and not edit.read and must_be_read(preview_of(action)):
            raise ClickRejected(AuditCode.CLICK_NOT_READ, to_people.READ_FIRST, question)
        return action

    async def _take(self, tx: Transaction, question: Question, action: Action, edit: Edit) -> EditOutcome:
        try:
            valid = validate(self.registry[action.tool], {**json.loads(action.args), **edit.args})
        except InvalidArguments as error:
            return EditOutcome(accepted=False, text=to_people.INVALID_EDIT, errors=error.fields)
        if question.kind is QuestionKind.PLAN and (wrong := wrong_by_hand(valid.args, self.registry, self.agents)):
            return EditOutcome(accepted=False, text=wrong, errors={TASKS: wrong})
        if edit.variant is not None:
            approval = await _approved(tx, question, replace(action, args=valid.canonical, args_hash=valid.hash), edit)
        elif valid.hash == action.args_hash:
            return EditOutcome(accepted=False, text=to_people.UNCHANGED)
        else:
            approval = None  # one edition further: no vote of before counts for it
            await close_question(tx, question, QuestionState.REPLACED, actor=edit.user)
        await self._changed(tx, action, valid, edit, approval)
        return EditOutcome(accepted=True)

    async def _changed(
        self, tx: Transaction, action: Action, valid: Valid, edit: Edit, approval: Approval | None
    ) -> None:
        """awaiting_confirmation → planned, as the next edition."""
        await make_private_like_card(tx, action)
        edition = action.edition + 1
        await move_action(
            tx,
            action,
            ActionState.PLANNED,
            code=AuditCode.ACTION_EDITED,
            actor=edit.user,
            about={"edition": edition, "before_sha256": action.args_hash, "approved": approval is not None},
            edition=edition,
            args=valid.canonical,
            args_hash=valid.hash,
            caption=self.registry[action.tool].caption(valid.args)[:300],
            approval=approval,
            verdict=None,
        )


def _is_offered(variant: Variant | None, args: Mapping[str, object]) -> bool:
    """Whether the card offers this: the variant's own arguments, and what it asks for. Its press is a vote as well, so
    nothing else may change by it.
    """
    if variant is None:
        return False
    said, given = (
        {name: value for name, value in them.items() if name != variant.asks} for them in (variant.args, args)
    )
    return said == given


async def _approved(tx: Transaction, question: Question, action: Action, edit: Edit) -> Approval:
    """A vote on what the action is by now; it counts where the evaluator finds the world as the card showed it."""
    choice, by, variant = Choice.APPROVE, edit.user, variant_of(action, edit.variant or 0)
    await vote(tx, question, by, choice)
    told = variant.label if variant else ""
    decided = QuestionState.DECIDED
    await close_question(tx, question, decided, actor=by, variant=told, decided_by=by, decision=choice, reason="")
    return approval_of(action, stored_hash(action), by, tx.now, question.expires_at)


def check_editable(run: Run, question: Question, action: Action) -> None:
    """Raises `ClickRejected` where what a card asks about cannot be changed any more."""
    if not may_be_changed(Standing.of(run)):
        raise ClickRejected(AuditCode.CLICK_NOT_EDITABLE, to_people.HELD_AS_IT_IS, question)
    if not can_be_edited(question, action):
        raise ClickRejected(AuditCode.CLICK_NOT_EDITABLE, to_people.NOT_EDITABLE, question)
