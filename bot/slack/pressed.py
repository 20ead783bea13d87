"""A click as Slack tells of it, read once for whoever takes it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.runtime.core.clicks import Press
from bot.slack.payload import Payload, as_mapping, items_at, team_of, text_at


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
