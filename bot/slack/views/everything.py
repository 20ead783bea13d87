"""Everything that a card folds away, in a window: to be looked at, or to be read before it is approved."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from bot.runtime.delivery.views import CardView
from bot.slack.views import blocks as kit
from bot.slack.views import fields
from bot.slack.views.blocks import Block
from bot.slack.views.plain import plain
from integrations.base import Field

MODAL_BLOCKS = 100
MODAL_BYTES = 200_000  # of JSON, where letters outside ASCII take six each; Slack refuses a view over 250 KB


def window(view: CardView) -> Block:
    """Everything, to be looked at.

    Slack's view holds 100 blocks and 250 KB; what would not fit is counted at the end.
    """
    header = kit.header(view.preview.title)
    shown, left_out = _within_limits(view, blocks=MODAL_BLOCKS - 2, room=MODAL_BYTES)
    more = [kit.context(kit.small(f"… {left_out:,} more characters"))] if left_out else []
    return kit.modal("Everything", [header, *shown, *more])


def whole(view: CardView, *, beside: Sequence[Block]) -> Sequence[Block] | None:
    """Everything, to stand in a window with these blocks; None where there is no room for all of it."""
    header = kit.header(view.preview.title)
    blocks, room = MODAL_BLOCKS - 1 - len(beside), MODAL_BYTES - len(json.dumps(beside))
    shown, left_out = _within_limits(view, blocks=blocks, room=room)
    return None if left_out else [header, *shown]


def asked(view: CardView) -> str:
    """What guards say."""
    return view.reason if view.unnamed else ""


def _within_limits(view: CardView, *, blocks: int, room: int) -> tuple[Sequence[Block], int]:
    """So many blocks and bytes at most, and how many characters are left out."""
    shown: list[Block] = []
    left_out = 0
    for text in _texts(view):
        room -= len(json.dumps(text))
        if room < 0 or len(shown) >= blocks:
            left_out += len(text)
        else:
            shown.append(kit.section(text))
    return shown, left_out


def _texts(view: CardView) -> Iterable[str]:
    """In the card's order: the short fields, what nobody named and the warnings, then the long texts. What nobody named
    comes before the warnings: its owner is asked because of that.
    """
    shown = view.preview.fields
    yield from _fields(field for field in shown if not field.long)
    for text in (*filter(None, [asked(view)]), *view.preview.warnings, *view.preview.unchecked):
        yield from kit.pieces(plain(text))
    yield from _fields(field for field in shown if field.long)


def _fields(shown: Iterable[Field]) -> Iterable[str]:
    for field in shown:
        yield from kit.pieces(fields.in_full(field)) or [" "]
