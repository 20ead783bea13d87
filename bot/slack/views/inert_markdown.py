"""Makes the model's Markdown inert: nothing in it notifies anybody, hides where a link goes, or is invisible.

Links and images keep their label and their address, both readable, because `[label](address)` is pulled apart; Slack's
own `<…>` forms are escaped. The transform works piece by piece, so a stream and the finished text read the same.
Sources: Slack's pages "Formatting message text" (escaping `&`, `<`) and "Markdown block"; CommonMark 0.31 §6.3 and §4.7
(an inline link, a full reference and a definition each need `](`, `][` or `]:` with nothing in between).
"""

from __future__ import annotations

from policies.characters import is_invisible

MAX_SPACES = 40  # in a row; more is padding that pushes something out of sight
MAX_NEWLINES = 3  # in a row

_LINE_ENDS = frozenset("\u0085\u2028\u2029\v\f")
_ESCAPES = {"&": "&amp;", "<": "&lt;"}
_LINK_JOINTS = frozenset("([:")
_AUTHORITY_ENDS = frozenset("/?#")


class Inert:
    """The transform for a text that arrives in pieces: `feed` each, then `close`. One object per text."""

    def __init__(self) -> None:
        self._bracket_held = False
        self._recent = ""
        self._in_authority = False
        self._spaces = 0
        self._newlines = 0

    def feed(self, piece: str) -> str:
        """What may be shown by now; a trailing `]` is held back until its neighbour is known."""
        return "".join(self._one(char) for char in piece)

    def close(self) -> str:
        """The rest, when nothing more comes."""
        held, self._bracket_held = self._bracket_held, False
        return "]" if held else ""

    def _one(self, char: str) -> str:
        char = "\n" if char in _LINE_ENDS else char
        if is_invisible(char) or self._is_padding(char):
            return ""
        before = self._release(char)
        if char == "]":
            self._bracket_held = True
            return before
        return before + self._break_userinfo(char) + _ESCAPES.get(char, char)

    def _release(self, char: str) -> str:
        if not self._bracket_held:
            return ""
        self._bracket_held = False
        return "] " if char in _LINK_JOINTS else "]"

    def _is_padding(self, char: str) -> bool:
        self._spaces = self._spaces + 1 if char.isspace() and char != "\n" else 0
        self._newlines = self._newlines + 1 if char == "\n" else self._newlines if char.isspace() else 0
        return self._spaces > MAX_SPACES or (char == "\n" and self._newlines > MAX_NEWLINES)

    def _break_userinfo(self, char: str) -> str:
        """`https://bank.example@evil.example` goes to the second host: a space makes both visible for what they are."""
        self._recent = (self._recent + char)[-3:]
        if self._recent == "://":
            self._in_authority = True
        elif self._in_authority and (char in _AUTHORITY_ENDS or char.isspace()):
            self._in_authority = False
        elif self._in_authority and char == "@":
            return " "
        return ""


def literal(text: str) -> str:
    """Inert Markdown with its escapes undone, for places that escape by themselves."""
    for char, escape in reversed(_ESCAPES.items()):
        text = text.replace(escape, char)
    return text


def inert(text: str) -> str:
    """The whole text at once."""
    transform = Inert()
    return transform.feed(text) + transform.close()
