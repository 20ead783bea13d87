"""conversations.* and users.conversations."""

from __future__ import annotations

import base64
import copy
from typing import TYPE_CHECKING, Any

from playground import people
from playground.slack.call import Call, Method
from playground.slack.errors import Refused, invalid_arguments
from playground.slack.records import Channel, Json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playground.slack.workspace import Workspace

FAMILY = {"channel": "channels", "group": "groups", "im": "im"}
TYPES = {"public_channel": "channel", "private_channel": "group", "im": "im", "mpim": "mpim"}
LIMIT = 999


def open_conversation(workspace: Workspace, call: Call) -> Json:
    if call.text("channel"):
        channel = workspace.world.channel(call.text("channel"))
    else:
        users = call.items("users")
        if not users:
            raise Refused("users_list_not_supplied")
        if len(users) > 1:
            call.has("mpim:write")
        channel = workspace.world.dm(users[0])
    answer: Json = {"id": channel.id}
    if call.flag("return_im"):
        answer = described(channel)
    return {"no_op": True, "already_open": True, "channel": answer}


def info(workspace: Workspace, call: Call) -> Json:
    channel = _visible(workspace, call, "read")
    body = described(channel)
    if call.flag("include_num_members"):
        body["num_members"] = len(channel.members)
    return {"channel": body}


def members(workspace: Workspace, call: Call) -> Json:
    channel = _visible(workspace, call, "read")
    page, cursor = _page(call, channel.members, 100)
    return {"members": page, "response_metadata": {"next_cursor": cursor}}


def listed(workspace: Workspace, call: Call) -> Json:
    found = [described(channel) for channel in _of_types(workspace, call) if _sees(channel)]
    page, cursor = _page(call, found, 100)
    return {"channels": page, "response_metadata": {"next_cursor": cursor}}


def of_user(workspace: Workspace, call: Call) -> Json:
    """The conversations of a person that the bot may see, or the bot's own."""
    user = call.text("user") or people.BOT_USER_ID
    found = [described(channel) for channel in _of_types(workspace, call) if user in channel.members and _sees(channel)]
    page, cursor = _page(call, found, 100)
    return {"channels": page, "response_metadata": {"next_cursor": cursor}}


def history(workspace: Workspace, call: Call) -> Json:
    """Newest first, without the replies of threads."""
    channel = _readable(workspace, call)
    found = [
        message
        for message in reversed(workspace.world.messages[channel.id])
        if _top_level(message) and _within(call, message["ts"])
    ]
    page, cursor = _page(call, found, 100)
    return _messages(page, cursor)


def replies(workspace: Workspace, call: Call) -> Json:
    """The root first, then its replies, oldest first."""
    channel = _readable(workspace, call)
    ts = call.need("ts")
    asked = workspace.world.find(channel.id, ts)
    if asked is None:
        raise Refused("thread_not_found")
    root_ts = asked.get("thread_ts", ts)
    found = workspace.world.thread(channel.id, root_ts)
    page, cursor = _page(call, [message for message in found if _within(call, message["ts"])], 1000)
    return _messages(page, cursor)


def described(channel: Channel) -> Json:
    """The conversation object."""
    common: Json = {
        "id": channel.id,
        "created": channel.created,
        "is_archived": channel.is_archived,
        "is_im": channel.is_im,
    }
    if channel.is_im:
        return {
            **common,
            "user": channel.user,
            "is_org_shared": False,
            "is_open": True,
            "context_team_id": people.TEAM_ID,
        }
    return {
        **common,
        "name": channel.name,
        "name_normalized": channel.name,
        "is_channel": not channel.is_private,
        "is_group": channel.is_private,
        "is_private": channel.is_private,
        "is_mpim": False,
        "is_general": channel.name == "general",
        "is_shared": channel.is_ext_shared,
        "is_ext_shared": channel.is_ext_shared,
        "is_org_shared": False,
        "is_member": people.BOT_USER_ID in channel.members,
        "creator": people.MARA.user_id,
        "topic": _topic(channel),
        "purpose": {"value": "", "creator": "", "last_set": 0},
        "context_team_id": people.TEAM_ID,
    }


def _topic(channel: Channel) -> Json:
    """Nobody is its creator while nobody set one."""
    return {
        "value": channel.topic,
        "creator": channel.topic_by,
        "last_set": channel.created if channel.topic_by else 0,
    }


def _visible(workspace: Workspace, call: Call, permission: str) -> Channel:
    channel = workspace.world.channel(call.need("channel"))
    if not _sees(channel):
        raise Refused("channel_not_found")
    call.has(f"{FAMILY[channel.type]}:{permission}")
    return channel


def _readable(workspace: Workspace, call: Call) -> Channel:
    channel = _visible(workspace, call, "history")
    if people.BOT_USER_ID not in channel.members:
        raise Refused("not_in_channel")
    return channel


def _sees(channel: Channel) -> bool:
    """A private channel exists only for its members."""
    return channel.type == "channel" or people.BOT_USER_ID in channel.members


def _of_types(workspace: Workspace, call: Call) -> list[Channel]:
    asked = call.items("types") or ["public_channel"]
    if unknown := set(asked) - TYPES.keys():
        raise Refused("invalid_types", reason=", ".join(unknown))
    for name in asked:
        call.has(f"{ {**FAMILY, 'mpim': 'mpim'}[TYPES[name]] }:read")
    kinds = {TYPES[name] for name in asked}
    return [channel for channel in workspace.world.channels.values() if channel.type in kinds]


def _top_level(message: Json) -> bool:
    is_reply = message.get("thread_ts", message["ts"]) != message["ts"]
    return not is_reply or message.get("subtype") == "thread_broadcast"


def _within(call: Call, ts: str) -> bool:
    oldest, latest, inclusive = call.text("oldest", "0"), call.text("latest"), call.flag("inclusive")
    at = float(ts)
    after = at > float(oldest) or (inclusive and at == float(oldest))
    return after and (not latest or at < float(latest) or (inclusive and at == float(latest)))


def _page(call: Call, found: Sequence[Any], default: int) -> tuple[list[Any], str]:
    """One page and the cursor of the next."""
    limit = min(call.number("limit", default), LIMIT + 1)
    if limit < 1:
        raise invalid_arguments("limit must be positive")
    try:
        start = int(base64.b64decode(call.text("cursor")).decode().removeprefix("next:") or 0)
    except ValueError as error:
        raise Refused("invalid_cursor") from error
    end = start + limit
    cursor = base64.b64encode(f"next:{end}".encode()).decode() if end < len(found) else ""
    return list(found[start:end]), cursor


def _messages(page: list[Json], cursor: str) -> Json:
    return {
        "messages": copy.deepcopy(page),
        "has_more": bool(cursor),
        "response_metadata": {"next_cursor": cursor},
    }


METHODS: dict[str, Method] = {
    "conversations.open": open_conversation,
    "conversations.info": info,
    "conversations.members": members,
    "conversations.list": listed,
    "conversations.history": history,
    "conversations.replies": replies,
    "users.conversations": of_user,
}
