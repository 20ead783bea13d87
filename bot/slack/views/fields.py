"""The fields of a preview: short ones, texts, who it reaches, and what was changed in them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.slack.views import blocks as kit
from bot.slack.views import differences
from bot.slack.views.blocks import Block, Element
from bot.slack.views.plain import one_line, plain
from integrations.base import DESTINATIONS_LIMIT, Field
from integrations.text import counted

LONG_LIMIT = 1_000  # characters of a long field that a card shows, half of them from its end
LONG_LINES = 16  # and how many lines
CHANGE_LIMIT = 2_800  # characters of what changes, before and after together
CHANGE_ENDS = 500  # of which so many are the first of the text after, and so many the last
ASIDE_LIMIT = 400  # characters of what stands in small print
ASIDE_SHORT = 80  # and of what stands in one line with others
MOST_ASIDE = 10  # things in small print, one element of Slack's context each at most
NO_LIMIT = 10**9  # characters; more than anything has
BRIEF_LIMIT = 400  # shorter fields stand in one block
SHORT_LIMIT = 6_000  # characters of any other field but those that say who it reaches
MAX_FIELDS = 20

_NEEDS_NO_NAME = frozenset({"Body"})
"""Fields that need no label: a mail's text stands below its head."""


def blocks(fields: Sequence[Field], long_limit: int, *, remarks: Sequence[Block] = ()) -> Sequence[Block]:
    """Short ones first, in one block where they are brief; then the remarks, the texts, and the small print."""
    aside = [field for field in fields if _is_aside(field)]
    main = [field for field in fields if not _is_aside(field)]
    shown = [field for place, field in enumerate(main) if place < MAX_FIELDS or field.destination]
    missing = len(main) - len(shown)
    return [
        *_heads([field for field in shown if not field.long]),
        *remarks,
        *(kit.rich(*_field(field, long_limit)) for field in shown if field.long),
        *([kit.context(kit.small(f"… {counted(missing, 'more field')}"))] if missing > 0 else []),
        *_small(aside),
    ]


def _heads(fields: Sequence[Field]) -> Sequence[Block]:
    blocks: list[Block] = []
    brief: list[Element] = []
    for field in fields:
        if field.before is None and len(field.value) <= BRIEF_LIMIT and "\n" not in field.value:
            brief += _field(field, SHORT_LIMIT)
            continue
        blocks += [kit.rich(*brief)] if brief else []
        blocks.append(kit.rich(*_field(field, SHORT_LIMIT)))
        brief = []
    return [*blocks, kit.rich(*brief)] if brief else blocks


def are_folded(fields: Sequence[Field]) -> bool:
    """Whether these leave something out."""
    return len(fields) > MAX_FIELDS or sum(map(_is_aside, fields)) > MOST_ASIDE or any(map(_is_cut, fields))


def legend(fields: Sequence[Field]) -> str:
    """How a difference in them is shown; empty where there is none."""
    gone = ["what is struck out was there before"] if any(field.before for field in fields) else []
    new = ["bold lines are new"] if any(field.value and _is_by_line(field) for field in fields) else []
    said = ", ".join([*gone, *new])
    return f"{said[0].upper()}{said[1:]}." if said else ""


def _is_aside(field: Field) -> bool:
    return field.aside and field.before is None and not field.destination


def _is_by_line(field: Field) -> bool:
    """Whether a text was changed, or several lines were: a text that is new or taken out stands there as a quote."""
    if field.before is None:
        return False
    both = f"{field.before}{field.value}"
    return bool(both) if field.long else bool(field.before and field.value) and "\n" in both


def _is_cut(field: Field) -> bool:
    if _is_by_line(field):
        return differences.left_out(_differences(field)) > 0
    if field.before is not None:
        return max(len(plain(field.before)), 0 if field.destination else len(plain(field.value))) > CHANGE_LIMIT // 2
    if _is_aside(field):
        return len(one_line(_aside(field), ASIDE_LIMIT + 1)) > ASIDE_LIMIT
    if field.destination:
        return len(field.value) > DESTINATIONS_LIMIT
    text = plain(field.value)
    return not _fits(text, LONG_LIMIT) if field.long else len(text) > SHORT_LIMIT


def _aside(field: Field) -> str:
    return f"{one_line(field.label, 60)}: {field.value}"


def _small(fields: Sequence[Field]) -> Sequence[Block]:
    """Short ones in one line together."""
    texts = [one_line(_aside(field), ASIDE_LIMIT) for field in fields[:MOST_ASIDE]]
    short = " · ".join(text for text in texts if len(text) <= ASIDE_SHORT)
    lines = [*([short] if short else []), *(text for text in texts if len(text) > ASIDE_SHORT)]
    return [kit.context(*map(kit.small, lines))] if lines else []


def _field(field: Field, limit: int) -> Sequence[Element]:
    label = _label(field)
    if _is_by_line(field):
        return _by_line(field, _differences(field))
    if field.before is not None:
        return _changed(field, CHANGE_LIMIT // 2)
    if field.destination:
        return [kit.line(label, *destination(field.value))]
    text = plain(field.value)
    if field.long:
        return [*_named(field, label), *_ends(text, limit)]
    return [kit.line(label, *_cut(text, limit))]


def in_full(field: Field) -> Sequence[Element]:
    """All of a field, whatever its length, as a card shows it: its label bold, a text quoted."""
    if _is_by_line(field):
        return _by_line(field, differences.parts(_hunks(field)))
    if field.before is not None:
        return _changed(field, NO_LIMIT)
    if field.destination:
        return [kit.line(_label(field), *destination(field.value, NO_LIMIT))]
    words = _cut(plain(field.value), NO_LIMIT)
    return [*_named(field, _label(field)), *kit.quotes(words)] if field.long else [kit.line(_label(field), *words)]


def _label(field: Field) -> Element:
    return kit.words(f"{one_line(field.label, 60)}: ", bold=True)


def _named(field: Field, label: Element) -> Sequence[Element]:
    return [] if field.label in _NEEDS_NO_NAME else [kit.line(label)]


def destination(value: str, limit: int = DESTINATIONS_LIMIT) -> Sequence[Element]:
    """Those that it reaches, each on a line of their own below the label, cut nowhere where it can be approved."""
    text, more = folded(value, limit)
    lines = plain(f"\n{text}" if "\n" in text else text)
    return [*map(kit.words, kit.pieces(lines)), *([more] if more else [])]


def _by_line(field: Field, shown: Sequence[differences.Part | differences.LeftOut]) -> Sequence[Element]:
    """A text of several lines with what was changed in it; who it reaches is never left out."""
    label = _label(field)
    if field.destination:
        return [kit.line(label, kit.words("\n"), *differences.marked(shown))]
    said = _came_or_went(field)
    return [*([kit.line(label, kit.words(said))] if said else _named(field, label)), *differences.quotes(shown)]


def _came_or_went(field: Field) -> str:
    return "" if field.before and field.value else "(new)" if field.value else "(taken out)"


def _differences(field: Field) -> Sequence[differences.Part | differences.LeftOut]:
    """What a card shows of them."""
    found = _hunks(field, DESTINATIONS_LIMIT if field.destination else NO_LIMIT)
    return differences.parts(found) if field.destination else differences.shortened(found, CHANGE_LIMIT, CHANGE_ENDS)


def _hunks(field: Field, limit: int = NO_LIMIT) -> Sequence[differences.Hunk]:
    before, after = plain(field.before or ""), plain(field.value[:limit])
    if before and after:
        return differences.pieces(before, after)
    mark = differences.Mark.NEW if after else differences.Mark.GONE
    return [differences.Hunk(mark, (after or before).split("\n"))]


def _changed(field: Field, limit: int) -> Sequence[Element]:
    """The value before, struck out, and the value after, bold; where one of them is empty, that it is new or taken out.
    Several lines that are new stand as they are: bold ones of a text could be taken for labels.
    """
    before, after = plain(field.before or ""), plain(field.value)
    said = _came_or_went(field)
    new = _cut(after, limit) if after else ()
    if field.destination and not said:
        new = destination(field.value, max(limit, DESTINATIONS_LIMIT))
    if field.destination or "\n" not in after:
        new = [kit.words(str(one["text"]), bold=True) for one in new]
    words: list[Element] = [*(_cut(before, limit, strike=True) if before else ())]
    words += [*new, kit.words(f" {said}")] if said else [kit.words("  →  "), *new]
    return [kit.line(_label(field), *words)]


def _cut(text: str, limit: int, *, strike: bool = False) -> Sequence[Element]:
    """At most so many characters, and how many more there are."""
    text, more = folded(text, limit)
    return [*(kit.words(piece, strike=strike) for piece in kit.pieces(text)), *([more] if more else [])]


def _fits(text: str, limit: int) -> bool:
    return len(text) <= limit and text.count("\n") < LONG_LINES


def _ends(text: str, limit: int) -> Sequence[Element]:
    """A long text, or its beginning and its end: what somebody wants overlooked may stand in either."""
    if _fits(text, limit):
        return [kit.quote(text)]
    half, lines = limit // 2, LONG_LINES // 2
    begins = len(text[: _end(text, half, lines)].rstrip())
    ends = len(text) - len(text[-_end(text[::-1], half, lines) :].lstrip())
    left_out = kit.words(f"… {counted(ends - begins, 'character')} left out here …", bold=True)
    return [kit.quote(text[:begins]), kit.line(left_out), kit.quote(text[ends:])]


def folded(text: str, limit: int) -> tuple[str, Element | None]:
    """The part of a text that is shown, and how much is left out, so that no cut goes unnoticed."""
    end = _end(text, limit)
    if end == len(text):
        return text, None
    return text[:end], kit.words(f" … {counted(len(text) - end, 'more character')}", bold=True)


def _end(text: str, limit: int, lines: int = 0) -> int:
    """Where a text is cut: at a word or a line, where there is one; `lines` are the most lines that it may have."""
    end = len(next(iter(kit.pieces(text[: limit + 1], limit)), ""))
    kept = text[:end].split("\n")
    return end if not lines or len(kept) <= lines else len("\n".join(kept[:lines]))
