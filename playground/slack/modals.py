"""Views: what Slack accepts as a modal or a home, and the stack of modals that one person has open."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any, cast

from playground import people
from playground.slack.blocks import INPUTS, checked, parsed, walk
from playground.slack.errors import Refused, invalid_arguments
from playground.slack.records import Json
from playground.slack.sdk import Unaccepted, check_view

if TYPE_CHECKING:
    from playground.slack.world import World

STACK = 3
BYTES = 250_000
NAME_LENGTH = 255
GIVEN = (
    "callback_id",
    "private_metadata",
    "external_id",
    "clear_on_close",
    "notify_on_close",
    "submit",
    "close",
    "title",
)


def accepted(value: Any, *, home: bool = False) -> Json:
    """The `view` argument, checked; raises what Slack answers."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise invalid_arguments("view is not JSON") from error
    if not isinstance(value, dict):
        raise invalid_arguments("missing required field: view")
    view = copy.deepcopy(cast("Json", value))
    if view.get("type") != ("home" if home else "modal"):
        raise invalid_arguments(f"unsupported type: {view.get('type')} [json-pointer:/view/type]")
    if len(json.dumps(view)) > BYTES:
        raise Refused("view_too_large")
    if not home and not view.get("title"):
        raise invalid_arguments("missing required field: title [json-pointer:/view]")
    if "blocks" not in view:
        raise invalid_arguments("missing required field: blocks [json-pointer:/view]")
    if len(str(view.get("external_id") or "")) > NAME_LENGTH:
        raise invalid_arguments(f"must be less than {NAME_LENGTH + 1} characters [json-pointer:/view/external_id]")
    view["blocks"] = checked(parsed(view["blocks"]), in_view=True)
    _check_model(view)
    if not home and any(block["type"] == "input" for block in view["blocks"]) and not view.get("submit"):
        raise invalid_arguments("submit is required when an input block is within the blocks array")
    return view


def opened(world: World, view: Json, *, user: str, root: Json | None = None, previous: Json | None = None) -> Json:
    """The accepted view as Slack keeps it, with its ids and an empty state."""
    view_id = world.id("V")
    kept: Json = {
        "id": view_id,
        "team_id": people.TEAM_ID,
        "app_id": people.APP_ID,
        "app_installed_team_id": people.TEAM_ID,
        "bot_id": people.BOT_ID,
        "type": view["type"],
        "root_view_id": root["id"] if root else view_id,
        "previous_view_id": previous["id"] if previous else None,
        "user_id": user,
    }
    return replaced(world, kept, view)


def replaced(world: World, kept: Json, view: Json) -> Json:
    """The view that is open, with new contents; values of inputs that are still there stay."""
    for name in GIVEN:
        default: Any = False if name.endswith("_on_close") else None if name in {"submit", "close", "title"} else ""
        kept[name] = view.get(name, default)
    kept["blocks"] = view["blocks"]
    kept["state"] = {"values": initial_values(view["blocks"], kept.get("state", {}).get("values", {}))}
    kept["hash"] = f"{int(world.clock.seconds())}.{world.id('h')}"
    return kept


def initial_values(blocks: list[Json], before: Json) -> Json:
    """The values of inputs before anybody types: what they held before, their initial value, or nothing."""
    values: Json = {}
    for block in blocks:
        for element in walk(block):
            if element.get("type") in INPUTS and "action_id" in element:
                held = before.get(block["block_id"], {}).get(element["action_id"])
                values.setdefault(block["block_id"], {})[element["action_id"]] = held or _initial(element)
    return values


def shown(view: Json) -> Json:
    """The view as payloads and answers carry it."""
    return {name: value for name, value in view.items() if name != "user_id"}


def _check_model(view: Json) -> None:
    try:
        check_view(view)
    except Unaccepted as error:
        raise invalid_arguments(f"{error} [json-pointer:/view]") from error


SELECTED = {
    "static_select": ("selected_option", "initial_option"),
    "external_select": ("selected_option", "initial_option"),
    "radio_buttons": ("selected_option", "initial_option"),
    "users_select": ("selected_user", "initial_user"),
    "conversations_select": ("selected_conversation", "initial_conversation"),
    "channels_select": ("selected_channel", "initial_channel"),
    "datepicker": ("selected_date", "initial_date"),
    "timepicker": ("selected_time", "initial_time"),
    "datetimepicker": ("selected_date_time", "initial_date_time"),
    "checkboxes": ("selected_options", "initial_options"),
    "multi_static_select": ("selected_options", "initial_options"),
    "multi_external_select": ("selected_options", "initial_options"),
    "multi_users_select": ("selected_users", "initial_users"),
    "multi_conversations_select": ("selected_conversations", "initial_conversations"),
    "multi_channels_select": ("selected_channels", "initial_channels"),
}
"""Type of element to the key of its value in payloads, and the key of its initial value."""


def _initial(element: Json) -> Json:
    kind = element["type"]
    if kind == "file_input":
        return {"type": kind, "files": []}
    key, initial = SELECTED.get(kind, ("value", "initial_value"))
    nothing: list[Any] | None = [] if key.endswith("s") else None
    return {"type": kind, key: element.get(initial, nothing)}
