"""What Slack delivers to an app, through Socket Mode or signed HTTP."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from playground import people
from playground.slack.records import Json


class Kind(StrEnum):
    """The three types of envelope of Socket Mode."""

    EVENT = "events_api"
    INTERACTIVE = "interactive"
    COMMAND = "slash_commands"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One payload for the app. `name` is its name in faults and the log: `event/app_mention`, `command//agent`."""

    kind: Kind
    name: str
    payload: Json
    accepts_response: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack:
    """The app's answer: whether it acknowledged, with what, and if not why (as in `retry_reason`)."""

    acked: bool
    payload: Any = None
    reason: str = ""
    no_retry: bool = False


def event_callback(event: Json, *, event_id: str, at: float, ext_shared: bool = False, user: str = "") -> Delivery:
    """An event in the wrapper that the Events API documents."""
    authorized = user or people.BOT_USER_ID
    payload: Json = {
        "token": "playground-verification-token",
        "team_id": people.TEAM_ID,
        "context_team_id": people.TEAM_ID,
        "context_enterprise_id": None,
        "api_app_id": people.APP_ID,
        "event": event,
        "type": "event_callback",
        "event_id": event_id,
        "event_time": int(at),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": people.TEAM_ID,
                "user_id": authorized,
                "is_bot": authorized == people.BOT_USER_ID,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": ext_shared,
        "event_context": f"4-{event_id}",
    }
    name = event["type"]
    if name == "message":
        name = f"message.{ {'im': 'im', 'group': 'groups'}.get(event.get('channel_type', ''), 'channels') }"
        name += f"/{event['subtype']}" if event.get("subtype") else ""
    return Delivery(kind=Kind.EVENT, name=f"event/{name}", payload=payload)
