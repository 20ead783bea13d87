"""What one person is told, and nobody else: after a click or a message, where it was made."""

from __future__ import annotations

from dataclasses import dataclass

from bot.runtime.presses import Press
from bot.slack.errands import Errands
from bot.slack.payload import Payload, as_mapping, items_at, team_of, text_at
from bot.slack.views import command
from bot.slack.web import SlackWeb


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

    def as_press(self) -> Press:
        """What the runtime knows of it."""
        return Press(team=self.team, user=self.user, value=self.value, channel=self.channel, message_ts=self.ts)


def pressed(body: Payload) -> Pressed:
    """The click in a `block_actions` payload (docs.slack.dev/reference/interaction-payloads/block_actions-payload)."""
    action = next(iter(items_at(body, "actions")), as_mapping(None))
    return Pressed(
        team=team_of(body),
        user=text_at(body, "user", "id"),
        action=text_at(action, "action_id"),
        value=text_at(action, "value") or text_at(action, "selected_option", "value"),
        channel=text_at(body, "container", "channel_id") or text_at(body, "channel", "id"),
        ts=text_at(body, "container", "message_ts"),
        thread_ts=text_at(body, "container", "thread_ts") or text_at(body, "message", "thread_ts") or None,
        trigger=text_at(body, "trigger_id"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Whispers:
    """Tells the one who pressed, after Slack was answered. Best effort."""

    web: SlackWeb
    errands: Errands

    def tell(self, press: Pressed, text: str) -> None:
        """Only to him; from App Home in his direct messages. Nothing is said for an empty text."""
        if text and press.user:
            self.errands.run("tell", self._whisper(press, text))

    def answer(self, channel: str, user: str, text: str, *, thread_ts: str | None) -> None:
        """Only to him, under what he wrote."""
        self.errands.run("answer", self.web.whisper(channel, user, command.said(text), thread_ts=thread_ts))

    async def _whisper(self, press: Pressed, text: str) -> None:
        channel = press.channel or await self.web.direct(press.user)
        await self.web.whisper(channel, press.user, command.said(text), thread_ts=press.thread_ts)
