"""What all acts share: who acts, where, and how that looks in a payload."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from playground import people
from playground.slack.call import Call
from playground.slack.errors import Refused
from playground.slack.records import Channel, Json, User

if TYPE_CHECKING:
    from playground.slack.envelopes import Ack
    from playground.slack.workspace import Workspace

TEAM: Json = {"id": people.TEAM_ID, "domain": people.TEAM_DOMAIN}
APP: Json = {
    "api_app_id": people.APP_ID,
    "token": "playground-verification-token",
    "enterprise": None,
    "is_enterprise_install": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act of a person, requested by the page or a test."""

    workspace: Workspace
    call: Call

    def user(self) -> User:
        return self.workspace.world.user(self.call.need("user"))

    def channel(self) -> Channel:
        """A conversation that the acting person is in."""
        channel = self.workspace.world.channel(self.call.need("channel"))
        if self.user().id not in channel.members:
            raise Refused("not_in_channel")
        return channel


def as_user(user: User) -> Json:
    """The `user` of an interaction payload."""
    return {"id": user.id, "username": user.name, "name": user.name, "team_id": user.team_id or people.TEAM_ID}


def as_channel(channel: Channel) -> Json:
    return {"id": channel.id, "name": channel_name(channel)}


def channel_name(channel: Channel) -> str:
    """The conversation's name in payloads."""
    return "directmessage" if channel.is_im else "privategroup" if channel.is_private else channel.name


def outcome(ack: Ack) -> Json:
    """What the person sees: whether the app answered in time, and what it said."""
    answer: Json = {"acked": ack.acked}
    if not ack.acked:
        answer["error"] = "dispatch_failed" if ack.reason in {"no_socket", "connection_failed"} else "operation_timeout"
    if ack.payload is not None:
        answer["ack_payload"] = ack.payload
    return answer
