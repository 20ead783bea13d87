"""chat.*: posting, changing and deleting messages."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from playground import people
from playground.slack.blocks import MARKDOWN_CHARACTERS, checked, parsed
from playground.slack.call import Call, Method
from playground.slack.errors import Refused
from playground.slack.records import Channel, Json, StreamState

if TYPE_CHECKING:
    from playground.slack.workspace import Workspace

TEXT_CHARACTERS = 40_000
UPDATE_CHARACTERS = 4_000
BOT_PROFILE = {
    "id": people.BOT_ID,
    "app_id": people.APP_ID,
    "name": people.BOT_NAME,
    "deleted": False,
    "updated": 0,
    "team_id": people.TEAM_ID,
}


def post_message(workspace: Workspace, call: Call) -> Json:
    channel = destination(workspace, call)
    message = written(workspace, call)
    message = workspace.post(channel, in_thread(workspace, call, channel, message))
    workspace.world.statuses.pop((channel.id, message.get("thread_ts", message["ts"])), None)
    return {"channel": channel.id, "ts": message["ts"], "message": copy.deepcopy(message)}


def update(workspace: Workspace, call: Call) -> Json:
    channel = workspace.world.channel(call.need("channel"))
    message = own(workspace, call, channel, "cant_update_message")
    stream = workspace.world.streams.get((channel.id, message["ts"]))
    if stream and stream.state is StreamState.STREAMING:
        raise Refused("streaming_state_conflict")
    previous = copy.deepcopy(message)
    fresh = written(workspace, call, characters=UPDATE_CHARACTERS)
    for name in ("text", "attachments", "metadata"):
        if name in fresh and name in (call.args.keys() | {"text"}):
            message[name] = fresh[name]
    if fresh.get("blocks"):
        message["blocks"] = fresh["blocks"]
    elif "text" in call.args or "blocks" in call.args:
        message.pop("blocks", None)  # "blocks are retained only if text is not provided" (chat.update)
    if call.args.get("blocks") is None:
        message["edited"] = {"user": people.BOT_USER_ID, "ts": workspace.world.ts()}
    workspace.changed(channel, message, previous)
    return {"channel": channel.id, "ts": message["ts"], "text": message["text"], "message": copy.deepcopy(message)}


def delete(workspace: Workspace, call: Call) -> Json:
    channel = workspace.world.channel(call.need("channel"))
    message = own(workspace, call, channel, "cant_delete_message")
    previous = workspace.world.remove(channel.id, message["ts"])
    workspace.deleted(channel, copy.deepcopy(previous))
    return {"channel": channel.id, "ts": previous["ts"]}


def post_ephemeral(workspace: Workspace, call: Call) -> Json:
    channel = destination(workspace, call)
    user = workspace.world.user(call.need("user"))
    if user.id not in channel.members:
        raise Refused("user_not_in_channel")
    message = in_thread(workspace, call, channel, written(workspace, call))
    show_ephemeral(workspace, channel.id, user.id, message)
    return {"message_ts": message["ts"]}


def get_permalink(workspace: Workspace, call: Call) -> Json:
    channel = workspace.world.channel(call.need("channel"))
    message = workspace.world.message(channel.id, call.need("message_ts"))
    link = f"{workspace.base}archives/{channel.id}/p{message['ts'].replace('.', '')}"
    if message.get("thread_ts", message["ts"]) != message["ts"]:
        link += f"?thread_ts={message['thread_ts']}&cid={channel.id}"
    return {"channel": channel.id, "permalink": link}


def destination(workspace: Workspace, call: Call) -> Channel:
    """The place where the bot may post: a channel it is in, or a person's direct conversation."""
    target = call.need("channel")
    channel = workspace.world.dm(target) if target in workspace.world.users else workspace.world.channel(target)
    if people.BOT_USER_ID not in channel.members:
        raise Refused("not_in_channel")
    return channel


def written(workspace: Workspace, call: Call, *, characters: int = TEXT_CHARACTERS) -> Json:
    """The message as the bot wrote it, checked; its timestamp is now."""
    text, markdown = call.text("text"), call.text("markdown_text")
    blocks = [] if call.args.get("blocks") is None else parsed(call.args["blocks"])
    attachments: Any = call.json("attachments", "invalid_attachments")
    if markdown and (text or blocks):
        raise Refused("markdown_text_conflict")
    if not (text or markdown or blocks or attachments):
        raise Refused("no_text")
    if len(text) > characters or len(markdown) > MARKDOWN_CHARACTERS:
        raise Refused("msg_too_long")
    if markdown:
        blocks = [{"type": "markdown", "text": markdown}]
    ts = workspace.world.ts()
    message = authored(ts, text or markdown)
    if blocks:
        message["blocks"] = checked(blocks, prefix=f"b{ts[-6:]}")
    if attachments:
        message["attachments"] = attachments
    if metadata := call.json("metadata", "invalid_metadata_format"):
        if not isinstance(metadata, dict) or not {"event_type", "event_payload"} <= metadata.keys():
            raise Refused("invalid_metadata_format")
        message["metadata"] = metadata
    return message


def authored(ts: str, text: str) -> Json:
    """A message of the bot."""
    return {
        "type": "message",
        "user": people.BOT_USER_ID,
        "bot_id": people.BOT_ID,
        "app_id": people.APP_ID,
        "team": people.TEAM_ID,
        "text": text,
        "ts": ts,
        "bot_profile": dict(BOT_PROFILE),
    }


def in_thread(workspace: Workspace, call: Call, channel: Channel, message: Json) -> Json:
    """The message as a reply, when a thread was named."""
    thread_ts = call.ts("thread_ts")
    if not thread_ts:
        return message
    root = workspace.world.find(channel.id, thread_ts)
    if root is None:
        raise Refused("thread_not_found")
    message["thread_ts"] = root.get("thread_ts", thread_ts)
    if root.get("user"):
        message["parent_user_id"] = root["user"]
    if call.flag("reply_broadcast"):
        message["subtype"] = "thread_broadcast"
        message["root"] = copy.deepcopy(root)
    return message


def own(workspace: Workspace, call: Call, channel: Channel, error: str) -> Json:
    """The bot's own message that `ts` names."""
    message = workspace.world.message(channel.id, call.need("ts"))
    if message.get("bot_id") != people.BOT_ID:
        raise Refused(error)
    return message


def show_ephemeral(workspace: Workspace, channel: str, user: str, message: Json) -> Json:
    """Shows a message to one person only, outside any history."""
    shown = {"channel": channel, "user": user, "message": {**message, "is_ephemeral": True}}
    workspace.world.ephemerals.append(shown)
    workspace.admin.changes.publish("ephemeral", **shown)
    return shown


METHODS: dict[str, Method] = {
    "chat.postMessage": post_message,
    "chat.update": update,
    "chat.delete": delete,
    "chat.postEphemeral": post_ephemeral,
    "chat.getPermalink": get_permalink,
}
