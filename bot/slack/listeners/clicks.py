"""Buttons: the choices of a card, Undo of a memory, Show everything, Stop."""

from __future__ import annotations

from dataclasses import dataclass

from bot.domain.questions import Choice
from bot.runtime.people import People
from bot.runtime.ports import NotSaved
from bot.runtime.queries import Queries
from bot.runtime.questions import Click, Questions
from bot.runtime.stops import Stops
from bot.slack import ids
from bot.slack.errands import Errands
from bot.slack.front import Front
from bot.slack.payload import Payload, as_mapping, items_at, text_at
from bot.slack.views import command, notice
from bot.slack.views.whole import whole
from bot.slack.web import SlackWeb

NOT_YOURS = "Only the person who asked can see this."
ALREADY_GONE = "That was undone before, or is gone."


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressed:
    """One click, from a message or from App Home (then without a channel)."""

    team: str
    user: str
    action: str
    value: str
    channel: str
    ts: str
    thread_ts: str | None
    trigger: str


def pressed(body: Payload) -> Pressed:
    """The click in a `block_actions` payload (docs.slack.dev/reference/interaction-payloads/block_actions-payload)."""
    action = next(iter(items_at(body, "actions")), as_mapping(None))
    return Pressed(
        team=text_at(body, "team", "id") or text_at(body, "user", "team_id"),
        user=text_at(body, "user", "id"),
        action=text_at(action, "action_id"),
        value=text_at(action, "value"),
        channel=text_at(body, "container", "channel_id") or text_at(body, "channel", "id"),
        ts=text_at(body, "container", "message_ts"),
        thread_ts=text_at(body, "container", "thread_ts") or text_at(body, "message", "thread_ts") or None,
        trigger=text_at(body, "trigger_id"),
    )


class ClickListener:
    """Commits what a button says, then answers the person who pressed it."""

    def __init__(
        self,
        *,
        questions: Questions,
        people: People,
        stops: Stops,
        queries: Queries,
        web: SlackWeb,
        errands: Errands,
    ) -> None:
        self._questions = questions
        self._people = people
        self._stops = stops
        self._queries = queries
        self._web = web
        self._errands = errands

    def register(self, front: Front) -> None:
        """Every button that our views make."""
        for action_id in ids.CHOICE_ACTIONS:
            front.action(action_id, self.chosen)
        front.action(ids.UNDO_MEMORY, self.undo)
        front.action(ids.SHOW_ALL, self.show_all)
        front.action(ids.STOP_MINE, self.stop)

    async def chosen(self, body: Payload) -> None:
        """A card's choice."""
        press = pressed(body)
        try:
            outcome = await self._questions.click(_click(press, ids.CHOICE_ACTIONS[press.action]))
        except NotSaved:
            self._tell(press, command.NOT_SAVED)
        else:
            self._tell(press, outcome.text)

    async def undo(self, body: Payload) -> None:
        """Undo of a saved memory."""
        press = pressed(body)
        try:
            undone = await self._people.undo_memory(press.team, press.user, press.value)
        except NotSaved:
            self._tell(press, command.NOT_SAVED)
            return
        if undone and press.ts:
            self._errands.run("forgotten", self._web.update(press.channel, press.ts, notice.forgotten()))
        elif not undone:
            self._tell(press, ALREADY_GONE)

    async def show_all(self, body: Payload) -> None:
        """Everything that a card folds away, for its owner."""
        press = pressed(body)
        view = await self._queries.card(ids.question_of(press.value))
        if view is None or view.value != press.value or (view.place.team, view.place.user) != (press.team, press.user):
            self._tell(press, NOT_YOURS)
        else:
            self._errands.run("show-all", self._web.open_view(press.trigger, whole(view)))

    async def stop(self, body: Payload) -> None:
        """Stop of everything that a person has running, from App Home."""
        press = pressed(body)
        try:
            await self._stops.stop_person(press.team, press.user)
        except NotSaved:
            self._tell(press, command.NOT_SAVED)

    def _tell(self, press: Pressed, text: str) -> None:
        """To the one who pressed, and only to him; from App Home in his direct messages."""
        if text:
            self._errands.run("tell", self._whisper(press, text))

    async def _whisper(self, press: Pressed, text: str) -> None:
        channel = press.channel or await self._web.direct(press.user)
        await self._web.whisper(channel, press.user, command.said(text), thread_ts=press.thread_ts)


def _click(press: Pressed, choice: Choice) -> Click:
    return Click(
        team=press.team,
        user=press.user,
        value=press.value,
        choice=choice,
        channel=press.channel,
        message_ts=press.ts,
    )
