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
ASIDE_LIMIT = 400  # characters of what stands in small print
ASIDE_SHORT = 80  # and of what stands in one line with others
MOST_ASIDE = 10  # things in small print, one element of Slack's context each at most
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


def are_by_line(fields: Sequence[Field]) -> bool:
    """Whether a change in them is shown line by line."""
    return any(map(_is_by_line, fields))


def _is_aside(field: Field) -> bool:
    return field.aside and field.before is None and not field.destination


def _is_by_line(field: Field) -> bool:
    return bool(field.before and field.value) and "\n" in f"{field.before}{field.value}"


def _is_cut(field: Field) -> bool:
    if _is_by_line(field):
        return _differences(field)[1] > 0
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
    label = kit.words(f"{one_line(field.label, 60)}: ", bold=True)
    if _is_by_line(field):
        return _by_line(field, label)
    if field.before is not None:
        return [kit.line(label, *_change(field))]
    if field.destination:
        return [kit.line(label, *destination(field.value))]
    text = plain(field.value)
    if field.long:
        return [*_named(field, label), *_ends(text, limit)]
    text, more = folded(text, limit)
    return [kit.line(label, *(kit.words(piece) for piece in kit.pieces(text)), *([more] if more else []))]


def _named(field: Field, label: Element) -> Sequence[Element]:
    return [] if field.label in _NEEDS_NO_NAME else [kit.line(label)]


def destination(value: str) -> Sequence[Element]:
    """Those that it reaches, each on a line of their own below the label, cut nowhere where it can be approved."""
    text, more = folded(value, DESTINATIONS_LIMIT)
    lines = plain(f"\n{text}" if "\n" in text else text)
    return [*map(kit.words, kit.pieces(lines)), *([more] if more else [])]


def _by_line(field: Field, label: Element) -> Sequence[Element]:
    """A text of several lines with what was changed in it; who it reaches is never left out."""
    lines = differences.shown(*_differences(field))
    return [*_named(field, label), kit.quoted(lines)] if field.long else [kit.line(label, kit.words("\n"), *lines)]


def _differences(field: Field) -> tuple[Sequence[differences.Hunk], int]:
    """The pieces that are shown, and how many characters are not."""
    found = differences.pieces(plain(field.before or ""), plain(field.value[:DESTINATIONS_LIMIT]))
    return (found, 0) if field.destination else differences.shortened(found, CHANGE_LIMIT)


def _change(field: Field) -> Sequence[Element]:
    """The value before, struck out, and the value after; where one of them is empty, that it is new or taken out."""
    before, more_before = folded(plain(field.before or ""), CHANGE_LIMIT // 2)
    if field.destination and before and field.value:
        after = [kit.words("  →  "), *destination(field.value)]
        return [kit.words(before, strike=True), *([more_before] if more_before else []), *after]
    after, more_after = folded(plain(field.value), CHANGE_LIMIT // 2)
    if not before or not after:
        more = more_before or more_after
        said = " (new)" if after else " (taken out)"
        return [kit.words(before or after, strike=bool(before)), *([more] if more else []), kit.words(said)]
    return [
        kit.words(before, strike=True),
        *([more_before] if more_before else []),
        kit.words("  →  "),
        kit.words(after),
        *([more_after] if more_after else []),
    ]


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


def in_full(field: Field) -> str:
    """All of a field as plain text."""
    label = one_line(field.label, 60)
    if field.before is not None:
        return f"{label}, before:\n{plain(field.before)}\n{label}, after:\n{plain(field.value)}"
    return f"{label}:{chr(10) if field.long else ' '}{plain(field.value)}"
