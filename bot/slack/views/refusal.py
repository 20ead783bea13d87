"""Why a message started no run."""

from __future__ import annotations

from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Outgoing
from bot.slack.views.plain import cut, plain


def refusal(text: str) -> Outgoing:
    """The line in the thread; the text is ours, what it quotes is shown literally."""
    said = cut(plain(text).strip(), kit.PIECE_LIMIT) or "I could not take this."
    return Outgoing(text=kit.fallback(said), blocks=[kit.rich(kit.line(kit.words(said)))])
