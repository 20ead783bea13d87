"""Slack's rules for options, inputs and rich text beyond slack_sdk's models.

Limits: docs.slack.dev/reference/block-kit, "Composition objects" (option), "Block elements", and "Rich text block".
"""

from __future__ import annotations

from typing import Any, cast

from playground.slack.records import Json
from playground.slack.sdk import Unaccepted

OPTION_TEXT, OPTION_VALUE = 75, 150
INPUT_CHARACTERS = 3_000
MOST_OPTIONS = {"static_select": 100, "multi_static_select": 100, "radio_buttons": 10, "checkboxes": 10}
LINES = frozenset({"rich_text_section", "rich_text_quote", "rich_text_preformatted"})
LIST_STYLES = frozenset({"bullet", "ordered"})
NEEDED = {
    "text": "text",
    "link": "url",
    "user": "user_id",
    "usergroup": "usergroup_id",
    "channel": "channel_id",
    "emoji": "name",
    "broadcast": "range",
    "date": "format",
    "color": "value",
    "team": "team_id",
}
"""The required keys of each element of rich text."""


def check_element(item: Json) -> None:
    """Raises `Unaccepted` for an element, or a rich text block, that Slack would refuse."""
    kind = str(item.get("type", ""))
    if kind in MOST_OPTIONS:
        _check_options(item, MOST_OPTIONS[kind])
    elif kind == "plain_text_input":
        _check_input(item)
    elif kind == "rich_text":
        for element in _filled(item):
            _check_rich_text(element)


def _check_options(item: Json, most: int) -> None:
    groups: list[Json] = item.get("option_groups") or [item]
    for group in groups:
        options: list[Json] = group.get("options") or []
        if not 0 < len(options) <= most:
            raise Unaccepted(f"must have 1 to {most} items: options")
        for option in options:
            if len(str(option["text"]["text"])) > OPTION_TEXT:
                raise Unaccepted(f"must be less than {OPTION_TEXT + 1} characters: option text")
            if len(str(option["value"])) > OPTION_VALUE:
                raise Unaccepted(f"must be less than {OPTION_VALUE + 1} characters: option value")


def _check_input(item: Json) -> None:
    most = item.get("max_length") or INPUT_CHARACTERS
    if most > INPUT_CHARACTERS:
        raise Unaccepted(f"must be less than {INPUT_CHARACTERS + 1}: max_length")
    if len(item.get("initial_value") or "") > most:
        raise Unaccepted(f"must be less than {most + 1} characters: initial_value")


def _check_rich_text(element: Json) -> None:
    kind = element.get("type")
    if kind == "rich_text_list":
        if element.get("style") not in LIST_STYLES:
            raise Unaccepted(f"unsupported style: {element.get('style')} in rich_text_list")
        for line in _filled(element):
            _check_line(line, frozenset({"rich_text_section"}))
    else:
        _check_line(element, LINES)


def _check_line(line: Json, allowed: frozenset[str]) -> None:
    if line.get("type") not in allowed:
        raise Unaccepted(f"unsupported type: {line.get('type')} in rich_text")
    for element in _filled(line):
        needed = NEEDED.get(str(element.get("type")))
        if needed is None:
            raise Unaccepted(f"unsupported type: {element.get('type')} in {line['type']}")
        if not element.get(needed):
            raise Unaccepted(f"must be more than 0 characters: {element['type']}.{needed}")


def _filled(item: Json) -> list[Json]:
    found: Any = item.get("elements")
    if not isinstance(found, list) or not found:
        raise Unaccepted(f"must be more than 0 items: elements of {item.get('type')}")
    return cast("list[Json]", found)
