"""The fence around others' words, which nothing inside it can end and no answer shows.

A model may copy a fence, whole or in parts, and with characters between its letters that nobody sees or that Markdown
takes away. So whatever reads as a fence counts as one.
"""

from __future__ import annotations

import re

from policies.characters import INVISIBLE, without_invisible

_NAME = "untrusted"
_BROKEN = "‹"
_OPENING, _CLOSING = "<＜﹤", ">＞﹥›"
"""The brackets, and what NFKC makes one of; a mark that was broken may end as it began."""
_BETWEEN = re.compile(rf"[\s/\\*_`~\ufe0e\ufe0f{INVISIBLE}]")
_FENCE = re.compile(f"{_BETWEEN.pattern}*".join([f"[{_OPENING}]", *_NAME]), re.IGNORECASE)
_BEGINS = re.compile(f"[{_OPENING}{_BROKEN}]")
"""What a mark in an answer may begin with: a model copies the broken ones, too."""
_NO_MARK = str.maketrans('"<>', "'‹›")
_SOURCE = 160
_LONGEST = 200  # characters of a mark; each of ours is shorter


def fence(source: str) -> tuple[str, str]:
    """What stands before and after what others made; whoever named the source cannot end the mark with it."""
    named = " ".join(without_invisible(source.translate(_NO_MARK)).split())[:_SOURCE]
    return f'<untrusted source="{named}">', "</untrusted>"


def untrusted(text: str, *, source: str) -> str:
    """The text between `<untrusted source="…">` and `</untrusted>`, as `harmless` makes it."""
    begin, end = fence(source)
    return f"{begin}{harmless(text)}{end}"


def harmless(text: str) -> str:
    """The text of others without what is invisible, and with every fence inside it broken."""
    return broken(without_invisible(text))


def broken(text: str) -> str:
    """The text with every fence inside it broken."""
    return _FENCE.sub(lambda found: f"{_BROKEN}{found[0][1:]}", text)


def holds_fence(text: str) -> bool:
    """Whether any of it reads as a fence."""
    return _FENCE.search(text) is not None


def unfenced(text: str) -> str:
    """The text without fences, whole or broken; what stood inside stays."""
    unfencing = Unfencing()
    return unfencing.feed(text) + unfencing.rest()


class Unfencing:
    """A text that arrives in pieces, without its fences: what may be the beginning of one waits for what follows."""

    def __init__(self) -> None:
        self._held: list[str] = []  # characters; each bracket among them may begin a fence
        self._begins: list[int] = []  # where they stand
        self._in_mark = 0  # how many characters of a mark are gone by
        self._in_quotes = False

    def feed(self, piece: str) -> str:
        """What may be shown of the text so far, after what was shown before."""
        if self._held or self._in_mark:
            return "".join(map(self._take, piece))
        begin = _BEGINS.search(piece)
        plain = piece[: begin.start()] if begin else piece
        return plain + "".join(map(self._take, piece[len(plain) :]))

    def rest(self) -> str:
        """What was held back, when no piece follows."""
        held = "".join(self._held)
        self._held, self._begins = [], []
        return held

    def _take(self, char: str) -> str:
        if self._in_mark:
            return self._pass_mark(char)
        begins = _BEGINS.match(char) is not None
        if begins:
            self._begins.append(len(self._held))
        elif not self._held:
            return char
        self._held.append(char)
        return "" if begins or _BETWEEN.match(char) else self._compare()

    def _compare(self) -> str:
        """Begin a mark where its beginning is whole, and let go of everything where none can follow any more."""
        begin = self._begins[-1]
        name = _BETWEEN.sub("", "".join(self._held[begin + 1 :])).casefold()
        if name == _NAME:
            del self._held[begin:], self._begins[-1]
            self._in_mark, self._in_quotes = len(_NAME) + 1, False
        return "" if _NAME.startswith(name) else self.rest()

    def _pass_mark(self, char: str) -> str:
        """The mark ends with its bracket, before the next one, or where it is longer than any."""
        if not self._in_quotes and _BEGINS.match(char):
            self._in_mark = 0
            return self._take(char)
        self._in_quotes ^= char == '"'
        ends = self._in_mark == _LONGEST or (char in _CLOSING and not self._in_quotes)
        self._in_mark = 0 if ends else self._in_mark + 1
        return ""
