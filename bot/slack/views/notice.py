"""The line about one action of a run: a memory that was saved, with its Undo."""

from __future__ import annotations

from bot.runtime.queries import NoticeView
from bot.slack import ids
from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Outgoing
from bot.slack.views.plain import one_line


def notice(view: NoticeView) -> Outgoing:
    """The line as it stands now; the button is there while there is something to undo."""
    line = view.action
    said = ": ".join(part for part in (one_line(line.caption, 500), one_line(line.detail, 1_000)) if part)
    undo = kit.button("Undo", ids.UNDO_MEMORY, line.undo, only_for=view.place.user) if line.undo else None
    blocks = [kit.rich(kit.line(kit.words(said)))]
    return Outgoing(
        text=kit.fallback(said), blocks=[*blocks, kit.buttons(f"undo:{line.action_id}", [undo])] if undo else blocks
    )


def forgotten() -> Outgoing:
    """What stands there after Undo."""
    said = "Forgotten: it is erased from my memory. What was said about it stays in this conversation."
    return Outgoing(text=said, blocks=[kit.rich(kit.line(kit.words(said)))])
