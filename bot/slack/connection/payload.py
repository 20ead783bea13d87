"""Reads the answers of Slack's Web API, where any value may be missing or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from bot.slack.connection.schema import Payload

_EMPTY: Payload = {}


def text_at(payload: Payload, *path: str) -> str:
    """The string at this path; empty when there is none."""
    value = _at(payload, path)
    return value if isinstance(value, str) else ""


def items_at(payload: Payload, *path: str) -> Sequence[Payload]:
    """The objects of the list at this path; what is no object is left out."""
    value = _at(payload, path)
    if not isinstance(value, list):
        return ()
    return [cast("Payload", item) for item in cast("list[object]", value) if isinstance(item, dict)]


def as_mapping(value: object) -> Payload:
    """The value itself when it is an object, else an empty one."""
    return cast("Payload", value) if isinstance(value, dict) else _EMPTY


def _at(payload: Payload, path: Sequence[str]) -> object:
    value: object = payload
    for key in path:
        value = as_mapping(value).get(key)
    return value
