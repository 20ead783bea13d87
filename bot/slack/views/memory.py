"""What is remembered of a person, on their App Home, each with a Forget button."""

from __future__ import annotations

from collections.abc import Sequence

from bot.runtime.delivery.views import MemoryLine
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block
from bot.slack.views.plain import one_line

TEXT = 300
NOTHING = "Nothing. Say “remember that …” to have something kept."
MORE = "These are the newest. Ask me what I remember, and of what, to see others."
_ERASED = "It is erased from my memory for good. What was said about it in conversations stays there."


def on_home(known: Sequence[MemoryLine], *, more: bool) -> Sequence[Block]:
    """The part of App Home: one line and one button each."""
    listed = [_line(one) for one in known] or [kit.section(NOTHING)]
    return [kit.header("What I remember"), *listed, *([kit.context(kit.small(MORE))] if more else [])]


def _line(one: MemoryLine) -> Block:
    asks = kit.confirm("Forget this?", _ERASED, yes="Forget it", no="Keep it")
    forget = kit.button("Forget", ids.FORGET, one.memory_id) | {"confirm": asks}
    return kit.section(one_line(one.text, TEXT) or "…") | {"accessory": forget}
