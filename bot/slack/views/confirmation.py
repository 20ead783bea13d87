"""The window in which a card is approved that a plain yes does not do for (docs/cards.md).

Its owner confirms there what nobody named, value by value, and a long text stands there as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from bot.domain.confirmations import MOST_TYPED, TYPED, is_typed, tick
from bot.slack.views import blocks as kit
from bot.slack.views import ids
from bot.slack.views.blocks import Block, Element
from bot.slack.views.form import FIELD, FormCard
from bot.slack.views.plain import one_line
from policies.characters import quoted
from policies.types import Unnamed

YES = "yes"  # the value of a box that is ticked

_TYPE = "Type each address that this reaches and that you did not name, one per line."
_FROM = "Copy it from your contacts or your mail, not from the card."
_TELLS = "Approved exactly as the card shows it, if you fill in everything. Else nothing is done."
_TELLS_READER = "Approved exactly as it stands here."
_SAID = {
    "guard.object": ("You did not name {}.", "Yes, this one"),
    "guard.link": ("You did not name the address {}.", "Yes, pass it on"),
    "guard.attachment": ("You did not name the file {}.", "Yes, pass it on"),
    "guard.url": ("You did not name the address {}.", "Yes, look at it"),
    "guard.destructive": ("You did not call {} by the whole name.", "Yes, this one"),
    "guard.wish": ("You named {}, and did not ask for it to be changed.", "Yes, change it"),
}
_IN_FULL = frozenset({"guard.link", "guard.attachment", "guard.url"})
"""Of an address and of a file the end counts, too; a title is cut."""

_OF_THE_CALL = {
    "guard.unknown": "It could not be told what this would do outside.",
    "guard.destructive": "You did not ask for this in words of your own.",
    "guard.wish": "You named what they take part in, and did not ask for anything to be sent to them.",
}


def title(unnamed: Sequence[Unnamed]) -> str:
    """What the window is called, and the button that opens it."""
    return "Check and approve" if unnamed else "Read and approve"


def form(unnamed: Sequence[Unnamed], card: FormCard, to_read: Sequence[Block] = ()) -> Block:
    """The window, below what is `to_read` first; `card` comes back with what was filled in. No address that is to be
    typed stands among the fields.
    """
    blocks, kept = [*to_read, *asked(unnamed)], json.dumps(asdict(card))
    return kit.window(title(unnamed), blocks, submit="Approve", callback=ids.CONFIRM_FORM, kept=kept)


def asked(unnamed: Sequence[Unnamed]) -> Sequence[Block]:
    """What is filled in, and what follows from that."""
    typed = [_typed()] if any(is_typed(one) for one in unnamed) else []
    ticked = [_ticked(one, tick(place)) for place, one in enumerate(unnamed) if not is_typed(one)]
    return [*typed, *ticked, kit.context(kit.small(_TELLS if unnamed else _TELLS_READER))]


def not_approved(text: str) -> Block:
    """In the window's place, why nothing was approved, as `command.said` has it."""
    return kit.modal("Not approved", [kit.marked(text)])


def _typed() -> Block:
    text: Element = {"type": "plain_text_input", "multiline": True, "max_length": MOST_TYPED + 500}
    return kit.field(TYPED, _TYPE, text, hint=_FROM, action=FIELD)


def _ticked(one: Unnamed, block_id: str) -> Block:
    """Optional, so that our own words say what is missing, and all of it at once."""
    said, yes = _SAID.get(one.rule, _SAID["guard.object"])
    label = said.format(_quoted(one)) if one.value else _OF_THE_CALL.get(one.rule, "You did not name this.")
    box = kit.option(yes if one.value else "Yes, I want this", YES)
    return kit.field(block_id, label, {"type": "checkboxes", "options": [box]}, optional=True, action=FIELD)


def _quoted(one: Unnamed) -> str:
    shown = one_line(one.shown)
    return quoted(shown, max(len(shown), 1)) if one.rule in _IN_FULL else quoted(shown)
