"""reactions.add and reactions.remove."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from playground import people
from playground.slack.call import Call, Method
from playground.slack.errors import Refused
from playground.slack.records import Json

if TYPE_CHECKING:
    from playground.slack.workspace import Workspace

NAME = re.compile(r"[a-z0-9_+'-]+(::skin-tone-[2-6])?")


def add(workspace: Workspace, call: Call) -> Json:
    message, name = _target(workspace, call)
    reactions: list[Json] = message.setdefault("reactions", [])
    reaction: Json | None = next((item for item in reactions if item["name"] == name), None)
    if reaction is None:
        reaction = {"name": name, "users": [], "count": 0}
        reactions.append(reaction)
    if people.BOT_USER_ID in reaction["users"]:
        raise Refused("already_reacted")
    reaction["users"].append(people.BOT_USER_ID)
    return _told(workspace, call, message, reaction)


def remove(workspace: Workspace, call: Call) -> Json:
    message, name = _target(workspace, call)
    reactions: list[Json] = message.get("reactions", [])
    reaction = next((item for item in reactions if item["name"] == name), None)
    if reaction is None or people.BOT_USER_ID not in reaction["users"]:
        raise Refused("no_reaction")
    reaction["users"].remove(people.BOT_USER_ID)
    if not reaction["users"]:
        reactions.remove(reaction)
    return _told(workspace, call, message, reaction)


def _target(workspace: Workspace, call: Call) -> tuple[Json, str]:
    name = call.need("name").strip(":")
    if not NAME.fullmatch(name):
        raise Refused("invalid_name")
    channel = workspace.world.channel(call.need("channel"))
    if people.BOT_USER_ID not in channel.members:
        raise Refused("not_in_channel")
    return workspace.world.message(channel.id, call.need("timestamp")), name


def _told(workspace: Workspace, call: Call, message: Json, reaction: dict[str, Any]) -> Json:
    reaction["count"] = len(reaction["users"])
    channel = workspace.world.channel(call.need("channel"))
    workspace.admin.changes.publish("message_changed", channel=channel.id, message=message)
    return {}


METHODS: dict[str, Method] = {"reactions.add": add, "reactions.remove": remove}
