"""Editing: the owner of a card changes its arguments before deciding (docs/states.md §2).

An edit never approves by itself: the same action gets its next edition, and is judged and asked again. What the model
proposed stays as it was. Only a variant that the card itself offers ("Send later") is edit and vote in one: the vote is
on the hash of the arguments that the variant makes, on the same basis.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from bot.domain.actions import Action, ActionState, Approval
from bot.domain.conditions import Standing, in_time, may_be_changed, may_edit
from bot.domain.questions import Choice, Question, QuestionState
from bot.domain.states import LostRace
from bot.runtime import words
from bot.runtime.claims import stored_hash
from bot.runtime.expiry import expire
from bot.runtime.leases import Journal
from bot.runtime.ports import UnitOfWork
from bot.runtime.presses import PATIENCE_SECONDS, Press, Refused, on_its_card, owner_only, question_of
from bot.runtime.previews import preview_of
from bot.runtime.questions import approval_of, still_asked
from bot.runtime.requesters import Requesters
from bot.runtime.transitions import Transitions
from bot.tools.arguments import InvalidArguments, Valid, validate
from bot.tools.forms import Filled, Form, Input, form_of, read
from bot.tools.registry import Registry
from integrations.base import Variant
from integrations.errors import BasisChanged, IntegrationError, ToolError

LOOK_SECONDS = 1.2
"""Slack waits three seconds for what becomes of a form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit(Press):
    """New arguments for what a card asks about: those that change; `value` is that of the card's buttons.

    `variant` is the place of the card's variant that is approved with them; None for an edit that is asked about again.
    """

    args: Mapping[str, object]
    variant: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditOutcome:
    """Whether the edit counted; what its person is to be told; and what is wrong, by argument."""

    accepted: bool
    text: str = ""
    errors: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The form of a card, or why there is none. `title` is the name of the variant that it is for."""

    form: Form | None = None
    refusal: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Editing:
    """Takes edits. With `requesters` what was filled in is looked at by its tool before it is taken."""

    journal: Journal
    registry: Registry
    requesters: Requesters | None = None

    async def edit(self, edit: Edit) -> EditOutcome:
        """One edit, in one transaction. Raises `NotSaved`."""
        try:
            return await self._edited(edit)
        except LostRace:
            return EditOutcome(accepted=False, text=words.DECIDED_MEANWHILE)

    async def form(self, press: Press, variant: int | None = None) -> Asked:
        """What the owner of a card may change on it now, or what a variant of it asks for. Raises `NotRead`."""
        async with self.journal.store.read(patience=PATIENCE_SECONDS) as work:
            question = await work.questions.find(press.value.partition(".")[0])
            if question is None or question.button_value() != press.value:
                return Asked(refusal=words.NOT_KNOWN)
            if (question.team, question.user) != (press.team, press.user):
                return Asked(refusal=f"Only <@{question.user}> can change this.")
            action = await work.actions.find(question.action_id)
            run = await work.runs.find(action.run_id)
            person = await work.users.find(press.team, press.user)
        if not may_be_changed(Standing.of(run)):
            return Asked(refusal=words.HELD_AS_IT_IS)
        facts = {"asked": question.edition, "edition": action.edition}
        if not may_edit(question.kind, question.state, **facts, doubt=action.doubt):
            return Asked(refusal=words.NOT_EDITABLE if action.doubt else words.DECIDED_MEANWHILE)
        form = form_of(self.registry[action.tool], json.loads(action.args))
        if variant is not None:
            return _asked_by(_variant(action, variant), form, zone=person.zone if person else "UTC")
        return Asked(form=form) if form.fields else Asked(refusal=words.NOTHING_TO_EDIT)

    async def edit_form(self, edit: Edit) -> EditOutcome:
        """One edit: `edit.args` are the fields of the form as they were filled in. Raises `NotSaved`, `NotRead`."""
        async with self.journal.store.read(patience=PATIENCE_SECONDS) as work:
            question = await work.questions.find(edit.value.partition(".")[0])
            action = await work.actions.find(question.action_id) if question else None
            known = question is not None and action is not None and await _may_change(work, edit, question, action)
        if action is None:
            return EditOutcome(accepted=False, text=words.NOT_KNOWN)
        given, now = cast("Mapping[str, Filled]", edit.args), json.loads(action.args)
        changed = read(self.registry[action.tool], now, given)
        if edit.variant is not None:
            chosen = _variant(action, edit.variant)
            changed = {**(chosen.args if chosen else {}), **changed}
            if chosen and chosen.asks and not changed.get(chosen.asks):
                return EditOutcome(
                    accepted=False, text=words.SAY_THIS_FIRST, errors={chosen.asks: words.SAY_THIS_FIRST}
                )
        if not known:  # nothing is looked up for whoever may not change it: he is refused, and that is logged
            return await self.edit(replace(edit, args=changed))
        if changed and (refused := await self._refused(action, now | changed)):
            return EditOutcome(accepted=False, text=refused, errors={_about(changed, refused): refused})
        return await self.edit(replace(edit, args=changed))

    async def _refused(self, action: Action, args: Mapping[str, object]) -> str:
        """What the tool says against these arguments, as far as it knows in time: the judge looks again anyway."""
        tool = self.registry[action.tool]
        if self.requesters is None:
            return ""
        async with self.journal.store.read(patience=PATIENCE_SECONDS) as work:
            run = await work.runs.find(action.run_id)
        context = await self.requesters.context(action, run)
        try:
            valid = validate(tool, args)
            async with asyncio.timeout(LOOK_SECONDS):
                await tool.preview(valid.args, context)
        except ToolError as error:
            return error.message
        except (InvalidArguments, TimeoutError, IntegrationError, BasisChanged):
            return ""
        return ""

    async def _edited(self, edit: Edit) -> EditOutcome:
        async with self.journal.write(patience=PATIENCE_SECONDS) as moves:
            try:
                question = await question_of(moves, edit)
                action = await self._check(moves, question, edit)
            except Refused as refusal:
                return EditOutcome(accepted=False, text=refusal.note(moves, edit, choice="edit").text)
            if not in_time(question.expires_at, moves.now):
                await expire(moves, question)
                return EditOutcome(accepted=False, text=words.EXPIRED)
            try:
                valid = validate(self.registry[action.tool], {**json.loads(action.args), **edit.args})
            except InvalidArguments as error:
                return EditOutcome(accepted=False, text=words.INVALID_EDIT, errors=error.fields)
            if edit.variant is not None:
                await self._approve(moves, question, action, valid, edit)
            elif valid.hash == action.args_hash:
                return EditOutcome(accepted=False, text=words.UNCHANGED)
            else:
                await self._replace(moves, question, action, valid, edit)
            return EditOutcome(accepted=True)

    async def _check(self, moves: Transitions, question: Question, edit: Edit) -> Action:
        """The same as for a click; raises `Refused`, also after the approval."""
        await owner_only(moves, edit, question, "Only <@{owner}> can change this.")
        await on_its_card(moves, edit, question)
        await moves.lock(question.step_id)
        await still_asked(moves, question)
        action = await moves.work.actions.find(question.action_id)
        if not may_be_changed(Standing.of(await moves.work.runs.find(action.run_id))):
            raise Refused("click.not_editable", words.HELD_AS_IT_IS, question)
        facts = {"asked": question.edition, "edition": action.edition}
        if not may_edit(question.kind, question.state, **facts, doubt=action.doubt):
            raise Refused("click.not_editable", words.NOT_EDITABLE, question)
        if edit.variant is not None and _variant(action, edit.variant) is None:
            raise Refused("click.wrong_choice", words.NOT_KNOWN, question)
        return action

    async def _replace(self, moves: Transitions, question: Question, action: Action, valid: Valid, edit: Edit) -> None:
        """awaiting_confirmation → planned, one edition further: no vote of before counts for it."""
        await moves.close(question, QuestionState.REPLACED, actor=edit.user)
        await self._changed(moves, question, action, valid, edit, approval=None)

    async def _approve(self, moves: Transitions, question: Question, action: Action, valid: Valid, edit: Edit) -> None:
        """The same, with a vote on what it becomes: it counts where the judge finds the world as the card showed it."""
        choice = Choice.APPROVE
        if not await moves.work.questions.vote(question, user=edit.user, choice=choice.value, at=moves.now):
            raise LostRace("question", question.id, "open", choice.value)
        await moves.close(
            question, QuestionState.DECIDED, actor=edit.user, decided_by=edit.user, decision=choice, reason=""
        )
        bound = stored_hash(replace(action, args_hash=valid.hash))
        approval = approval_of(action, bound, edit.user, moves.now, question.expires_at)
        await self._changed(moves, question, action, valid, edit, approval=approval)

    async def _changed(
        self,
        moves: Transitions,
        question: Question,
        action: Action,
        valid: Valid,
        edit: Edit,
        *,
        approval: Approval | None,
    ) -> None:
        await moves.said_on_card(action)
        edition = action.edition + 1
        await moves.action(
            action,
            ActionState.PLANNED,
            code="action.edited",
            actor=edit.user,
            about={"edition": edition, "before_sha256": action.args_hash, "approved": approval is not None},
            edition=edition,
            args=valid.canonical,
            args_hash=valid.hash,
            caption=self.registry[action.tool].caption(valid.args)[:300],
            approval=approval,
            verdict=None,
        )
        await moves.after(question.step_id, woken=True)


def _variant(action: Action, place: int) -> Variant | None:
    """What the card offered at this place."""
    offered = preview_of(action).variants
    return offered[place] if place < len(offered) else None


def _asked_by(variant: Variant | None, form: Form, *, zone: str) -> Asked:
    """The one field that a variant asks for, which must be filled in; no field where it asks for nothing."""
    if variant is None:
        return Asked(refusal=words.NOT_KNOWN)
    fields = [replace(field, optional=False) for field in form.fields if field.name == variant.asks]
    told = [f"Times are those of {zone}."] if any(field.input is Input.MOMENT for field in fields) else []
    return Asked(form=Form(fields=fields, left_out=told), title=variant.label)


async def _may_change(work: UnitOfWork, press: Press, question: Question, action: Action) -> bool:
    """Whether the press is its owner's on a card that can still be changed; decided once more when it is committed."""
    person = await work.users.find(press.team, press.user)
    owner = (press.team, press.user) == (question.team, question.user) and (person is None or person.is_member)
    if not owner or not hmac.compare_digest(question.button_value().encode(), press.value.encode()):
        return False
    run = await work.runs.find(action.run_id)
    facts = {"asked": question.edition, "edition": action.edition}
    return may_be_changed(Standing.of(run)) and may_edit(question.kind, question.state, **facts, doubt=action.doubt)


def _about(changed: Mapping[str, object], refusal: str) -> str:
    """The changed argument that a refusal speaks of, as far as its words show; else the first one."""
    for name, value in changed.items():
        parts = cast("list[object]", value) if isinstance(value, list) else [value]
        if name in refusal or any(str(part) in refusal for part in parts if str(part or "").strip()):
            return name
    return next(iter(changed))
