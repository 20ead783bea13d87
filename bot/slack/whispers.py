"""What one person is told, and nobody else: after a click or a message, where it was made."""

from __future__ import annotations

from dataclasses import dataclass

from bot.slack.errands import Errands
from bot.slack.pressed import Pressed
from bot.slack.views import command
from bot.slack.web import SlackWeb


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
