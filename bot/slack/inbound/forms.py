"""The form of a card: opened by its owner, filled in, and taken back.

Edit changes what a card asks about, and a new card shows the difference. A variant of the card ("Send later") is
approved by filling in what it asks for, or by the click alone where it asks for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from pydantic import Json

from bot.runtime.core.clicks import ButtonClick
from bot.runtime.questions.edit import Edit
from bot.runtime.questions.edit_forms import EditForms
from bot.slack.connection.schema import Objects, SlackModel, SlackRequest, Text, Texts, at
from bot.slack.inbound.clicks import SlackClick
from bot.slack.inbound.router import Router
from bot.slack.outbound.replies import Replies
from bot.slack.views import command, form, ids
from bot.slack.views.plain import one_line
from bot.store.errors import NotRead, NotSaved
from bot.tools.forms import Filled

ERROR_LIMIT = 150


class _Option(SlackModel):
    value: Text = ""


class ElementState(SlackModel):
    """The state of one element (docs.slack.dev/reference/views/view-object, "state")."""

    type: Text = ""
    value: Text = ""
    selected_date: Text = ""
    selected_time: Text = ""
    selected_date_time: int | None = None  # seconds since 1970
    selected_option: _Option | None = None
    selected_options: Objects[_Option] = ()
    selected_user: Text = ""
    selected_users: Texts = ()

    @property
    def filled(self) -> Filled:
        """What stands in it."""
        match self.type:
            case "checkboxes":
                return bool(self.selected_options)
            case "datepicker":
                return self.selected_date
            case "static_select":
                chosen = self.selected_option.value if self.selected_option else ""
                return "" if chosen == form.NOTHING else chosen
            case _:
                return self.value


class _Card(SlackModel):
    """The card that the form is for, as the form was opened with it."""

    value: str
    channel: str
    ts: str
    variant: int | None = None


class FilledForm(SlackRequest):
    """docs.slack.dev/reference/interaction-payloads/view-interactions-payload."""

    user: str = at("user", "id")
    card: Json[_Card] = at("view", "private_metadata")
    values: dict[str, dict[str, ElementState]] = at("view", "state", "values")

    def fields(self) -> Mapping[str, Filled]:
        """What stands in each field; not in that of a moment of which a half is missing."""
        given = {name: self._at(name).filled for name in self.values if not name.endswith(form.TIME)}
        for name, day, time in self._moments():
            given.pop(name, None)
            if bool(day) is bool(time):
                given[name] = f"{day}T{time}" if day else ""
        return given

    def halves(self) -> Mapping[str, str]:
        """What to say of a moment of which only the day or the time was chosen, by the block where the rest belongs."""
        missing: dict[str, str] = {}
        for name, day, time in self._moments():
            if bool(day) is not bool(time):
                missing |= {name: form.DAY_TOO} if time else {f"{name}{form.TIME}": form.TIME_TOO}
        return missing

    def errors(self, errors: Mapping[str, str], otherwise: str) -> Mapping[str, str]:
        """What is wrong, by block; what belongs to no block of this form stands at its first one, like `otherwise`."""
        at_block = {name: one_line(text, ERROR_LIMIT) for name, text in errors.items() if name in self.values}
        hidden = "; ".join(f"{name}: {text}" for name, text in errors.items() if name not in self.values)
        if not at_block and self.values and (hidden or otherwise):
            at_block[next(iter(self.values))] = one_line(hidden or otherwise, ERROR_LIMIT)
        return at_block

    def not_saved(self) -> Mapping[str, str]:
        """What is said when the change could not be saved."""
        return self.errors({}, command.NOT_SAVED)

    def on_button(self) -> ButtonClick:
        """As if the button was pressed that opened it."""
        card = self.card
        return ButtonClick(team=self.team, user=self.user, value=card.value, channel=card.channel, message_ts=card.ts)

    def edit(self) -> Edit:
        """What the runtime knows of it."""
        return Edit(**asdict(self.on_button()), args=self.fields(), variant=self.card.variant)

    def _moments(self) -> list[tuple[str, str, str]]:
        """Each moment's name, day and time."""
        names = [block.removesuffix(form.TIME) for block in self.values if block.endswith(form.TIME)]
        return [(name, self._at(name).selected_date, self._at(f"{name}{form.TIME}").selected_time) for name in names]

    def _at(self, block: str) -> ElementState:
        return self.values.get(block, {}).get(form.FIELD) or ElementState()


@dataclass(frozen=True, slots=True, kw_only=True)
class FormListener:
    """Opens forms and takes them back. What was filled in is committed before Slack is answered."""

    forms: EditForms
    replies: Replies

    def register(self, router: Router) -> None:
        """A form that was sent; its buttons stand in the button table."""
        router.form(ids.EDIT_FORM, FilledForm.parse, self.submitted)

    async def edit(self, click: SlackClick) -> None:
        """Show the form."""
        asked = await self.forms.form(click.on_button())
        if asked.form is None:
            self.replies.tell(click.recipient, asked.refusal)
        else:
            self.replies.open(click.trigger, form.form_view(asked.form, _card_of(click)))

    async def approve_variant(self, click: SlackClick) -> None:
        """Approve a variant of the card, or show what it asks for."""
        card, variant = click.on_button(), ids.variant_of(click.action)
        asked = await self.forms.form(card, variant)
        if asked.form is None:
            self.replies.tell(click.recipient, asked.refusal)
        elif asked.form.fields:
            view = form.form_view(asked.form, _card_of(click, variant), title=asked.title)
            self.replies.open(click.trigger, view)
        else:
            outcome = await self.forms.submitted(Edit(**asdict(card), args={}, variant=variant))
            self.replies.tell(click.recipient, outcome.text)

    async def submitted(self, filled: FilledForm) -> Mapping[str, object]:
        """What Slack does with the form: close it, show errors at their fields, or say why it came too late."""
        try:
            if halves := filled.halves():
                return wrong({**filled.errors(await self.forms.wrong_in(filled.edit()), ""), **halves})
            outcome = await self.forms.submitted(filled.edit())
        except (NotSaved, NotRead):
            return wrong(filled.not_saved())
        if outcome.accepted:
            return {}
        if outcome.errors:
            return wrong(filled.errors(outcome.errors, outcome.text))
        return {"response_action": "update", "view": form.not_changed(outcome.text)}


def _card_of(click: SlackClick, variant: int | None = None) -> form.FormCard:
    return form.FormCard(value=click.value, channel=click.channel, ts=click.ts, variant=variant)


def wrong(errors: Mapping[str, str]) -> Mapping[str, object]:
    """Slack's answer to a form in which something is wrong, by block."""
    return {"response_action": "errors", "errors": dict(errors)}
