"""People write, edit and delete messages."""

from __future__ import annotations

import base64
import copy
import uuid
from typing import TYPE_CHECKING, Any, cast

from playground import people
from playground.slack.blocks import parsed
from playground.slack.errors import Refused
from playground.slack.methods import files
from playground.slack.rich_text import rich_text
from playground.slack.typed import typed

if TYPE_CHECKING:
    from playground.slack.acting.person import Act
    from playground.slack.records import Channel, Json, User

CHARACTERS = 40_000


async def message(act: Act) -> Json:
    channel, user = act.channel(), act.user()
    text = act.call.text("text")
    if len(text) > CHARACTERS:
        raise Refused("msg_too_long")
    ts = act.workspace.world.ts()
    said = _said(act, user, typed(text), ts)
    _attach(act, channel, said)
    _forward(act, said)
    _reply(act, channel, said)
    act.workspace.post(channel, said)
    return {"channel": channel.id, "ts": ts, "message": copy.deepcopy(said)}


async def edit(act: Act) -> Json:
    channel = act.channel()
    said = _own(act, channel, "cant_update_message")
    previous = copy.deepcopy(said)
    text = typed(act.call.text("text"))
    ts = act.workspace.world.ts()
    said |= {"text": text, "blocks": [rich_text(text, f"e{ts[-6:]}")], "edited": {"user": said["user"], "ts": ts}}
    act.workspace.changed(channel, said, previous)
    return {"channel": channel.id, "ts": said["ts"], "message": copy.deepcopy(said)}


async def delete(act: Act) -> Json:
    channel = act.channel()
    said = _own(act, channel, "cant_delete_message")
    previous = copy.deepcopy(act.workspace.world.remove(channel.id, said["ts"]))
    act.workspace.deleted(channel, previous)
    return {"channel": channel.id, "ts": previous["ts"]}


def _said(act: Act, user: User, text: str, ts: str) -> Json:
    """The message without attached data. A bot's has no `client_msg_id`; `classic` gives the older form."""
    said: Json = {"type": "message", "text": text, "ts": ts, "team": user.team_id or people.TEAM_ID}
    if user.is_bot and act.call.flag("classic"):
        return said | {"subtype": "bot_message", "bot_id": user.bot_id, "username": user.real_name}
    said["user"] = user.id
    if user.is_bot:
        profile = {"id": user.bot_id, "app_id": user.app_id, "name": user.real_name, "team_id": people.TEAM_ID}
        return said | {"bot_id": user.bot_id, "app_id": user.app_id, "bot_profile": profile}
    if act.call.flag("me"):  # docs.slack.dev/reference/events/message/me_message
        return said | {"subtype": "me_message"}
    said["client_msg_id"] = str(uuid.uuid4())
    if act.call.args.get("blocks") is not None:
        said["blocks"] = parsed(act.call.args["blocks"])
    elif text:
        said["blocks"] = [rich_text(text, f"u{ts[-6:]}")]
    if user.team_id != people.TEAM_ID:
        said |= {"user_team": user.team_id, "source_team": user.team_id}
    return said


def _attach(act: Act, channel: Channel, said: Json) -> None:
    given: Any = act.call.json("files") or []
    if not given:
        return
    described: list[Json] = []
    for item in cast("list[Json]", given):
        content = str(item.get("content", ""))
        raw = base64.b64decode(content) if item.get("encoding") == "base64" else content.encode()
        file = files.add(
            act.workspace,
            name=str(item.get("name") or "file.txt"),
            mimetype=str(item.get("mimetype") or ""),
            content=raw,
            user=said.get("user", ""),
        )
        file.shared = True
        file.channels.append(channel.id)
        described.append(files.described(act.workspace, file))
    said |= {"subtype": "file_share", "files": described, "upload": True, "display_as_bot": False}


def _forward(act: Act, said: Json) -> None:
    """With `share`, the channel and ts of a message: forward it, as Slack attaches it; the text is the person's own.
    `attachments` stand below it as those of links that unfolded.
    """
    unfolded: Any = act.call.json("attachments")
    if unfolded:
        said["attachments"] = unfolded
    given: Any = act.call.json("share")
    if not given:
        return
    channel = act.workspace.world.channel(str(given["channel"]))
    original = act.workspace.world.message(channel.id, str(given["ts"]))
    place = f"{channel.id}/p{original['ts'].replace('.', '')}"
    author = act.workspace.world.user(original["user"])
    said["attachments"] = [
        {
            "id": 1,
            "ts": original["ts"],
            "author_id": author.id,
            "author_name": author.real_name,
            "author_subname": author.real_name,
            "channel_id": channel.id,
            "channel_name": channel.name,
            "channel_team": people.TEAM_ID,
            "fallback": f"[{original['ts']}] {author.name}: {original['text']}",
            "text": original["text"],
            "from_url": f"https://{people.TEAM_DOMAIN}.slack.com/archives/{place}",
            "is_msg_unfurl": True,
            "is_share": True,
            "message_blocks": [
                {
                    "team": people.TEAM_ID,
                    "channel": channel.id,
                    "ts": original["ts"],
                    "message": {"blocks": original.get("blocks", [])},
                }
            ],
            "mrkdwn_in": ["text"],
            **({"files": original["files"]} if original.get("files") else {}),
        }
    ]


def _reply(act: Act, channel: Channel, said: Json) -> None:
    thread_ts = act.call.ts("thread_ts")
    if not thread_ts:
        return
    root = act.workspace.world.find(channel.id, thread_ts)
    if root is None:
        raise Refused("thread_not_found")
    said["thread_ts"] = root.get("thread_ts", thread_ts)
    if root.get("user"):
        said["parent_user_id"] = root["user"]
    if act.call.flag("broadcast"):
        said |= {"subtype": "thread_broadcast", "root": copy.deepcopy(root)}


def _own(act: Act, channel: Channel, error: str) -> Json:
    said = act.workspace.world.message(channel.id, act.call.need("ts"))
    if said.get("user") != act.user().id:
        raise Refused(error)
    return said
