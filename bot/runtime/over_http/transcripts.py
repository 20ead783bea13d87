"""Transcripts: what a request says and does, line by line as it happens, for those who follow it (runtime contract §4).

Lines are numbered. The newest are kept, so that somebody who lost the connection goes on behind the last one they have;
where that is not possible, they begin anew with what happened so far.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from bot.runtime.over_http.outcomes import Outcome

KEPT = 1_000  # lines

MOST_AT_ONCE = 256
"""Lines that a reader gets in one piece. A slow one has no more of their own; the others wait in what all share."""

LOOKED_AT_EACH_TIME = 1_000
"""Characters. What is held back and is longer is looked at again when there is twice as much, so that all of it takes
time in its length.
"""

ToldUntil = Callable[[str], int]

_SPAN = 1_000_000
"""How far apart the numbers are of those who began anew at two moments, in lines; more than a request has."""


@dataclass(frozen=True, slots=True)
class Begins:
    """The request works. Whatever was said since the line of this kind before does not count: it is said anew."""


@dataclass(frozen=True, slots=True)
class TextSaid:
    """The model said a piece of text."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """The model thought a piece of text."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """The model called a tool; `caption` says what for, in a line."""

    tool: str
    caption: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The request came to its end, or waits for people. It is the last line."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Lost:
    """The request is not known any more. It is the last line."""


Line = Begins | TextSaid | Thought | ToolCalled | Ended | Lost


@dataclass(frozen=True, slots=True)
class TranscriptPiece:
    """Lines that follow each other, and the number of the first, as their reader counts.

    Who began anew counts `shift` lines more than the transcript: their first lines are none of its own.
    """

    first: int
    lines: Sequence[Line]
    shift: int = 0

    @property
    def last(self) -> int:
        """The number of the last."""
        return self.first + len(self.lines) - 1


class Transcript:
    """The lines of one request, as this process knows them, numbered from `base` + 1.

    Who began anew when it had n lines counts on from there in numbers that are n spans higher: so nobody goes on from
    the middle of what had happened so far.

    A request that was under way before this process heard of it is not `heard` until its next step begins: half of what
    a step said is not told. Nor is what may be half of a secret: `told_until` says how much of a text is none.
    """

    def __init__(self, *, base: int = 0, heard: bool = True, told_until: ToldUntil = len) -> None:
        self._told_until = told_until
        self._lines: deque[Line] = deque(maxlen=KEPT)
        self._calls: list[ToolCalled] = []
        self._said = ""
        self._half: TextSaid | Thought | None = None
        self._looked_at_from = 0  # so many characters
        self._has_said = False  # something since the last line that begins
        self._heard = heard
        self._base = self._count = base
        self._anew: set[int] = set()
        self._news = asyncio.Event()
        self.end: Ended | Lost | None = None
        self.is_over = False
        """Whether nothing comes any more; without an `end` where this process leaves."""
        self._add(Begins())

    @property
    def count(self) -> int:
        """The number of the newest line."""
        return self._count

    @property
    def is_heard(self) -> bool:
        """Whether what is said now counts: it was listened to from where the step began."""
        return self._heard

    def attend(self) -> None:
        """Nothing is being said: what comes next is heard from its beginning."""
        self._heard = True

    def begin(self) -> None:
        """A step begins, so what was said since the one before is void."""
        self._heard, self._half, self._looked_at_from = True, None, 0
        if self._has_said:
            self._has_said, self._said = False, ""
            self._add(Begins())

    def hear(self, line: TextSaid | Thought) -> None:
        """Something more was said. What may be half of a secret is told with what follows."""
        if not self._heard:
            return
        if self._half is not None and type(self._half) is type(line):
            line = replace(line, text=self._half.text + line.text)
        else:
            self._tell_rest()
        self._half = line
        if len(line.text) >= self._looked_at_from:
            self._tell_until(self._told_until(line.text), line)

    def call(self, line: ToolCalled) -> None:
        """A tool was called."""
        self._tell_rest()
        self._calls.append(line)
        self._add(line)

    def finish(self, end: Ended | Lost) -> None:
        """It is the last line."""
        self._tell_rest()
        self.end, self.is_over = end, True
        self._add(end)

    def leave(self) -> None:
        """This process tells no more of it."""
        self.is_over = True
        self._tell()

    def begun(self, after: int | None) -> TranscriptPiece:
        """What somebody reads first who has the lines until `after`: the next ones; or, where these are not kept or not
        known here, what happened so far.
        """
        shift = None if after is None else self._shift_of(after)
        if after is not None and shift is not None:
            return self.since(after, shift)
        if self.keeps(self._base):
            return self.since(self._base)
        said = [TextSaid(self._said)] if self._said else []
        so_far: list[Line] = [Begins(), *self._calls, *said, *([self.end] if self.end else [])]
        length = self._count - self._base
        self._anew.add(length)
        shift = length * _SPAN
        return TranscriptPiece(self._count + shift - len(so_far) + 1, so_far, shift)

    def since(self, after: int, shift: int = 0) -> TranscriptPiece:
        """The first of the lines behind this one, which are kept."""
        kept = after - shift - (self._count - len(self._lines))
        return TranscriptPiece(after + 1, list(islice(self._lines, kept, kept + MOST_AT_ONCE)), shift)

    def keeps(self, after: int, shift: int = 0) -> bool:
        """Whether the line behind this one is kept, or yet to come."""
        return self._count - len(self._lines) <= after - shift <= self._count

    def _shift_of(self, after: int) -> int | None:
        """How a reader counts who has the lines until this one; None where they cannot go on from there."""
        began, line = divmod(after - self._base, _SPAN)
        known = not began or (began in self._anew and line >= began)
        return began * _SPAN if known and self.keeps(after, began * _SPAN) else None

    async def more(self, after: int, shift: int = 0) -> None:
        """Wait until there is a line behind this one, or nothing comes any more."""
        while self._count <= after - shift and not self.is_over:
            await self._news.wait()

    def _tell_until(self, until: int, line: TextSaid | Thought) -> None:
        """The rest waits for what follows."""
        rest = line.text[until:]
        self._half = replace(line, text=rest) if rest else None
        self._looked_at_from = 2 * len(rest) if len(rest) > LOOKED_AT_EACH_TIME else 0
        self._tell_text(replace(line, text=line.text[:until]))

    def _tell_rest(self) -> None:
        """Nothing follows that could belong to it."""
        half, self._half, self._looked_at_from = self._half, None, 0
        if half is not None:
            self._tell_text(half)

    def _tell_text(self, line: TextSaid | Thought) -> None:
        if not line.text:
            return
        self._has_said = True
        if isinstance(line, TextSaid):
            self._said += line.text
        self._add(line)

    def _add(self, line: Line) -> None:
        self._lines.append(line)
        self._count += 1
        self._tell()

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()
