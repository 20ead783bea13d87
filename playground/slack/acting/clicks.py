"""People press buttons and choose from menus, in messages, modals and the home tab."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, cast

from playground.slack.acting.person import APP, TEAM, as_channel, as_user, outcome
from playground.slack.blocks import INTERACTIVE, scopes, walk
from playground.slack.envelopes import Delivery, Kind
from playground.slack.errors import Refused
from playground.slack.modals import SELECTED, shown

if TYPE_CHECKING:
    from playground.slack.acting.person import Act
    from playground.slack.records import Json

OPTION_KEYS = frozenset({"selected_option", "selected_options"})


async def click(act: Act) -> Json:
    """Sends a `block_actions` payload; the answer says whether the app acknowledged in time."""
    payload, blocks = _in_view(act) if act.call.text("view_id") else _in_message(act)
    block, element = _pressed(act, blocks)
    action = _action(act, element) | {"block_id": block["block_id"], "action_ts": act.workspace.world.ts()}
    payload |= {"type": "block_actions", "user": as_user(act.user()), "team": TEAM, **APP, "actions": [action]}
    delivery = Delivery(kind=Kind.INTERACTIVE, name="interactive/block_actions", payload=payload)
    return outcome(await act.workspace.deliveries.ask(delivery))


def _in_message(act: Act) -> tuple[Json, list[Json]]:
    channel, user = act.channel(), act.user()
    ts = act.call.need("message_ts")
    message = act.workspace.world.find(channel.id, ts) or _ephemeral(act, channel.id, ts)
    ephemeral = bool(message.get("is_ephemeral"))
    thread_ts = message.get("thread_ts", "")
    container: Json = {"type": "message", "message_ts": ts, "channel_id": channel.id, "is_ephemeral": ephemeral}
    payload: Json = {
        "container": container | ({"thread_ts": thread_ts} if thread_ts else {}),
        "trigger_id": act.workspace.trigger(user.id),
        "channel": as_channel(channel),
        "state": {"values": act.call.json("values") or {}},
        "response_url": act.workspace.response_url(
            user.id, channel.id, message_ts=ts, ephemeral=ephemeral, thread_ts=thread_ts
        ),
    }
    if not ephemeral:
        payload["message"] = copy.deepcopy(message)
    return payload, message.get("blocks", [])


def _in_view(act: Act) -> tuple[Json, list[Json]]:
    owner, view = act.workspace.world.view(act.call.need("view_id"))
    if owner != act.user().id:
        raise Refused("not_found")
    given: Any = act.call.json("values") or {}
    for block_id, values in cast("dict[str, Json]", given).items():
        view["state"]["values"].setdefault(block_id, {}).update(values)
    trigger = act.workspace.trigger(owner, view_id=view["id"])
    payload: Json = {
        "container": {"type": "view", "view_id": view["id"]},
        "trigger_id": trigger,
        "view": copy.deepcopy(shown(view)),
    }
    return payload, view["blocks"]


def _ephemeral(act: Act, channel: str, ts: str) -> Json:
    for shown_to in act.workspace.world.ephemerals:
        if (shown_to["channel"], shown_to["user"], shown_to["message"]["ts"]) == (channel, act.user().id, ts):
            return shown_to["message"]
    raise Refused("message_not_found", reason="this message is gone")


def _pressed(act: Act, blocks: list[Json]) -> tuple[Json, Json]:
    """The element of the act, if this person sees it."""
    wanted, block_id = act.call.need("action_id"), act.call.text("block_id")
    found = [
        (block, element)
        for outer in blocks
        for block in scopes(outer)
        if not block_id or block_id in {block["block_id"], outer["block_id"]}
        for element in walk(block)
        if element.get("action_id") == wanted and element.get("type") in INTERACTIVE
    ]
    if not found:
        raise Refused("action_not_found", reason="this button is gone")
    value = act.call.args.get("value")
    block, element = next(((block, one) for block, one in found if one.get("value") == value), found[0])
    if act.user().id not in element.get("visible_to_user_ids", (act.user().id,)):
        raise Refused("not_visible", reason="this button is shown to others only")
    return block, element


def _action(act: Act, element: Json) -> Json:
    """The payload's `actions`: the element and what was chosen."""
    kind, value = element["type"], act.call.args.get("value")
    action: Json = {"type": kind, "action_id": element["action_id"]}
    if kind in {"button", "icon_button"}:
        return action | {key: element[key] for key in ("text", "value", "style", "url") if key in element}
    if kind == "feedback_buttons":
        chosen = next((element[name] for name in _FEEDBACK if element[name].get("value") == value), None)
        if chosen is None:
            raise Refused("invalid_value", reason="a feedback button is chosen by its value")
        return action | {"text": chosen["text"], "value": chosen["value"]}
    if kind == "overflow":
        return action | {"selected_option": _option(element, value)}
    key = SELECTED.get(kind, ("value", ""))[0]
    if key in OPTION_KEYS:
        many = key.endswith("s")
        chosen = [_option(element, one) for one in value or ()] if many else _option(element, value)
        return action | {key: chosen}
    return action | {key: value}


_FEEDBACK = ("positive_button", "negative_button")


def _option(element: Json, value: Any) -> Json:
    groups: list[Json] = [{"options": element.get("options") or []}, *(element.get("option_groups") or [])]
    for group in groups:
        for option in group["options"]:
            if option["value"] == value:
                return option
    raise Refused("invalid_value", reason=f"no option {value!r}")
