"""Editing: the owner of a card changes its arguments before deciding (docs/states.md §2).

An edit never approves by itself: the same action gets its next edition, and is judged and asked again. What the model
proposed stays as it was. Only a variant that the card itself offers ("Send later") is edit and vote in one: the vote is
on the hash of the arguments that the variant makes, on the same basis.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from bot.domain.actions import Action, ActionState, Approval
from bot.domain.conditions import Standing, in_time, may_be_changed, may_edit
from bot.domain.questions import Choice, Question, QuestionState
from bot.domain.states import LostRace
from bot.domain.threads import User
from bot.runtime import words
from bot.runtime.claims import stored_hash
from bot.runtime.expiry import expire
from bot.runtime.leases import Journal
from bot.runtime.ports import PATIENCE_SECONDS, UnitOfWork
from bot.runtime.presses import Press, Refused, on_its_card, owner_only, question_of
from bot.runtime.previews import preview_of
from bot.runtime.questions import approval_of, still_asked
from bot.runtime.requesters import Requesters
from bot.runtime.transitions import Transitions
from bot.tools.arguments import InvalidArguments, Valid, validate
from bot.tools.forms import Filled, Form, FormField, Input, form_of, read
from bot.tools.registry import AnyTool, Registry
from integrations.base import ToolContext, Variant
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
        """What the owner of a card may change on it now, or what a variant of it asks for. Raises `NotRead`; for
        whoever is not its owner `NotSaved`.
        """
        async with self.journal.store.read(patience=PATIENCE_SECONDS) as work:
            question = await work.questions.find(press.value.partition(".")[0])
            if question is None or question.button_value() != press.value:
                return Asked(refusal=words.NOT_KNOWN)
            mine = (question.team, question.user) == (press.team, press.user)
            action = await work.actions.find(question.action_id)
            run = await work.runs.find(action.run_id)
            person = await work.users.find(press.team, press.user)
        if not mine:
            return Asked(refusal=await self._turned_away(press, question))
        if not may_be_changed(Standing.of(run)):
            return Asked(refusal=words.HELD_AS_IT_IS)
        facts = {"asked": question.edition, "edition": action.edition}
        if not may_edit(question.kind, question.state, **facts, doubt=action.doubt):
            return Asked(refusal=words.NOT_EDITABLE if action.doubt else words.DECIDED_MEANWHILE)
        form = form_of(self.registry[action.tool], json.loads(action.args), preview_of(action))
        if variant is not None:
            return _asked_by(_variant(action, variant), form, person)
        return Asked(form=_zoned(form, person)) if form.fields else Asked(refusal=words.NOTHING_TO_EDIT)

    async def _turned_away(self, press: Press, question: Question) -> str:
        """What somebody else is told, once it is in the log."""
        refusal = Refused("click.wrong_person", f"Only <@{question.user}> can change this.", question)
        async with self.journal.write(patience=PATIENCE_SECONDS) as moves:
            return refusal.note(moves, press, choice="edit").text

    async def edit_form(self, edit: Edit) -> EditOutcome:
        """One edit: `edit.args` are the fields of the form as they were filled in. Raises `NotSaved`, `NotRead`."""
        action, known = await self._asked_about(edit)
        if action is None:
            return EditOutcome(accepted=False, text=words.NOT_KNOWN)
        changed = self._read(action, edit)
        if edit.variant is not None:
            chosen = _variant(action, edit.variant)
            changed = {**(chosen.args if chosen else {}), **changed}
            if chosen and chosen.asks and not changed.get(chosen.asks):
                return EditOutcome(
                    accepted=False, text=words.SAY_THIS_FIRST, errors={chosen.asks: words.SAY_THIS_FIRST}
                )
        if not known:  # nothing is looked up for whoever may not change it: he is refused, and that is logged
            return await self.edit(replace(edit, args=changed))
        if wrong := await self._refused(action, changed):
            return EditOutcome(accepted=False, text=words.INVALID_EDIT, errors=wrong)
        return await self.edit(replace(edit, args=changed))

    async def wrong_in(self, edit: Edit) -> Mapping[str, str]:
        """What is wrong with these fields, by argument, of a form that cannot be taken yet: all is to be said at once.

        Nothing for whoever may not change the card. Raises `NotRead`.
        """
        action, known = await self._asked_about(edit)
        if action is None or not known:
            return {}
        changed = self._read(action, edit)
        try:
            validate(self.registry[action.tool], json.loads(action.args) | changed)
        except InvalidArguments as error:
            return error.fields
        return await self._refused(action, changed)

    async def _asked_about(self, edit: Edit) -> tuple[Action | None, bool]:
        """What the card is about, and whether this person may change it now."""
        async with self.journal.store.read(patience=PATIENCE_SECONDS) as work:
            question = await work.questions.find(edit.value.partition(".")[0])
            action = await work.actions.find(question.action_id) if question else None
            if question is None or action is None:
                return None, False
            return action, await _may_change(work, edit, question, action)

    def _read(self, action: Action, edit: Edit) -> dict[str, object]:
        given = cast("Mapping[str, Filled]", edit.args)
        return read(self.registry[action.tool], json.loads(action.args), given, preview_of(action))

    async def _refused(self, action: Action, changed: Mapping[str, object]) -> Mapping[str, str]:
        """What the tool says against the changes, by argument, as far as it tells in time: the judge looks again.

        A tool names one thing at a time. What it names is taken back, to hear what it says of the rest; when that
        changes nothing, it was said of another one.
        """
        if self.requesters is None:
            return {}
        async with self.journal.store.read(patience=PATIENCE_SECONDS) as work:
            run = await work.runs.find(action.run_id)
        look = _Look(tool=self.registry[action.tool], context=await self.requesters.context(action, run))
        now, left, wrong = json.loads(action.args), dict(changed), dict[str, str]()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS):
                while left and (refused := await look.refused(now | left)):
                    wrong = {name: text for name, text in wrong.items() if text != refused}
                    about = _about(left, refused)
                    wrong[about] = refused
                    del left[about]
        return wrong

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """Asks a tool what it says of arguments, without doing anything."""

    tool: AnyTool
    context: ToolContext

    async def refused(self, args: Mapping[str, object]) -> str:
        """Its first objection in words; empty where it has none, or cannot tell."""
        try:
            await self.tool.preview(validate(self.tool, args).args, self.context)
        except ToolError as error:
            return error.message
        except (InvalidArguments, IntegrationError, BasisChanged):
            return ""
        return ""


def _variant(action: Action, place: int) -> Variant | None:
    """What the card offered at this place."""
    offered = preview_of(action).variants
    return offered[place] if place < len(offered) else None


def _zoned(form: Form, person: User | None) -> Form:
    """The form, with the zone of its moments said where no field of it names one."""
    if any(field.name == "zone" for field in form.fields):
        return form
    told = f"Times are those of {person.zone if person else 'UTC'}."
    return replace(form, fields=[_with_zone(field, told) for field in form.fields])


def _with_zone(field: FormField, told: str) -> FormField:
    return replace(field, hint=f"{told} {field.hint}".strip()) if field.input is Input.MOMENT else field


def _asked_by(variant: Variant | None, form: Form, person: User | None) -> Asked:
    """The one field that a variant asks for, which must be filled in; no field where it asks for nothing.

    What it would mean to leave it empty is no question then.
    """
    if variant is None:
        return Asked(refusal=words.NOT_KNOWN)
    fields = [replace(field, optional=False, hint="") for field in form.fields if field.name == variant.asks]
    return Asked(form=_zoned(replace(form, fields=fields, left_out=()), person), title=variant.label)


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
