"""Edit: a card's owner opens a form, changes what the card asks about, and gets a new card with the difference.

Or approves one of the variants that the card offers, which may ask for something first: "Send later".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from bot.runtime.questions.edit import Edit
from bot.runtime.questions.edit_forms import EditForms
from bot.slack import ids
from bot.slack.errands import Errands
from bot.slack.front import Front
from bot.slack.payload import Payload, team_of
from bot.slack.pressed import pressed
from bot.slack.views import command, form
from bot.slack.web import SlackWeb
from bot.slack.whispers import Whispers
from bot.store.errors import NotRead, NotSaved


class EditListener:
    """Opens forms and takes them back. What was filled in is committed before Slack is answered."""

    def __init__(self, *, forms: EditForms, web: SlackWeb, errands: Errands, whispers: Whispers) -> None:
        self._forms = forms
        self._web = web
        self._errands = errands
        self._whispers = whispers

    def register(self, front: Front) -> None:
        """The buttons of a card, and the form."""
        front.action(ids.EDIT, self.opened)
        front.action(ids.VARIANT_ACTION, self.varied)
        front.form(ids.EDIT_FORM, self.submitted)

    async def opened(self, body: Payload) -> None:
        """Show the form; Slack takes one for three seconds after the press."""
        press = pressed(body)
        card = press.as_press()
        asked = await self._forms.form(card)
        if asked.form is None:
            self._whispers.tell(press, asked.refusal)
        else:
            self._errands.run("edit", self._web.open_view(press.trigger, form.form_view(asked.form, card)))

    async def varied(self, body: Payload) -> None:
        """Approve a variant of the card, or show what it asks for."""
        press = pressed(body)
        card = press.as_press()
        variant = ids.variant_of(press.action)
        asked = await self._forms.form(card, variant)
        if asked.form is None:
            self._whispers.tell(press, asked.refusal)
        elif asked.form.fields:
            view = form.form_view(asked.form, card, variant=variant, title=asked.title)
            self._errands.run("edit", self._web.open_view(press.trigger, view))
        else:
            outcome = await self._forms.submitted(Edit(**asdict(card), args={}, variant=variant))
            self._whispers.tell(press, outcome.text)

    async def submitted(self, body: Payload) -> Mapping[str, object]:
        """What Slack does with the form: close it, show errors at their fields, or say why it came too late."""
        press, halves = form.press_of(body, team=team_of(body)), form.halves(body)
        edit = Edit(**asdict(press), args=form.filled(body), variant=form.variant_of(body))
        try:
            if halves:
                return _wrong({**form.errors_of(body, await self._forms.wrong_in(edit), ""), **halves})
            outcome = await self._forms.submitted(edit)
        except (NotSaved, NotRead):
            return _wrong(form.errors_of(body, {}, command.NOT_SAVED))
        if outcome.accepted:
            return {}
        if outcome.errors:
            return _wrong(form.errors_of(body, outcome.errors, outcome.text))
        return {"response_action": "update", "view": form.told(outcome.text)}


def _wrong(errors: Mapping[str, str]) -> Mapping[str, object]:
    return {"response_action": "errors", "errors": dict(errors)}
