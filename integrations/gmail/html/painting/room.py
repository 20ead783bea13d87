"""How far a box that cuts what stands over is filled by the lines before a text."""

from __future__ import annotations

from dataclasses import dataclass

from integrations.gmail.html.css.lengths import Scale
from integrations.gmail.html.painting.place import LINE, Place, line_height
from integrations.gmail.html.painting.visibility import Painted

LETTER = 0.45
"""How wide a letter is at least, as a part of the font's size."""


@dataclass(slots=True)
class Room:
    """A box with its lower edge; `filled` is how high the lines in it stand, `line` how high the last is, in pixels."""

    bottom: float
    right: float
    outer: Room | None = None
    filled: float = 0.0
    line: float = 0.0

    def letters(self, place: Place, font: float) -> int:
        """How many letters of this size fit in from here."""
        lines = int((self.bottom - place.y - self.filled) / font + 1 - LINE)
        fit = int(max(lines, 0) * self._width(place, font) / (font * LETTER))
        return fit if self.outer is None else min(fit, self.outer.letters(place, font))

    def add_line(self, letters: int, place: Place, font: float) -> None:
        """A line was written; a long one takes more than one."""
        line, self.line = max(font, self.line), 0.0
        self.reach(self.filled + line * (1 + letters * font * LETTER // self._width(place, font)))

    def fill(self) -> None:
        """A text was cut: nothing after it is seen."""
        self.filled = max(self.filled, self.bottom)

    def stretch_line(self, look: Painted) -> None:
        """Words of this look stand in the line."""
        self.line = max(self.line, look.font_pixels, line_height(look.style, Scale(look.font_pixels)))

    def reach(self, height: float) -> None:
        """What was written stands so high."""
        more, self.filled = max(0.0, height - self.filled), max(self.filled, height)
        if self.outer is not None and more:
            self.outer.reach(self.outer.filled + more)

    def _width(self, place: Place, font: float) -> float:
        return max(min(self.right, place.right) - place.x, font)


def room_of(outer: Room | None, around: Place, place: Place) -> Room | None:
    """The room in an element: its own where it cuts, or the one that it stands in."""
    if place.bottom >= around.bottom:
        return outer
    return Room(place.bottom, min(place.right, 1_024.0 + place.x), outer)
