"""The form of a card: opened by its owner, filled in, and taken back.

Edit changes what a card asks about, and a new card shows the difference. A variant of the card ("Send later") is
approved by filling in what it asks for, or by the click alone where it asks for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from bot.runtime.questions.edit import Edit
from bot.runtime.questions.edit_forms import EditForms
from bot.slack.inbound.clicks import SlackClick
from bot.slack.inbound.filled_form import FilledForm
from bot.slack.inbound.router import Router
from bot.slack.outbound.replies import Replies
from bot.slack.views import form, ids
from bot.store.errors import NotRead, NotSaved


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
                return _wrong({**filled.errors(await self.forms.wrong_in(filled.edit()), ""), **halves})
            outcome = await self.forms.submitted(filled.edit())
        except (NotSaved, NotRead):
            return _wrong(filled.not_saved())
        if outcome.accepted:
            return {}
        if outcome.errors:
            return _wrong(filled.errors(outcome.errors, outcome.text))
        return {"response_action": "update", "view": form.not_changed(outcome.text)}


def _card_of(click: SlackClick, variant: int | None = None) -> form.FormCard:
    return form.FormCard(value=click.value, channel=click.channel, ts=click.ts, variant=variant)


def _wrong(errors: Mapping[str, str]) -> Mapping[str, object]:
    return {"response_action": "errors", "errors": dict(errors)}
