"""What a person who clicked, typed or wrote is shown after Slack was answered. Best effort."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.slack.connection.errors import SlackError
from bot.slack.connection.web import SlackWeb
from bot.slack.outbound.background_tasks import BackgroundTasks
from bot.slack.views import command
from bot.slack.views.blocks import Block, Outgoing


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """A person in a conversation; without a channel, in their direct messages."""

    user: str
    channel: str = ""
    thread_ts: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """Shows it in the background."""

    web: SlackWeb
    background: BackgroundTasks

    def tell(self, recipient: Recipient, text: str) -> None:
        """Tell one person, and nobody else, where they are; nothing for an empty text."""
        if text:
            self.background.run("tell", self._tell(recipient, text))

    def open(self, trigger: str, modal: Block, *, response_url: str = "", otherwise: str = "") -> None:
        """Open a modal; Slack takes it for three seconds after the click. If it does not open, `otherwise` is said at
        the `response_url`, where there is one.
        """
        self.background.run("open", self._open(trigger, modal, response_url, otherwise))

    def open_linked(self, trigger: str, at: tuple[str, str] | None, modal: Callable[[str], Block]) -> None:
        """Open a modal without the address of this message, look that up, and show the modal with it."""
        self.background.run("open", self._open_linked(trigger, at, modal))

    def change(self, channel: str, ts: str, message: Outgoing) -> None:
        """Change the message that was clicked on."""
        self.background.run("change", self.web.update(channel, ts, message))

    def end_session(self, channel: str, thread_ts: str) -> None:
        """Show that nothing works in this thread any more."""
        self.background.run("end-session", self.web.session_status(channel, thread_ts, "active"))

    async def _open(self, trigger: str, modal: Block, response_url: str, otherwise: str) -> None:
        try:
            await self.web.open_view(trigger, modal)
        except SlackError:
            if response_url:
                await self.web.respond(response_url, command.said(otherwise))
            raise

    async def _open_linked(self, trigger: str, at: tuple[str, str] | None, modal: Callable[[str], Block]) -> None:
        opened = await self.web.open_view(trigger, modal(""))
        if at and (link := await self.web.permalink(*at)):
            await self.web.update_view(modal(link), view_id=opened)

    async def _tell(self, recipient: Recipient, text: str) -> None:
        channel = recipient.channel or await self.web.direct(recipient.user)
        await self.web.post_ephemeral(channel, recipient.user, command.said(text), thread_ts=recipient.thread_ts)
