"""Edit forms: what the owner of a card may change on it, as fields, and what is wrong with what was filled in.

What is taken becomes an edit (`bot.runtime.questions.edit`); a variant of a card that asks for something ("Send later")
is a form with that one field.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import cast
from zoneinfo import ZoneInfo

from bot.domain.actions import Action
from bot.domain.audit import AuditCode
from bot.domain.conditions import Standing, is_open, may_be_changed
from bot.domain.questions import Question
from bot.domain.runs import Run
from bot.domain.threads import User, zone_of
from bot.runtime.actions.deadlines import wrong_moment
from bot.runtime.actions.previews import preview_of, variant_of
from bot.runtime.core.clicks import ButtonClick, ClickRejected
from bot.runtime.people.requesters import Requesters
from bot.runtime.questions.decide import came_of
from bot.runtime.questions.edit import Edit, Editing, EditOutcome, check_editable
from bot.runtime.questions.follow_ups import can_be_edited
from bot.runtime.questions.objections import collect
from bot.runtime.texts import about_plans, to_people
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from bot.tools.arguments import InvalidArguments, validate
from bot.tools.forms import FieldInput, Filled, Form, FormField, form_of, read, wrong_entries
from integrations.base import AnyTool, ToolContext, Variant
from integrations.errors import BasisChanged, IntegrationError, ToolError

MORNING = time(8)
"""When what is sent later leaves, unless its owner says otherwise."""

LOOK_SECONDS = 1.2
"""Slack waits three seconds for what becomes of a form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedForm:
    """The form of a card, or why there is none. `title` is the name of the variant that it is for."""

    form: Form | None = None
    refusal: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditForms:
    """Makes forms and takes them back. With `requesters` what was filled in is looked at by its tool first."""

    editing: Editing
    requesters: Requesters | None = None

    async def form(self, click: ButtonClick, variant: int | None = None) -> OfferedForm:
        """What the owner of a card may change on it now, or what a variant of it asks for. Raises `NotRead`; where it
        is refused, which is logged, `NotSaved`.
        """
        try:
            return await self._form(click, variant)
        except ClickRejected as rejected:
            async with self.editing.transactions.write_promptly() as tx:
                return OfferedForm(refusal=rejected.record(tx, click, choice="edit").text)

    async def _form(self, click: ButtonClick, variant: int | None) -> OfferedForm:
        async with self.editing.transactions.read_promptly() as work:
            question = await work.questions.find(click.value.partition(".")[0])
            if question is None or question.button_value() != click.value:
                raise ClickRejected(AuditCode.CLICK_UNKNOWN, to_people.NOT_KNOWN)
            mine = (question.team, question.user) == (click.team, click.user)
            action = await work.actions.find(question.action_id)
            run = await work.runs.find(action.run_id)
            request = await work.runs.request_of(run.id)
            person = await work.users.find(click.team, click.user)
            came = "" if is_open(question.state) else await came_of(work, question)
        if not mine:
            raise ClickRejected(AuditCode.CLICK_WRONG_PERSON, f"Only <@{question.user}> can change this.", question)
        if came:
            raise ClickRejected(AuditCode.CLICK_LATE, came, question)
        check_editable(run, question, action)
        form = form_of(self.editing.registry[action.tool], json.loads(action.args), preview_of(action))
        if variant is not None:
            now = self.editing.transactions.clock.now()
            return _asked_by(variant_of(action, variant), form, person, now, deadline=request.deadline_at)
        return OfferedForm(form=_zoned(form, person)) if form.fields else OfferedForm(refusal=to_people.NOTHING_TO_EDIT)

    async def submitted(self, edit: Edit) -> EditOutcome:
        """The form was filled in: `edit.args` are its fields. Raises `NotSaved`, `NotRead`."""
        action, may_change = await self._asked_about(edit)
        if action is None:  # refused there, and logged
            return await self.editing.edit(edit)
        changed = self._read(action, edit)
        if edit.variant is not None:
            chosen = variant_of(action, edit.variant)
            changed = {**(chosen.args if chosen else {}), **changed}
            if chosen and chosen.asks and not changed.get(chosen.asks):
                return EditOutcome(
                    accepted=False, text=to_people.SAY_THIS_FIRST, errors={chosen.asks: to_people.SAY_THIS_FIRST}
                )
        if not may_change:  # nothing is looked up for others: they are refused, and that is logged
            return await self.editing.edit(replace(edit, args=changed))
        if wrong := self._wrong_entries(action, edit) or await self._refused(action, changed):
            return EditOutcome(accepted=False, text=to_people.INVALID_EDIT, errors=wrong)
        return await self.editing.edit(replace(edit, args=changed))

    async def wrong_in(self, edit: Edit) -> Mapping[str, str]:
        """What is wrong with these fields, by argument, of a form that cannot be taken yet: all is to be said at once.

        Nothing for people who may not change the card. Raises `NotRead`.
        """
        action, may_change = await self._asked_about(edit)
        if action is None or not may_change:
            return {}
        changed = self._read(action, edit)
        try:
            validate(self.editing.registry[action.tool], json.loads(action.args) | changed)
        except InvalidArguments as error:
            return error.fields
        return await self._refused(action, changed)

    async def _asked_about(self, edit: Edit) -> tuple[Action | None, bool]:
        """What the card is about, and whether this person may change it now."""
        async with self.editing.transactions.read_promptly() as work:
            question = await work.questions.find(edit.value.partition(".")[0])
            action = await work.actions.find(question.action_id) if question else None
            if question is None or action is None:
                return None, False
            return action, await _may_change(work, edit, question, action)

    def _read(self, action: Action, edit: Edit) -> dict[str, object]:
        given = cast("Mapping[str, Filled]", edit.args)
        return read(self.editing.registry[action.tool], json.loads(action.args), given, preview_of(action))

    def _wrong_entries(self, action: Action, edit: Edit) -> Mapping[str, str]:
        given = cast("Mapping[str, Filled]", edit.args)
        return wrong_entries(self.editing.registry[action.tool], json.loads(action.args), given)

    async def _refused(self, action: Action, changed: Mapping[str, object]) -> Mapping[str, str]:
        """What the tool, or the deadline of its request, objects to in the changes, by argument, as far as that is told
        in time: the evaluator looks again.

        """
        if self.requesters is None:
            return {}
        async with self.editing.transactions.read_promptly() as work:
            run = await work.runs.find(action.run_id)
        context = await self.requesters.context(action, run)
        store = self.editing.transactions.store
        look = _Look(tool=self.editing.registry[action.tool], context=context, run=run, store=store)
        now, wrong = json.loads(action.args), dict[str, str]()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS):
                await collect(lambda left: look.refused({**now, **left}), changed, wrong)
        return wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """Asks a tool what it says of arguments, without doing anything, and whether what they name is in time."""

    tool: AnyTool
    context: ToolContext
    run: Run
    store: Store

    async def refused(self, args: Mapping[str, object]) -> str:
        """The first objection in words; empty where there is none, or it cannot be told."""
        try:
            valid = validate(self.tool, args).args
            await self.tool.preview(valid, self.context)
            moment = self.tool.not_before(valid, self.context)
            return await wrong_moment(self.store, self.run, moment, self.context.requester.zone)
        except ToolError as error:
            return error.message
        except (InvalidArguments, IntegrationError, BasisChanged):
            return ""


def _zoned(form: Form, person: User | None) -> Form:
    """The form, with the zone of its moments said where no field of it names one."""
    if any(field.name == "zone" for field in form.fields):
        return form
    told = f"Times are those of {zone_of(person)}."
    return replace(form, fields=[_with_zone(field, told) for field in form.fields])


def _with_zone(field: FormField, told: str) -> FormField:
    return replace(field, hint=f"{told} {field.hint}".strip()) if field.input is FieldInput.MOMENT else field


def _asked_by(
    variant: Variant | None, form: Form, person: User | None, now: datetime, *, deadline: datetime | None
) -> OfferedForm:
    """The one field that a variant asks for, which must be filled in; no field where it asks for nothing.

    What it would mean to leave it empty is no question then. A moment begins with the next morning, if that is before
    the deadline, which it names.
    """
    if variant is None:
        return OfferedForm(refusal=to_people.NOT_KNOWN)
    zone = ZoneInfo(zone_of(person))
    morning = datetime.combine(now.astimezone(zone).date() + timedelta(days=1), MORNING)
    in_time = deadline is None or morning.replace(tzinfo=zone) < deadline
    suggested = morning.isoformat(timespec="minutes") if in_time else ""
    hint = about_plans.choose_earlier(deadline, zone_of(person)) if deadline else ""
    asked = [replace(field, optional=False, hint=hint) for field in form.fields if field.name == variant.asks]
    fields = [replace(one, value=one.value or suggested) if one.input is FieldInput.MOMENT else one for one in asked]
    return OfferedForm(form=_zoned(replace(form, fields=fields, left_out=()), person), title=variant.label)


async def _may_change(work: UnitOfWork, click: ButtonClick, question: Question, action: Action) -> bool:
    """Whether the click is its owner's on a card that can still be changed; decided once more when it is committed."""
    person = await work.users.find(click.team, click.user)
    owner = (click.team, click.user) == (question.team, question.user) and (person is None or person.is_member)
    if not owner or not hmac.compare_digest(question.button_value().encode(), click.value.encode()):
        return False
    run = await work.runs.find(action.run_id)
    return may_be_changed(Standing.of(run)) and can_be_edited(question, action)
