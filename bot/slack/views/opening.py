"""How a scheduled request begins: a message of its own, and everything else in the thread below it."""

from __future__ import annotations

from bot.runtime.delivery.views import OpeningView
from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Outgoing
from bot.slack.views.plain import cut, one_line, plain

_TEXT_LIMIT = 2_800


def opening(view: OpeningView) -> Outgoing:
    """Whose it is, its title, and the request as it was written."""
    title = one_line(view.title, 150)
    said = f"Scheduled request: {title}" if title else "Scheduled request"
    by = kit.line(kit.words(f"{said} (", bold=True), kit.person(view.place.user), kit.words(")", bold=True))
    asked = kit.quote(cut(plain(view.text), _TEXT_LIMIT) or " ")
    return Outgoing(text=kit.fallback(said), blocks=[kit.rich(by, asked)])
