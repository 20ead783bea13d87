"""Buttons: the choices of a card, Continue, Ask again, Try again, Undo, Forget, Show everything, Stop."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.questions import Choice
from bot.runtime.delivery.queries import Queries
from bot.runtime.questions.decide import Click, Questions
from bot.runtime.runs.deferred import DeferredActions
from bot.runtime.runs.resume import Resuming
from bot.runtime.runs.stop import Stops
from bot.runtime.runs.undo import Undoing
from bot.slack import ids
from bot.slack.errands import Errands
from bot.slack.front import Front
from bot.slack.payload import Payload
from bot.slack.pressed import Pressed, pressed
from bot.slack.views.whole import whole
from bot.slack.web import SlackWeb
from bot.slack.whispers import Whispers

NOT_YOURS = "Only the person who asked can see this."


class ClickListener:
    """Commits what a button says, then answers the person who pressed it.

    Raises `NotSaved`; the app's error handler answers that.
    """

    def __init__(
        self,
        *,
        questions: Questions,
        resuming: Resuming,
        undoing: Undoing,
        held: DeferredActions,
        stops: Stops,
        queries: Queries,
        web: SlackWeb,
        errands: Errands,
        whispers: Whispers,
    ) -> None:
        self._questions = questions
        self._deeds = {
            ids.CONTINUE: resuming.continue_run,
            ids.ASK_AGAIN: resuming.ask_again,
            ids.TRY_AGAIN: resuming.try_again,
            ids.UNDO: undoing.undo,
            ids.FORGET: undoing.forget,
            ids.HELD_UNDO: held.undo,
            ids.HELD_NOW: held.send_now,
        }
        self._stops = stops
        self._queries = queries
        self._web = web
        self._errands = errands
        self._whispers = whispers

    def register(self, front: Front) -> None:
        """Every button that our views make."""
        for action_id in ids.CHOICE_ACTIONS:
            front.action(action_id, self.chosen)
        front.action(ids.OPTION_ACTION, self.answered)
        for action_id in self._deeds:
            front.action(action_id, self.done)
        front.action(ids.SHOW_ALL, self.show_all)
        front.action(ids.STOP_MINE, self.stop)

    async def chosen(self, body: Payload) -> None:
        """A card's choice."""
        press = pressed(body)
        outcome = await self._questions.click(_click(press, ids.CHOICE_ACTIONS[press.action]))
        self._whispers.tell(press, outcome.text)

    async def answered(self, body: Payload) -> None:
        """One of the answers that a tool's question offers."""
        press = pressed(body)
        value, option = ids.option_of(press.action, press.value)
        outcome = await self._questions.click(_click(replace(press, value=value), Choice.ANSWER, option))
        self._whispers.tell(press, outcome.text)

    async def done(self, body: Payload) -> None:
        """Continue, Ask again, Try again, Send now: what stopped or waits goes on; Undo, Forget: it is taken back."""
        press = pressed(body)
        outcome = await self._deeds[press.action](press.as_press())
        self._whispers.tell(press, outcome.text)

    async def show_all(self, body: Payload) -> None:
        """Everything that a card folds away, for its owner."""
        press = pressed(body)
        view = await self._queries.card(ids.question_of(press.value))
        if view is None or view.value != press.value or (view.place.team, view.place.user) != (press.team, press.user):
            await self._questions.turned_away(press.as_press(), "show_all")
            self._whispers.tell(press, NOT_YOURS)
        else:
            self._errands.run("show-all", self._web.open_view(press.trigger, whole(view)))

    async def stop(self, body: Payload) -> None:
        """Stop of everything that a person has running, from App Home."""
        press = pressed(body)
        await self._stops.stop_person(press.team, press.user)


def _click(press: Pressed, choice: Choice, option: int | None = None) -> Click:
    return Click(
        team=press.team,
        user=press.user,
        value=press.value,
        choice=choice,
        option=option,
        channel=press.channel,
        message_ts=press.ts,
    )
