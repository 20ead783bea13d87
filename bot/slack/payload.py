"""Reads Slack's JSON: the typed way into objects from outside, where any value may be missing or wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

Payload = Mapping[str, object]

_EMPTY: Payload = {}


def text_at(payload: Payload, *path: str) -> str:
    """The string at this path; empty when there is none."""
    value = _at(payload, path)
    return value if isinstance(value, str) else ""


def flag_at(payload: Payload, *path: str) -> bool:
    """Whether the value at this path is true."""
    return _at(payload, path) is True


def mapping_at(payload: Payload, *path: str) -> Payload:
    """The object at this path; empty when there is none."""
    return as_mapping(_at(payload, path))


def items_at(payload: Payload, *path: str) -> Sequence[Payload]:
    """The objects of the list at this path; what is no object is left out."""
    value = _at(payload, path)
    if not isinstance(value, list):
        return ()
    return [cast("Payload", item) for item in cast("list[object]", value) if isinstance(item, dict)]


def texts_at(payload: Payload, *path: str) -> Sequence[str]:
    """The strings of the list at this path."""
    value = _at(payload, path)
    return [item for item in cast("list[object]", value) if isinstance(item, str)] if isinstance(value, list) else ()


def team_of(body: Payload) -> str:
    """The workspace that got an event, a click or a command: for an event the one that we are installed in."""
    installed = items_at(body, "authorizations")
    named = text_at(installed[0], "team_id") if installed else ""
    return named or text_at(body, "team_id") or text_at(body, "team", "id") or text_at(body, "user", "team_id")


def as_mapping(value: object) -> Payload:
    """The value itself when it is an object, else an empty one."""
    return cast("Payload", value) if isinstance(value, dict) else _EMPTY


def _at(payload: Payload, path: Sequence[str]) -> object:
    value: object = payload
    for key in path:
        value = as_mapping(value).get(key)
    return value
