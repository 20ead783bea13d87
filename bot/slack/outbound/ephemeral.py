"""Messages that one person sees and nobody else: after a click or a message, where it was made."""

from __future__ import annotations

from dataclasses import dataclass

from bot.slack.connection.web import SlackWeb
from bot.slack.outbound.background_tasks import BackgroundTasks
from bot.slack.views import command


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """A person in a conversation; without a channel, in their direct messages."""

    user: str
    channel: str = ""
    thread_ts: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ephemeral:
    """Tells a person something after Slack was answered. Best effort."""

    web: SlackWeb
    background: BackgroundTasks

    def tell(self, recipient: Recipient, text: str) -> None:
        """Nothing is sent for an empty text."""
        if text:
            self.background.run("tell", self._send(recipient, text))

    async def _send(self, recipient: Recipient, text: str) -> None:
        channel = recipient.channel or await self.web.direct(recipient.user)
        await self.web.post_ephemeral(channel, recipient.user, command.said(text), thread_ts=recipient.thread_ts)
