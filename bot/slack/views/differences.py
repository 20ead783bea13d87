"""What was changed in a text of several lines, line by line: struck out is gone, bold is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Element
from integrations.text import counted

CONTEXT = 2  # lines that stay beside a change where others are left out
MOST_COMPARED = 800  # lines that are compared one by one; longer texts count as changed from first to last difference


class Mark(StrEnum):
    """What became of a piece of text."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that stand together and have the same mark."""

    mark: Mark
    lines: Sequence[str]

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "".join(f"{line}\n" for line in self.lines)


def pieces(before: str, after: str) -> Sequence[Hunk]:
    """Both texts as one, in order: leaving out what is gone gives the text after, what is new the one before."""
    old, new = before.split("\n"), after.split("\n")
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    middle = _compared(old[head : len(old) - tail], new[head : len(new) - tail])
    found = [Hunk(Mark.SAME, old[:head]), *middle, Hunk(Mark.SAME, old[len(old) - tail :])]
    return [piece for piece in found if piece.lines]


def shortened(found: Sequence[Hunk], limit: int) -> tuple[Sequence[Hunk], int]:
    """At most so many characters, and how many are left out: lines far from a change first."""
    if sum(len(piece.text) for piece in found) <= limit:
        return found, 0
    near = [_near_changes(piece, n, len(found)) for n, piece in enumerate(found)]
    kept: list[Hunk] = []
    for piece in near:
        room = limit - sum(len(one.text) for one in kept)
        if len(piece.text) > room:
            kept.append(Hunk(piece.mark, [piece.text[: max(0, room)].removesuffix("\n")]))
            break
        kept.append(piece)
    return kept, sum(len(piece.text) for piece in found) - sum(len(piece.text) for piece in kept)


def shown(found: Sequence[Hunk], left_out: int = 0) -> Sequence[Element]:
    """As elements of rich text."""
    *first, last = [(piece.mark, piece.text) for piece in found]
    marked = [
        kit.words(part, bold=mark is Mark.NEW, strike=mark is Mark.GONE)
        for mark, text in [*first, (last[0], last[1].removesuffix("\n"))]
        for part in kit.pieces(text) or [" "]
    ]
    more = [kit.words(f"\n… {counted(left_out, 'more character')}", bold=True)] if left_out else []
    return [*marked, *more]


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines at the beginning are the same."""
    both = enumerate(zip(old, new, strict=False))
    return next((n for n, (one, other) in both if one != other), min(len(old), len(new)))


def _compared(old: Sequence[str], new: Sequence[str]) -> Iterator[Hunk]:
    if len(old) + len(new) > MOST_COMPARED:
        yield from (Hunk(Mark.GONE, old), Hunk(Mark.NEW, new))
        return
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield Hunk(Mark.SAME, old[a:b])
        else:
            yield from (Hunk(Mark.GONE, old[a:b]), Hunk(Mark.NEW, new[c:d]))


def _near_changes(piece: Hunk, place: int, count: int) -> Hunk:
    """Of what is the same only the lines beside a change."""
    if piece.mark is not Mark.SAME or len(piece.lines) <= 2 * CONTEXT + 1:
        return piece
    before: Sequence[str] = () if place == 0 else piece.lines[:CONTEXT]
    after: Sequence[str] = () if place == count - 1 else piece.lines[-CONTEXT:]
    left_out = counted(len(piece.lines) - len(before) - len(after), "line")
    return Hunk(Mark.SAME, [*before, f"… {left_out} as before …", *after])
