"""Remembers which messages are cards, with their ids, since a card's final form has no buttons any more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

from playground.page.upstream import JsonObject

ID = re.compile(r"[A-Za-z0-9_-]{6,}")
"""An id inside a block id or a button's value, which may hold more: `card:qst_1`, `qst_1.nonce`."""

HELD = "held:"
"""How the block under an action begins that waits with Undo, as a run of its own: that run is this action alone."""
RUN = "run_"
"""How the id of a run begins. Any other run is a whole request, most of which is not what one message caused."""


class Cards:
    """Remembers the ids of every message that had a button with a value, by `channel:timestamp`."""

    def __init__(self) -> None:
        self._known: dict[str, set[str]] = {}

    def look(self, messages: JsonObject) -> JsonObject:
        """Read the messages by channel and timestamp; all known cards with their ids."""
        for channel, by_ts in messages.items():
            for ts, message in cast("JsonObject", by_ts).items():
                found = list(_blocks_with_values(message))
                if found or f"{channel}:{ts}" in self._known:
                    self._known.setdefault(f"{channel}:{ts}", set()).update(*map(_ids, found))
        return {key: sorted(ids) for key, ids in self._known.items()}

    def forget(self) -> None:
        """Forget all cards, after a reset of the workspace."""
        self._known.clear()


def _blocks_with_values(message: JsonObject) -> Iterator[tuple[str, list[str]]]:
    for block in _blocks(message.get("blocks")):
        if values := [str(part["value"]) for part in _buttons(block) if part.get("value")]:
            yield str(block.get("block_id", "")), values


def _ids(block: tuple[str, list[str]]) -> Iterator[str]:
    name, values = block
    for text in (*values, name):
        yield from (found for found in ID.findall(text) if name.startswith(HELD) or not found.startswith(RUN))


def _blocks(given: Any) -> Iterator[JsonObject]:
    for block in cast("list[JsonObject]", given or []):
        yield block
        yield from _blocks(block.get("child_blocks"))


def _buttons(block: JsonObject) -> Iterator[JsonObject]:
    parts: list[Any] = [*(block.get("elements") or ()), *(block.get("actions") or ()), block.get("accessory")]
    for part in parts:
        if isinstance(part, dict) and cast("JsonObject", part).get("type") == "button":
            yield cast("JsonObject", part)
