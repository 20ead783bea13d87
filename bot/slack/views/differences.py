"""What was changed in a text of several lines, line by line: struck out is gone, bold is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import groupby

from bot.slack.views import blocks as kit
from bot.slack.views.blocks import Element
from integrations.text import counted

CONTEXT = 2  # lines that stay beside a change where others are left out
MOST_COMPARED = 800  # lines that are compared one by one; longer texts count as changed from first to last difference
LEAST_LEFT_OUT = 60  # characters: less than these stands there, since to say that it is left out takes as many
_A_WORD = 80  # characters in which a line or a word ends, to be cut there


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


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of both texts, which begins at this character of them."""

    mark: Mark
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where the next one begins."""
        return self.start + len(self.text)

    def between(self, start: int, end: int) -> Part:
        """What of it stands there; nothing where it stands elsewhere."""
        begins = max(start, self.start)
        return replace(self, text=self.text[begins - self.start : max(0, end - self.start)], start=begins)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What is not shown between two parts."""

    characters: int
    is_changed: bool

    @property
    def note(self) -> str:
        """What is said in its place."""
        as_before = "" if self.is_changed else " as before"
        return f"… {counted(self.characters, 'character')}{as_before} left out here …"


def pieces(before: str, after: str) -> Sequence[Hunk]:
    """Both texts as one, in order: leaving out what is gone gives the text after, what is new the one before."""
    old, new = before.split("\n"), after.split("\n")
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    middle = _compared(old[head : len(old) - tail], new[head : len(new) - tail])
    found = [Hunk(Mark.SAME, old[:head]), *middle, Hunk(Mark.SAME, old[len(old) - tail :])]
    return [piece for piece in found if piece.lines]


def parts(found: Sequence[Hunk]) -> Sequence[Part]:
    """All of both texts."""
    made: list[Part] = []
    for piece in found:
        made.append(Part(piece.mark, piece.text, made[-1].end if made else 0))
    return [*made[:-1], replace(made[-1], text=made[-1].text.removesuffix("\n"))]


def shortened(found: Sequence[Hunk], limit: int, ends: int = 0) -> Sequence[Part | LeftOut]:
    """At most so many characters: first of all both ends of the text after (`ends` characters of each), then what is
    new, what is gone, and the lines beside a change.
    """
    whole = parts(found)
    if whole[-1].end <= limit:
        return whole
    gaps = _gaps("".join(part.text for part in whole), _chosen(whole, limit, ends))
    return list(_with_gaps(whole, gaps))


def left_out(shown: Sequence[Part | LeftOut]) -> int:
    """How many characters are."""
    return sum(part.characters for part in shown if isinstance(part, LeftOut))


def marked(shown: Sequence[Part | LeftOut]) -> Sequence[Element]:
    """As one paragraph."""
    found: list[Element] = []
    for part in shown:
        if isinstance(part, LeftOut):
            found.append(kit.words(f"{chr(10) if found else ''}{part.note}\n", bold=True))
        else:
            found += _words(part)
    return found


def quotes(shown: Sequence[Part | LeftOut]) -> Sequence[Element]:
    """As quotes. What is left out is said between them: within one it could be taken for the text's own words."""
    found: list[Element] = []
    for note, some in groupby(shown, lambda part: part.note if isinstance(part, LeftOut) else ""):
        if note:
            found.append(kit.line(kit.words(note, bold=True)))
        else:
            found += kit.quotes(words for part in some if isinstance(part, Part) for words in _words(part))
    return found


def _words(part: Part) -> Sequence[Element]:
    bold, strike = part.mark is Mark.NEW, part.mark is Mark.GONE
    return [kit.words(some, bold=bold, strike=strike) for some in kit.pieces(part.text) or [" "]]


def _chosen(whole: Sequence[Part], limit: int, ends: int) -> bytearray:
    """Which characters are shown: a 1 for each of these."""
    chosen = bytearray(whole[-1].end)
    after = [part for part in whole if part.mark is not Mark.GONE]
    first, last = ends, ends
    for part in after:
        _choose(chosen, part.start, min(part.end, part.start + first))
        first -= min(first, len(part.text))
    for part in reversed(after):
        _choose(chosen, max(part.start, part.end - last), part.end)
        last -= min(last, len(part.text))
    for start, end in _by_weight(whole):
        room = max(0, limit - chosen.count(1))
        if chosen.count(0, start, end) <= room:
            _choose(chosen, start, end)
            continue
        first, last = chosen.find(0, start, end), chosen.rfind(0, start, end) + 1
        _choose(chosen, first, first + room // 2)
        _choose(chosen, last - room // 2, last)
    return chosen


def _choose(chosen: bytearray, start: int, end: int) -> None:
    chosen[start:end] = b"\1" * (end - start)


def _by_weight(whole: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """What is shown first, and what only where there is still room."""
    for mark in (Mark.NEW, Mark.GONE):
        yield from ((part.start, part.end) for part in whole if part.mark is mark)
    for n, part in enumerate(whole):
        if part.mark is Mark.SAME:
            lines = part.text.splitlines(keepends=True)
            beside = [0 if n == 0 else CONTEXT, 0 if n == len(whole) - 1 else CONTEXT]
            yield part.start, part.start + sum(map(len, lines[: beside[0]]))
            yield part.end - sum(map(len, lines[len(lines) - beside[1] :])), part.end


def _gaps(text: str, chosen: bytearray) -> Sequence[tuple[int, int]]:
    """From where to where nothing is shown; what is shown ends at a line or a word, where there is one."""
    found: list[tuple[int, int]] = []
    start = chosen.find(0)
    while start >= 0:
        end = chosen.find(1, start)
        end = len(text) if end < 0 else end
        following = chosen.find(0, end)
        if end - start >= LEAST_LEFT_OUT:
            shown_from = found[-1][1] if found else 0
            found.append((_back(text, shown_from, start), _ahead(text, end, following)))
        start = following
    return found


def _back(text: str, least: int, at: int) -> int:
    if at == 0 or text[at - 1].isspace():
        return at
    least = max(least, at - _A_WORD)
    return max(text.rfind("\n", least, at), text.rfind(" ", least, at)) + 1 or at


def _ahead(text: str, at: int, following: int) -> int:
    if at == len(text) or text[at - 1].isspace():
        return at
    most = at + _A_WORD if following < 0 else min(following, at + _A_WORD)
    ends = [place + 1 for mark in "\n " if (place := text.find(mark, at, most)) >= 0]
    return min(ends, default=at)


def _with_gaps(whole: Sequence[Part], gaps: Sequence[tuple[int, int]]) -> Iterator[Part | LeftOut]:
    done = 0
    for start, end in gaps:
        yield from _shown_between(whole, done, start)
        hidden = [part for part in whole if part.between(start, end).text]
        yield LeftOut(end - start, any(part.mark is not Mark.SAME for part in hidden))
        done = end
    yield from _shown_between(whole, done, whole[-1].end)


def _shown_between(whole: Sequence[Part], start: int, end: int) -> Sequence[Part]:
    """Without the blank lines at both of its ends."""
    found = [part for part in (part.between(start, end) for part in whole) if part.text]
    if found:
        found[-1] = replace(found[-1], text=found[-1].text.rstrip("\n") or " ")
        found[0] = replace(found[0], text=found[0].text.lstrip("\n") or " ")
    return found


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
