"""What a test or the page may change about the emulator's strictness and timing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self, cast

from playground.slack.scopes import GRANTED

SLACKS_PAUSES = (0.0, 60.0, 300.0)
"""Seconds: nearly at once, after a minute, after five (docs.slack.dev/apis/events-api, "Error handling")."""

WATCHED_PAUSES = (1.0, 5.0, 15.0)
"""For a person who watches, and does not wait five minutes after a restart. All three tries together are still longer
than a restart.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Slack's own numbers, as its documentation gives them."""

    ack_seconds: float = 3.0
    """An envelope or request not acknowledged by then is delivered again (events) or shown as failed (clicks)."""

    retries: int = 3
    """How often an event is delivered again before Slack gives up."""

    retry_pauses: tuple[float, ...] = SLACKS_PAUSES
    """Waits between a missed acknowledgement and the next attempt, the last one again and again."""

    retry_seconds: float | None = None
    """The same short wait every time instead, for tests."""

    stream_seconds: float = 300.0
    """A stream's life from its start, whatever is appended."""

    trigger_seconds: float = 3.0
    response_url_seconds: float = 30 * 60.0
    response_url_uses: int = 5
    status_seconds: float = 120.0
    """After that an assistant thread's status disappears."""

    share_seconds: float = 0.0
    """Until an uploaded file is shared; Slack takes a moment longer than its answer
    (github.com/slackapi/python-slack-sdk/issues/1277).
    """

    rate_limits: bool = False
    """Whether the per-method tiers are enforced."""

    revoked_scopes: tuple[str, ...] = ()
    """Scopes of the manifest that this workspace did not grant."""

    scopes: tuple[str, ...] = tuple(sorted(GRANTED))
    """What the bot token was granted."""

    events: tuple[str, ...] = ()
    """The bot events that the app subscribed to, as a manifest names them; none listed means all."""

    commands: tuple[str, ...] = ("/agent",)
    shortcuts: tuple[str, ...] = ("agent_message_shortcut", "agent_global_shortcut")
    """The callback ids of the app's shortcuts."""

    prompts: tuple[Mapping[str, str], ...] = ()
    """The prompts that the manifest suggests for a new conversation with the app, each with `title` and `message`."""

    window: str = ""
    """The page where people read messages, if there is one: in a browser a message's address leads there."""

    def pause(self, retry: int) -> float:
        """The seconds before this retry, which counts from 1."""
        if self.retry_seconds is not None:
            return self.retry_seconds
        return self.retry_pauses[min(retry, len(self.retry_pauses)) - 1] if self.retry_pauses else 0.0

    def installed(self, manifest: Mapping[str, Any]) -> Self:
        """The settings after installing an app with this manifest: all its scopes, events and features."""
        scopes: dict[str, list[str]] = manifest["oauth_config"]["scopes"]
        events: list[str] = manifest["settings"]["event_subscriptions"]["bot_events"]
        features: Mapping[str, Any] = manifest["features"]
        commands: list[dict[str, str]] = features.get("slash_commands", [])
        shortcuts: list[dict[str, str]] = features.get("shortcuts", [])
        return replace(
            self,
            scopes=(*scopes["bot"], *scopes.get("bot_optional", ())),
            events=tuple(events),
            commands=tuple(command["command"] for command in commands),
            shortcuts=tuple(shortcut["callback_id"] for shortcut in shortcuts),
            prompts=tuple(features.get("agent_view", {}).get("suggested_prompts", ())),
        )

    def changed(self, asked: Mapping[str, Any]) -> Self:
        """The settings with these changes; unknown names raise `TypeError`."""
        known = {field.name for field in fields(self)}
        if unknown := asked.keys() - known:
            raise TypeError(f"unknown settings: {', '.join(sorted(unknown))}")
        return replace(self, **{name: _frozen(value) for name, value in asked.items()})


def _frozen(value: object) -> Any:
    return tuple(cast("list[object]", value)) if isinstance(value, list) else value
