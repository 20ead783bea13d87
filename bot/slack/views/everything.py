"""Everything that a card folds away, in a window: to be looked at, or to be read before it is approved.

It stands there as on the card. The labels are bold, and a text is quoted: with whatever words it ends, they are beside
its bar, where no field of ours ever stands.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import cast

from bot.domain.questions import QuestionKind
from bot.runtime.delivery.views import CardView
from bot.slack.views import agreement, fields
from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Block, Element
from bot.slack.views.plain import one_line, plain
from integrations.base import Field
from integrations.text import counted

WANTED_LIMIT = 200
_NOWHERE = "Its card does not stand in Slack yet."
MODAL_BLOCKS = 100
MODAL_BYTES = 200_000  # of JSON, where letters outside ASCII take six each; Slack refuses a view over 250 KB


def window(view: CardView, *, way: Sequence[Block] = ()) -> Block:
    """Everything, to be looked at: also who has to agree, why it is asked, and until when, as on the card. `way` says
    where the card stands, for who is not there.

    Slack's view holds 100 blocks and 250 KB; what would not fit is counted at the end.
    """
    head = [kit.header(view.preview.title), *agreement.lead(view), *way]
    foot = [*agreement.others(view), kit.context(*small_print(view))]
    shown, left_out = _within_limits(view, blocks=MODAL_BLOCKS - len(head) - len(foot) - 1, room=MODAL_BYTES)
    more = [kit.context(kit.small(f"… {counted(left_out, 'more character')}"))] if left_out else []
    return kit.modal("Everything", [*head, *shown, *more, *foot])


def way(card: tuple[str, str] | None, link: str = "") -> Sequence[Block]:
    """Where the card stands on which this is decided, and how to get there once its address is known."""
    if card is None:
        return [kit.section(_NOWHERE)]
    channel, _ = card
    where = kit.words("our direct messages") if channel.startswith("D") else kit.room(channel)
    return [kit.paragraph(kit.words("Its card stands in "), where, kit.words("."), *kit.beside(link, "Go to the card"))]


def whole(view: CardView, *, beside: Sequence[Block], title: str = "") -> Sequence[Block] | None:
    """Everything, to stand in a window with these blocks; None where there is no room for all of it. `title` is what
    this window asks, where that is not what the card does.
    """
    head = named(view, title)
    blocks, room = MODAL_BLOCKS - len(head) - len(beside), MODAL_BYTES - len(json.dumps(beside))
    shown, left_out = _within_limits(view, blocks=blocks, room=room)
    return None if left_out else [*head, *shown]


def small_print(view: CardView) -> Sequence[Element]:
    """Why it is asked, where no warning says it, until when, by which rule, and which card it is."""
    is_judged = view.kind is not QuestionKind.SETTLE
    reason, rule = ("" if view.unnamed else view.reason, view.rule) if is_judged else ("", "")
    why = kit.why("Why you are asked", reason, rule)
    by = [kit.small(one_line(view.wanted, WANTED_LIMIT))] if view.wanted else []
    ends = next((one.turn_ends_at for one in view.readers if one.user == view.shown_to), view.expires_at)
    until = kit.moment_token("Expires", ends, view.zone)
    return [*by, *why[:1], until, *why[1:], kit.card_code(view.question_id)]


def asked(view: CardView) -> str:
    """What guards say."""
    return view.reason if view.unnamed else ""


def named(view: CardView, title: str = "") -> Sequence[Block]:
    """What is asked, and on which card."""
    return [kit.header(title or view.preview.title), kit.context(kit.card_code(view.question_id))]


def _within_limits(view: CardView, *, blocks: int, room: int) -> tuple[Sequence[Block], int]:
    """So many blocks and bytes at most, and how many characters are left out."""
    shown: list[Block] = []
    left_out = 0
    for elements in kit.grouped(_elements(view)):
        block = kit.rich(*elements)
        room -= len(json.dumps(block))
        if room < 0 or len(shown) >= blocks:
            left_out += kit.length(elements)
        else:
            shown.append(block)
    return shown, left_out


def _elements(view: CardView) -> Iterable[Element]:
    """In the card's order: the short fields, what nobody named and the warnings, then the long texts. What nobody named
    comes before the warnings: its owner is asked because of that.
    """
    shown = view.preview.fields
    yield from _fields(field for field in shown if not field.long)
    for text in (*filter(None, [asked(view)]), *view.preview.warnings):
        yield from _lines(f"⚠ {text}", bold=True)
    for text in filter(None, [*view.preview.unchecked, fields.legend(shown)]):
        yield from _lines(text)
    yield from _fields(field for field in shown if field.long)


def _lines(text: str, *, bold: bool = False) -> Iterable[Element]:
    return (kit.line(kit.words(piece, bold=bold)) for piece in kit.pieces(plain(text)))


def _fields(shown: Iterable[Field]) -> Iterable[Element]:
    for field in shown:
        for element in fields.in_full(field):
            yield from _in_several(element)


def _in_several(element: Element) -> Iterable[Element]:
    """A paragraph that is too long for one block."""
    if element["type"] != "rich_text_section":
        return [element]
    return (kit.line(*group) for group in kit.grouped(cast("Sequence[Element]", element["elements"])))
