"""The form of a card: opened by its owner, filled in, and taken back.

Edit changes what a card asks about, and a new card shows the difference. A variant of the card ("Send later") is
approved by filling in what it asks for, or by the click alone where it asks for nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, replace

from pydantic import Json

from bot.runtime.core.clicks import ButtonClick, ClickOutcome
from bot.runtime.delivery.queries import Queries
from bot.runtime.questions.edit import Edit, EditOutcome
from bot.runtime.questions.edit_forms import EditForms
from bot.slack.connection.schema import SlackModel, at
from bot.slack.connection.windows import Answer, ElementState, SentWindow, instead, wrong
from bot.slack.inbound.clicks import SlackClick
from bot.slack.inbound.router import Router
from bot.slack.outbound.replies import Replies
from bot.slack.views import command, everything, form, ids
from bot.store.errors import NotRead, NotSaved
from bot.tools.forms import Filled


class _Card(SlackModel):
    """The card that the form is for, as the form was opened with it."""

    value: str
    channel: str
    ts: str
    variant: int | None = None
    read: bool = False


class FilledForm(SentWindow):
    """docs.slack.dev/reference/interaction-payloads/view-interactions-payload."""

    card: Json[_Card] = at("view", "private_metadata")

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
        """What is wrong, by block; what belongs to no block of this form stands at its first one, and there
        `otherwise` where nothing else is wrong.
        """
        hidden = "; ".join(f"{name}: {text}" for name, text in self.strays(errors).items())
        return self.at_fields(errors, hidden or ("" if errors else otherwise))

    def not_saved(self) -> Mapping[str, str]:
        """What is said when the change could not be saved."""
        return self.errors({}, command.NOT_SAVED)

    def on_button(self) -> ButtonClick:
        """As if the button was pressed that opened it."""
        card = self.card
        return ButtonClick(team=self.team, user=self.user, value=card.value, channel=card.channel, message_ts=card.ts)

    def edit(self) -> Edit:
        """What the runtime knows of it."""
        card = self.card
        return Edit(**asdict(self.on_button()), args=self.fields(), variant=card.variant, read=card.read)

    def _moments(self) -> list[tuple[str, str, str]]:
        """Each moment's name, day and time."""
        names = [block.removesuffix(form.TIME) for block in self.values if block.endswith(form.TIME)]
        return [(name, self._at(name).selected_date, self._at(f"{name}{form.TIME}").selected_time) for name in names]

    def _at(self, block: str) -> ElementState:
        return self.field(block, form.FIELD)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormListener:
    """Opens forms and takes them back. What was filled in is committed before Slack is answered."""

    forms: EditForms
    queries: Queries
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
        """Approve a variant of the card, or show what it asks for, with all of what is long."""
        card, variant = click.on_button(), ids.variant_of(click.action)
        asked, view = await self.forms.form(card, variant), await self.queries.card(click.question_id)
        is_long = view is not None and view.is_long
        if asked.form is None:
            self.replies.tell(click.recipient, asked.refusal)
        elif asked.form.fields or is_long:
            place = _card_of(click, variant)
            beside, title = form.asked(asked.form, place), f"{asked.title}?"
            to_read = everything.whole(view, beside=beside, title=title) if view and is_long else ()
            place = replace(place, read=bool(to_read))
            shown = form.form_view(asked.form, place, title=asked.title, to_read=to_read or ())
            self.replies.open(click.trigger, shown)
        else:
            outcome = await self.forms.submitted(Edit(**asdict(card), args={}, variant=variant))
            self.replies.tell(click.recipient, outcome.text)

    async def submitted(self, filled: FilledForm) -> Answer:
        """What Slack does with the form: close it, show errors at their fields, or say why it came too late."""
        try:
            if halves := filled.halves():
                return wrong({**filled.errors(await self.forms.wrong_in(filled.edit()), ""), **halves})
        except (NotSaved, NotRead):
            return wrong(filled.not_saved())
        deciding = self.forms.submitted(filled.edit())
        return await answered(filled, deciding, lambda text: instead(form.not_changed(text)))


async def answered(
    filled: FilledForm, deciding: Awaitable[ClickOutcome | EditOutcome], too_late: Callable[[str], Answer]
) -> Answer:
    """What Slack does with a window that a card opened: close it, show what is wrong at its fields, or say it in the
    window's place, where it came too late or there are no fields.
    """
    try:
        outcome = await deciding
    except (NotSaved, NotRead):
        errors = filled.not_saved()
        return wrong(errors) if errors else too_late(command.NOT_SAVED)
    if outcome.accepted:
        return {}
    errors = filled.errors(outcome.errors, outcome.text) if outcome.errors else None
    return wrong(errors) if errors else too_late(outcome.text)


def _card_of(click: SlackClick, variant: int | None = None) -> form.FormCard:
    return form.FormCard(value=click.value, channel=click.channel, ts=click.ts, variant=variant)
