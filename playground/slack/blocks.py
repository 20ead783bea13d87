"""Block Kit as Slack accepts it: slack_sdk's models, and the documented limits that the models do not check."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any, cast

from playground.slack.elements import check_element
from playground.slack.errors import Refused, invalid_blocks
from playground.slack.records import Json
from playground.slack.sdk import Unaccepted, check_block

MESSAGE_BLOCKS = 50
VIEW_BLOCKS = 100
MARKDOWN_CHARACTERS = 12_000
"""Characters of all markdown blocks of one payload together."""

TEXT_OBJECT_CHARACTERS = 3_000
FIELD_CHARACTERS = 2_000
TABLE_ROWS = 100
TABLE_COLUMNS = 20

ELEMENTS = frozenset(
    {
        "button",
        "checkboxes",
        "channels_select",
        "conversations_select",
        "datepicker",
        "datetimepicker",
        "email_text_input",
        "external_select",
        "feedback_buttons",
        "file_input",
        "icon_button",
        "image",
        "multi_channels_select",
        "multi_conversations_select",
        "multi_external_select",
        "multi_static_select",
        "multi_users_select",
        "number_input",
        "overflow",
        "plain_text_input",
        "radio_buttons",
        "rich_text_input",
        "static_select",
        "timepicker",
        "url_text_input",
        "users_select",
        "workflow_button",
    }
)
INTERACTIVE = ELEMENTS - {"image"}
INPUTS = INTERACTIVE - {"button", "feedback_buttons", "icon_button", "overflow", "workflow_button"}
CONTEXT = frozenset({"image", "plain_text", "mrkdwn"})
UNMODELLED = frozenset({"data_table", "data_visualization"})
MESSAGES_ONLY = frozenset({"markdown", "table", "task_card", "plan", "context_actions", "file", *UNMODELLED})
ALLOWED_IN = {
    "actions": INTERACTIVE - {"feedback_buttons", "icon_button", "file_input"},
    "context": CONTEXT,
    "context_actions": frozenset({"feedback_buttons", "icon_button"}),
}


def parsed(value: Any) -> list[Json]:
    """The `blocks` argument, which may be JSON text; raises `invalid_blocks_format` when it is no list of objects."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise Refused("invalid_blocks_format", reason=str(error)) from error
    if not isinstance(value, list) or not all(isinstance(block, dict) for block in cast("list[Any]", value)):
        raise Refused("invalid_blocks_format", reason="blocks must be a list of objects")
    return copy.deepcopy(cast("list[Json]", value))


def checked(blocks: list[Json], *, in_view: bool = False, prefix: str = "b") -> list[Json]:
    """The blocks with the ids that Slack fills in; raises `invalid_blocks` with the place and the reason."""
    limit = VIEW_BLOCKS if in_view else MESSAGE_BLOCKS
    if len(blocks) > limit:
        raise invalid_blocks(f"no more than {limit} items allowed [json-pointer:/blocks]")
    for number, block in enumerate(blocks):
        try:
            _check(block, in_view=in_view)
        except Unaccepted as error:
            raise invalid_blocks(f"{error} [json-pointer:/blocks/{number}]") from error
        except (TypeError, AttributeError, KeyError, ValueError) as error:
            raise invalid_blocks(f"malformed {block.get('type')}: {error} [json-pointer:/blocks/{number}]") from error
    _check_together(blocks)
    return with_ids(blocks, prefix)


def walk(value: Any) -> Iterator[Json]:
    """Every object of a payload, outer ones first."""
    if isinstance(value, dict):
        yield cast("Json", value)
        for inner in cast("Json", value).values():
            yield from walk(inner)
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from walk(inner)


def scopes(block: Json) -> list[Json]:
    """The scopes in which action ids must differ: the block, or each block inside a container or carousel."""
    inner = block.get("child_blocks") if block.get("type") == "container" else None
    inner = block.get("elements") if block.get("type") == "carousel" else inner
    return [block] if inner is None else [scope for child in inner for scope in scopes(child)]


def with_ids(blocks: list[Json], prefix: str) -> list[Json]:
    """Fills in the `block_id` and `action_id` that were left out."""
    for number, outer in enumerate(blocks):
        outer.setdefault("block_id", f"{prefix}{number}")
        for child, block in enumerate(scopes(outer)):
            block.setdefault("block_id", f"{outer['block_id']}c{child}")
            missing = [item for item in walk(block) if item.get("type") in INTERACTIVE and not item.get("action_id")]
            for place, element in enumerate(missing):
                element["action_id"] = f"{block['block_id']}a{place}"
    return blocks


def _check(block: Json, *, in_view: bool) -> None:
    kind = block.get("type")
    if in_view and kind in MESSAGES_ONLY:
        raise Unaccepted(f"unsupported block in a view: {kind}")
    if kind in UNMODELLED:
        return
    check_block(block)
    for item in walk(block):
        _check_text(item)
        _check_elements(item)
        _check_audience(item)
        check_element(item)
    if kind == "table":
        _check_table(block)


def _check_text(item: Json) -> None:
    if item.get("type") not in {"plain_text", "mrkdwn"}:
        for field in item.get("fields") or () if item.get("type") == "section" else ():
            if len(field["text"]) > FIELD_CHARACTERS:
                raise Unaccepted(f"must be less than {FIELD_CHARACTERS + 1} characters: fields")
        return
    text = item.get("text")
    if not isinstance(text, str) or not text:
        raise Unaccepted("must be more than 0 characters: text")
    if len(text) > TEXT_OBJECT_CHARACTERS:
        raise Unaccepted(f"must be less than {TEXT_OBJECT_CHARACTERS + 1} characters: text")


def _check_elements(item: Json) -> None:
    kind = item.get("type")
    if kind in ALLOWED_IN:
        elements = item.get("elements")
        if not elements:
            raise Unaccepted("must be more than 0 items: elements")
        for element in elements:
            _among(element, ALLOWED_IN[kind], "elements")
    if kind == "section" and item.get("accessory") is not None:
        _among(item["accessory"], ELEMENTS - {"feedback_buttons", "icon_button", "file_input"}, "accessory")
    if kind == "input":
        _among(item["element"], INPUTS, "element")
        if item["label"].get("type") != "plain_text":
            raise Unaccepted("label must be plain_text")
    if kind == "header" and item["text"].get("type") != "plain_text":
        raise Unaccepted("header text must be plain_text")
    if kind == "button" and item.get("text", {}).get("type") != "plain_text":
        raise Unaccepted("button text must be plain_text")


def _among(element: Json, allowed: frozenset[str], where: str) -> None:
    if element.get("type") not in allowed:
        raise Unaccepted(f"unsupported type: {element.get('type')} in {where}")


def _check_audience(item: Json) -> None:
    if "visible_to_user_ids" not in item:
        return
    if item.get("type") not in {"button", "icon_button"}:
        raise Unaccepted("visible_to_user_ids is for buttons only")
    if not isinstance(item["visible_to_user_ids"], list):
        raise Unaccepted("visible_to_user_ids must be a list of user ids")


def _check_table(block: Json) -> None:
    rows: list[list[Any]] = block["rows"]
    if not rows or len(rows) > TABLE_ROWS:
        raise Unaccepted(f"a table has 1 to {TABLE_ROWS} rows")
    if any(len(row) > TABLE_COLUMNS for row in rows):
        raise Unaccepted(f"a table has at most {TABLE_COLUMNS} columns")


def _check_together(blocks: list[Json]) -> None:
    ids = [block["block_id"] for block in blocks if block.get("block_id")]
    if len(ids) != len(set(ids)):
        raise invalid_blocks("block_id already exists in this payload [json-pointer:/blocks]")
    for block in blocks:
        actions = [
            item["action_id"] for item in walk(block) if item.get("type") in INTERACTIVE and item.get("action_id")
        ]
        if len(actions) != len(set(actions)):
            raise invalid_blocks(f"action_id already exists in block {block.get('block_id', '')!r}")
    if sum(len(block["text"]) for block in blocks if block.get("type") == "markdown") > MARKDOWN_CHARACTERS:
        raise Refused("msg_blocks_too_long", reason=f"markdown blocks hold more than {MARKDOWN_CHARACTERS} characters")
    if sum(block.get("type") == "table" for block in blocks) > 1:
        raise Refused("invalid_attachments", reason="only_one_table_allowed")
