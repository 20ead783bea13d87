"""A click as a frozen value, and who made it."""

from __future__ import annotations

from bot.runtime.core.clicks import ButtonClick
from bot.slack.connection.schema import SlackRequest, Text, at, text_at
from bot.slack.outbound.replies import Recipient


class Interaction(SlackRequest):
    """Something that a person did with a button or a form: in a message, or in App Home, which is no channel."""

    user: str = at("user", "id")
    container_channel: Text = text_at("container", "channel_id")
    message_channel: Text = text_at("channel", "id")
    ts: Text = text_at("container", "message_ts")
    container_thread: Text = text_at("container", "thread_ts")
    message_thread: Text = text_at("message", "thread_ts")

    @property
    def channel(self) -> str:
        """Where it was done; empty in App Home."""
        return self.container_channel or self.message_channel

    @property
    def recipient(self) -> Recipient:
        """The person, at that place."""
        thread_ts = self.container_thread or self.message_thread or None
        return Recipient(user=self.user, channel=self.channel, thread_ts=thread_ts)


class SlackClick(Interaction):
    """A click on a button, or a choice from a menu.

    docs.slack.dev/reference/interaction-payloads/block_actions-payload.
    """

    action: str = at("actions", 0, "action_id")
    button_value: Text = text_at("actions", 0, "value")
    menu_value: Text = text_at("actions", 0, "selected_option", "value")
    trigger: Text = text_at("trigger_id")
    view_id: Text = text_at("view", "id")
    view_type: Text = text_at("view", "type")
    kept: Text = text_at("view", "private_metadata")

    @property
    def value(self) -> str:
        """What the button, or the option that was chosen, carries."""
        return self.button_value or self.menu_value

    @property
    def question_id(self) -> str:
        """The question whose card was clicked on: its buttons carry `<question id>.<nonce>`."""
        return self.value.partition(".")[0]

    @property
    def window(self) -> str:
        """The id of the window that it was made in; empty elsewhere, as on App Home."""
        return self.view_id if self.view_type == "modal" else ""

    def on_button(self) -> ButtonClick:
        """What the runtime knows of it."""
        return ButtonClick(team=self.team, user=self.user, value=self.value, channel=self.channel, message_ts=self.ts)
