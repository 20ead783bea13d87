"""The line about one action of a run in our own store, such as a memory that was saved, with its Undo."""

from __future__ import annotations

from bot.domain.actions import UNDONE
from bot.runtime.delivery.views import NoticeView
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Outgoing
from bot.slack.views.plain import one_line


def notice(view: NoticeView) -> Outgoing:
    """The line as it stands now; the button is there while there is something to undo."""
    line = view.action
    undone = line.undo == UNDONE
    parts = [line.detail] if undone else [line.caption, line.detail]
    said = ": ".join(text for part in parts if (text := one_line(part, 1_000)))
    blocks = [kit.rich(kit.line(kit.words(said)))]
    if line.undo and not undone:
        button = kit.button("Undo", ids.UNDO, line.action_id, only_for=view.place.user)
        blocks.append(kit.buttons(f"undo:{line.action_id}", [button]))
    return Outgoing(text=kit.fallback(said), blocks=blocks)
