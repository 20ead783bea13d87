"""How far a box that cuts what stands over is filled by the lines before a text."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

from integrations.gmail.html.css.lengths import Scale
from integrations.gmail.html.painting.place import LINE, PaintedPlace, line_height
from integrations.gmail.html.painting.visibility import Painted

LETTER = 0.45
"""How wide a letter is at least, as a part of the font's size."""


@dataclass(slots=True)
class Room:
    """A box with its edges, the lower one infinite where lines are only cut at their end. `filled` is how high the
    lines in it stand, `line` how high the last is, `across` how much of it is no text, in pixels. `began` is where in a
    line the box begins.
    """

    bottom: float
    right: float
    outer: Room | None = None
    filled: float = 0.0
    line: float = 0.0
    began: int = 0
    across: float = 0.0

    def letters(self, place: PaintedPlace, font: float) -> int:
        """How many letters of this size fit in from here."""
        fit = sys.maxsize
        if self.bottom < math.inf:
            lines = int((self.bottom - place.y - self.filled) / font + 1 - LINE)
            fit = int(max(lines, 0) * self._width(place, font) / (font * LETTER))
        if place.is_unwrapped and self.right < math.inf:
            fit = min(fit, int(max(self.right - place.x - self.across, 0.0) / (font * LETTER)) + self.began)
        return fit if self.outer is None else min(fit, self.outer.letters(place, font))

    @property
    def has_bottom(self) -> bool:
        """Whether what stands lower is cut."""
        return self.bottom < math.inf or (self.outer is not None and self.outer.has_bottom)

    def add_line(self, letters: int, place: PaintedPlace, font: float) -> None:
        """A line was written; a long one takes more than one."""
        line, self.line = max(font, self.line), 0.0
        rows = 1 if place.is_unwrapped else 1 + letters * font * LETTER // self._width(place, font)
        self.reach(self.filled + line * rows)
        self.end_line()

    def end_line(self) -> None:
        """What comes now begins at the left."""
        self.began, self.across = 0, 0.0
        if self.outer is not None:
            self.outer.end_line()

    def pass_by(self, wide: float, tall: float) -> None:
        """Something of this size that is no text stands here."""
        self.across += wide
        if self.bottom < math.inf:
            self.filled = min(self.filled + tall, max(self.bottom, self.filled))
        if self.outer is not None:
            self.outer.pass_by(wide, tall)

    def fill(self) -> None:
        """A text was cut: nothing after it is seen."""
        if self.bottom < math.inf:
            self.filled = max(self.filled, self.bottom)
        elif self.outer is not None:
            self.outer.fill()

    def stretch_line(self, look: Painted) -> None:
        """Words of this look stand in the line."""
        self.line = max(self.line, look.font_pixels, line_height(look.style, Scale(look.font_pixels)))

    def reach(self, height: float) -> None:
        """What was written stands so high."""
        more, self.filled = max(0.0, height - self.filled), max(self.filled, height)
        if self.outer is not None and more:
            self.outer.reach(self.outer.filled + more)

    def _width(self, place: PaintedPlace, font: float) -> float:
        return max(min(self.right, place.right) - place.x, font)


def room_of(outer: Room | None, around: PaintedPlace, place: PaintedPlace, letters: int) -> Room | None:
    """The room in an element: its own where it cuts, or the one that it stands in. So many letters are before it in the
    line.
    """
    if place.bottom < around.bottom:
        return Room(place.bottom, min(place.right, 1_024.0 + place.x), outer, began=letters)
    if place.right < around.right:
        return Room(math.inf, place.right, outer, began=letters)
    return outer
