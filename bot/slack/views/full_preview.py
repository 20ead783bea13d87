"""Everything that a card folds away, in a modal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from bot.runtime.delivery.views import CardView
from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Block
from bot.slack.views.plain import one_line, plain
from integrations.base import Field

MODAL_BLOCKS = 100
VIEW_BYTES = 200_000  # of JSON, where letters outside ASCII take six each; Slack refuses a view over 250 KB


def full_preview(view: CardView) -> Block:
    """The modal. Slack's view holds 100 blocks and 250 KB; what would not fit is counted at the end."""
    return kit.modal("Everything", [kit.header(view.preview.title), *_within_limits(view)])


def _within_limits(view: CardView) -> Sequence[Block]:
    shown: list[Block] = []
    room, left_out = VIEW_BYTES, 0
    for text in _texts(view):
        room -= len(json.dumps(text))
        if room < 0 or len(shown) >= MODAL_BLOCKS - 2:
            left_out += len(text)
        else:
            shown.append(kit.section(text))
    return [*shown, kit.context(kit.small(f"… {left_out:,} more characters"))] if left_out else shown


def _texts(view: CardView) -> Iterable[str]:
    for field in view.preview.fields:
        yield from kit.pieces(_field(field)) or [" "]
    for text in (*view.preview.warnings, *view.preview.unchecked):
        yield from kit.pieces(plain(text))


def _field(field: Field) -> str:
    label = one_line(field.label, 60)
    if field.before is not None:
        return f"{label}, before:\n{plain(field.before)}\n{label}, after:\n{plain(field.value)}"
    return f"{label}:{chr(10) if field.long else ' '}{plain(field.value)}"
