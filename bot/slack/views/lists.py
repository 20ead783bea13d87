"""A whole list in a window, a part at a time: the way on from App Home, which has the beginnings of lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block

PART = 20
"""How many of a list a window shows at once."""

_TITLES: Mapping[str, str] = {
    ids.WAITING: "Waiting for you",
    ids.HELD_LIST: "Scheduled",
    ids.ALLOWED: "Allowed recipients",
}
_EMPTY = "Nothing is left of this list."
_LOADING = "The links to the cards come in a moment."


def window(name: str, rows: Sequence[Sequence[Block]], *, first: int, count: int, loading: bool = False) -> Block:
    """These `rows` of a list of `count`, which begin behind its `first`, and the buttons to those before and after.
    `loading` says that the links in them are still looked up. A click in it brings back which part of which list it is.
    """
    shown = [block for row in rows for block in row] or [kit.section(_EMPTY)]
    where = [kit.context(kit.small(f"{first + 1} to {first + len(rows)} of {count}"))] if rows and count > PART else []
    before = [("Earlier", ids.LIST_EARLIER, max(0, first - PART))] if first else []
    after = [("Later", ids.LIST_LATER, first + PART)] if first + PART < count else []
    turns = [kit.button(label, action, ids.list_value(name, to)) for label, action, to in (*before, *after)]
    return kit.modal(
        _TITLES[name],
        [
            *shown,
            *([kit.context(kit.small(_LOADING))] if loading else []),
            *where,
            *([kit.buttons("home:turn", turns)] if turns else []),
        ],
        private_metadata=ids.list_value(name, first),
    )
