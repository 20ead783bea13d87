"""People use the slash command and the shortcuts."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, cast

from playground import people
from playground.slack.acting.person import APP, TEAM, as_channel, as_user, channel_name, outcome
from playground.slack.acting.responses import respond
from playground.slack.envelopes import Delivery, Kind
from playground.slack.errors import Refused
from playground.slack.methods.chat import authored, show_ephemeral
from playground.slack.typed import typed

if TYPE_CHECKING:
    from playground.slack.acting.person import Act
    from playground.slack.records import Json
    from playground.slack.world import World

HANDLE = re.compile(r"(?<![\w<])@([a-z][\w.-]*)")
ROOM = re.compile(r"(?<![\w<])#([a-z][\w-]*)")
USER = re.compile(r"<@(U\w+)>")


async def command(act: Act) -> Json:
    """Sends a slash command; its acknowledgement is shown to the person, or to the channel if it says so."""
    channel, user = act.channel(), act.user()
    name = act.call.need("command")
    if name not in act.workspace.settings.commands:
        raise Refused("invalid_command", reason=f"{name} is not a valid command")
    _echo(act, channel.id, f"{name} {act.call.text('text')}".strip())
    url = act.workspace.response_url(user.id, channel.id)
    payload: Json = {
        "token": APP["token"],
        "team_id": people.TEAM_ID,
        "team_domain": people.TEAM_DOMAIN,
        "channel_id": channel.id,
        "channel_name": channel_name(channel),
        "user_id": user.id,
        "user_name": user.name,
        "command": name,
        "text": escaped_text(act.workspace.world, act.call.text("text")),
        "api_app_id": people.APP_ID,
        "is_enterprise_install": "false",
        "response_url": url,
        "trigger_id": act.workspace.trigger(user.id),
    }
    delivery = Delivery(kind=Kind.COMMAND, name=f"command/{name}", payload=payload, accepts_response=True)
    ack = await act.workspace.deliveries.ask(delivery)
    answer = outcome(ack)
    if not ack.acked:
        _failed(act, channel.id, f'{name} failed with the error "{answer["error"]}"')
    elif ack.payload:
        body = {"text": ack.payload} if isinstance(ack.payload, str) else cast("Json", ack.payload)
        made = act.workspace.world.response_urls[url.rpartition("/")[2]]
        try:
            answer["message"] = respond(act.workspace, made, body)
        except Refused as refused:
            answer |= {"error": refused.error, "reason": refused.reason}
    return answer


async def shortcut(act: Act) -> Json:
    """Sends a message shortcut if a message is named, else a global one."""
    user, on_message = act.user(), bool(act.call.text("message_ts"))
    callback_id = act.call.text("callback_id", f"agent_{'message' if on_message else 'global'}_shortcut")
    if callback_id not in act.workspace.settings.shortcuts:
        raise Refused("invalid_shortcut", reason=f"the app has no shortcut {callback_id}")
    payload: Json = {
        "user": as_user(user),
        "team": TEAM,
        **{name: value for name, value in APP.items() if name != "api_app_id"},
        "action_ts": act.workspace.world.ts(),
        "trigger_id": act.workspace.trigger(user.id),
        "callback_id": callback_id,
    }
    if on_message:
        channel = act.channel()
        ts = act.call.text("message_ts")
        payload |= {
            "type": "message_action",
            "channel": as_channel(channel),
            "message_ts": ts,
            "message": copy.deepcopy(act.workspace.world.message(channel.id, ts)),
            "response_url": act.workspace.response_url(user.id, channel.id),
        }
    else:
        payload |= {"type": "shortcut"}
    name = f"interactive/{payload['type']}"
    return outcome(await act.workspace.deliveries.ask(Delivery(kind=Kind.INTERACTIVE, name=name, payload=payload)))


def escaped_text(world: World, text: str) -> str:
    """The text with `should_escape`: names become `<@U…|name>` and `<#C…|name>`, links and entities as in messages."""
    by_handle = {user.name: user.id for user in world.users.values()}
    by_name = {channel.name: channel.id for channel in world.channels.values() if channel.name}

    def person(found: re.Match[str]) -> str:
        return f"<@{by_handle[found[1]]}>" if found[1] in by_handle else found[0]

    def room(found: re.Match[str]) -> str:
        return f"<#{by_name[found[1]]}|{found[1]}>" if found[1] in by_name else found[0]

    def labelled(found: re.Match[str]) -> str:
        user = world.users.get(found[1])
        return f"<@{found[1]}|{user.name}>" if user else found[0]

    return USER.sub(labelled, typed(ROOM.sub(room, HANDLE.sub(person, text))))


def _echo(act: Act, channel: str, text: str) -> None:
    world, user = act.workspace.world, act.user().id
    world.commands.append({"ts": world.ts(), "channel": channel, "user": user, "text": typed(text)})
    act.workspace.admin.changes.publish("command", channel=channel, user=user)


def _failed(act: Act, channel: str, text: str) -> None:
    message = authored(act.workspace.world.ts(), text) | {"user": "USLACKBOT", "bot_id": "", "app_id": ""}
    show_ephemeral(act.workspace, channel, act.user().id, message)
