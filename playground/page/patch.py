"""The difference between two states, as the page applies it: values to set and to drop, each by its path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from playground.page.upstream import JsonObject

LEAF_DEPTH = 4
"""Below this depth a value is replaced whole: a message, a mail, an audit entry."""


def difference(old: JsonObject, new: JsonObject) -> JsonObject:
    """`{"set": [[path, value], …], "drop": [path, …]}`; empty when nothing changed."""
    kept = list(_set(old, new, ()))
    gone = list(_dropped(old, new, ()))
    return {key: value for key, value in (("set", kept), ("drop", gone)) if value}


def _set(old: JsonObject, new: JsonObject, path: tuple[str, ...]) -> Iterator[list[Any]]:
    for key, value in new.items():
        before = old.get(key)
        here = (*path, key)
        if _is_branch(before, value, here):
            yield from _set(cast(JsonObject, before), cast(JsonObject, value), here)
        elif key not in old or before != value:
            yield [list(here), value]


def _dropped(old: JsonObject, new: JsonObject, path: tuple[str, ...]) -> Iterator[list[str]]:
    for key, before in old.items():
        here = (*path, key)
        if key not in new:
            yield list(here)
        elif _is_branch(before, new[key], here):
            yield from _dropped(cast(JsonObject, before), cast(JsonObject, new[key]), here)


def _is_branch(before: object, after: object, path: tuple[str, ...]) -> bool:
    return isinstance(before, dict) and isinstance(after, dict) and len(path) < LEAF_DEPTH
