"""Splits an address field into mailboxes (RFC 5322 §3.4), however it is written.

One mailbox is one address. Python's own parser takes the name in "x@a <y@b>" for a second one (CVE-2023-27043), and so
would send an answer to the address that an attacker put there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_ROUTE = re.compile(r"^@[^:]*:")  # obsolete: the way that a mail was to take (§4.4)


@dataclass(slots=True)
class _Mailbox:
    """What was read of a mailbox: all of it but comments, its words without quotes, what stands in brackets."""

    raw: list[str] = field(default_factory=list[str])
    words: list[str] = field(default_factory=list[str])
    comment: list[str] = field(default_factory=list[str])
    bracket: list[str] | None = None
    has_at: bool = False
    is_broken: bool = False

    def pair(self) -> tuple[str, str]:
        """Name and address. Of a broken one all that was written, which is no address: who checks it will say so."""
        if self.is_broken:
            return "", _line([*self.raw, " ", *self.comment])
        name = "" if self.bracket is None else _line(self.words)
        return name or _line(self.comment), _ROUTE.sub("", _line(self.raw if self.bracket is None else self.bracket))


class _Field:
    def __init__(self) -> None:
        self._box = _Mailbox()
        self._inside = ""  # what closes what we are in: a quoted text, a comment, or brackets
        self._depth = 0
        self._escaped = False

    def mailboxes(self, text: str) -> Iterator[tuple[str, str]]:
        for character in text:
            if not self._inside and character in ",;":
                yield self._taken()
            else:
                self._read(character)
        self._box.is_broken |= bool(self._inside)
        yield self._taken()

    def _taken(self) -> tuple[str, str]:
        box, self._box = self._box, _Mailbox()
        return box.pair()

    def _read(self, character: str) -> None:
        box = self._box
        if self._inside != ")":
            box.raw.append(character)
        if self._escaped or (character == "\\" and self._inside in {'"', ")"}):
            if self._escaped:
                self._keep(character)
            self._escaped = not self._escaped
        elif self._inside:
            self._read_inside(character)
        elif character in '"(<':
            self._open(character)
        elif character == ":" and not box.has_at and box.bracket is None:
            self._box = _Mailbox()  # a group's name
        else:
            box.has_at |= character == "@"
            box.is_broken |= character == "@" and box.bracket is not None
            box.words.append(character)

    def _open(self, character: str) -> None:
        self._inside = {'"': '"', "(": ")", "<": ">"}[character]
        if character == "(":
            self._depth = 1
            self._box.raw[-1] = " "
        if character == "<":
            self._box.is_broken |= self._box.bracket is not None
            self._box.bracket = []

    def _read_inside(self, character: str) -> None:
        if self._inside == ")":
            self._depth += {"(": 1, ")": -1}.get(character, 0)
        if character == self._inside and not (self._inside == ")" and self._depth):
            self._inside = ""
            return
        self._box.is_broken |= self._inside == ">" and character == "<"
        self._keep(character)

    def _keep(self, character: str) -> None:
        box = self._box
        kept = {">": box.bracket, ")": box.comment}.get(self._inside, box.words)
        (box.words if kept is None else kept).append(character)


def _line(characters: list[str]) -> str:
    return " ".join("".join(characters).split())


def mailboxes(text: str) -> list[tuple[str, str]]:
    """The name, not decoded, and the address of each mailbox. What is none comes as it was written."""
    return [(name, email) for name, email in _Field().mailboxes(re.sub(r"\r?\n", "", text)) if email]
