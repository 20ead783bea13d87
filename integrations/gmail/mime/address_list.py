"""Splits an address field into mailboxes (RFC 5322 §3.4), however it is written.

One mailbox is one address. Python's own parser takes the name in "x@a <y@b>" for a second one (CVE-2023-27043), and so
would send an answer to the address that an attacker put there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_PIECE = re.compile(r'"(?P<quoted>(?:\\.|[^"\\])*)(?:(?P<end>")|\\?\Z)|<(?P<bracket>[^>]*)>?|[,;:]|[^",;:(<]+', re.S)
_COMMENT = re.compile(r"\\.|[()]", re.S)
_ESCAPE = re.compile(r"\\(.?)", re.S)
_ROUTE = re.compile(r"^@[^:]*:")  # obsolete: the way that a mail was to take (§4.4)


@dataclass(slots=True)
class _Mailbox:
    """What was read of a mailbox: all of it but comments, its words without quotes, what stands in brackets."""

    raw: list[str] = field(default_factory=list[str])
    words: list[str] = field(default_factory=list[str])
    comment: list[str] = field(default_factory=list[str])
    bracket: str | None = None
    has_at: bool = False
    is_broken: bool = False

    def add(self, piece: re.Match[str]) -> None:
        """A text in quotes, an address in brackets, or plain words."""
        self.raw.append(piece[0])
        if piece["quoted"] is not None:
            self.words.append(_ESCAPE.sub(r"\1", piece["quoted"]))
            self.is_broken |= piece["end"] is None
        elif piece["bracket"] is not None:
            self.is_broken |= self.bracket is not None or "<" in piece["bracket"] or not piece[0].endswith(">")
            self.bracket = piece["bracket"]
        else:
            self.has_at |= "@" in piece[0]
            self.is_broken |= "@" in piece[0] and self.bracket is not None
            self.words.append(piece[0])

    def add_comment(self, text: str, *, is_closed: bool) -> None:
        """A comment, which parts what it stands between."""
        self.raw.append(" ")
        self.comment.append(_ESCAPE.sub(r"\1", text))
        self.is_broken |= not is_closed

    def pair(self) -> tuple[str, str]:
        """Name and address. Of a broken one all that was written, which is no address: who checks it will say so."""
        if self.is_broken:
            return "", _line([*self.raw, " ", *self.comment])
        name = "" if self.bracket is None else _line(self.words)
        return name or _line(self.comment), _ROUTE.sub("", _line(self.raw if self.bracket is None else [self.bracket]))


def mailboxes(text: str) -> list[tuple[str, str]]:
    """The name, not decoded, and the address of each mailbox. What is none comes as it was written."""
    text, place = re.sub(r"\r?\n", "", text), 0
    boxes = [_Mailbox()]
    while place < len(text):
        piece = _PIECE.match(text, place)
        if piece is None:
            end, is_closed = _comment_end(text, place)
            boxes[-1].add_comment(text[place + 1 : end - is_closed], is_closed=is_closed)
            place = end
            continue
        place = piece.end()
        if piece[0] in {",", ";"}:
            boxes.append(_Mailbox())
        elif piece[0] == ":" and not boxes[-1].has_at and boxes[-1].bracket is None:
            boxes[-1] = _Mailbox()  # a group's name
        else:
            boxes[-1].add(piece)
    return [(name, email) for name, email in (box.pair() for box in boxes) if email]


def _comment_end(text: str, start: int) -> tuple[int, bool]:
    """Where a comment ends, with those inside it; and whether it does."""
    depth = 0
    for found in _COMMENT.finditer(text, start):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth == 0:
            return found.end(), True
    return len(text), False


def _line(pieces: list[str]) -> str:
    return " ".join("".join(pieces).split())
