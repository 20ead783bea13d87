"""Lengths, percentages, numbers and angles (CSS Values Level 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from integrations.gmail.html.css.math import worked_out

VIEWPORT = {"width": 1_024.0, "height": 768.0}
MOST = 1e7
"""Browsers cut numbers to such a size."""
NUMBER = r"[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?"
UNITS = r"px|pt|pc|in|cm|mm|q|r?(?:em|ex|ch|ic|cap|lh)|[sld]?v(?:w|h|i|b|min|max)|cq(?:w|h|i|b|min|max)"

_LENGTH = re.compile(rf"({NUMBER})({UNITS}|%)?")
_ANGLE = re.compile(rf"({NUMBER})(deg|grad|rad|turn)?")
_ABSOLUTE = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945}
_OF_FONT = {"em": 1.0, "ex": 0.5, "ch": 0.5, "ic": 1.0, "cap": 0.7, "lh": 1.2}
_OF_VIEW = {"w": "width", "i": "width", "max": "width", "h": "height", "b": "height", "min": "height"}
_DEGREES = {"deg": 1.0, "grad": 0.9, "rad": 57.29578, "turn": 360.0}


class Unclear(Exception):
    """It cannot be told here what a declaration does to the text."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What relative lengths refer to, in pixels: the font, the root's font, and what a percentage is one of."""

    font: float = 16.0
    root: float = 16.0
    whole: float = VIEWPORT["width"]

    def of(self, whole: float) -> Scale:
        """The same, where a percentage is one of something else."""
        return Scale(self.font, self.root, whole)

    def pixels(self, text: str) -> float | None:
        """A length in pixels; None for what is no length."""
        if "(" in text:
            text = worked_out(text, self.pixels)
        found = _LENGTH.fullmatch(text)
        if found is None:
            return None
        number, unit = min(max(float(found[1]), -MOST), MOST), found[2] or ""
        if unit in _ABSOLUTE:
            return number * _ABSOLUTE[unit]
        if unit == "%":
            return number / 100 * self.whole
        if unit in _OF_FONT:
            return number * _OF_FONT[unit] * self.font
        if unit[0] == "r":
            return number * _OF_FONT[unit[1:]] * self.root
        return number / 100 * VIEWPORT[_OF_VIEW[unit.lstrip("sldcqv") or unit[-1]]]

    def surely(self, text: str, *, otherwise: float = 0.0) -> float:
        """The same, where a keyword or nothing stands for `otherwise`; raises `Unclear` for what is not known here."""
        pixels = self.pixels(text) if text else None
        if pixels is not None:
            return pixels
        if "(" in text:
            raise Unclear(text)
        return otherwise


_SHARES = Scale(whole=1.0)


def share(text: str, *, otherwise: float = 1.0) -> float:
    """A number or a percentage as a number that is not below 0; raises `Unclear` as above."""
    return max(0.0, _SHARES.surely(text, otherwise=otherwise))


def degrees(text: str) -> float:
    """An angle; raises `Unclear` for what is none that is known here."""
    if "(" in text:
        text = worked_out(text, degrees)
    found = _ANGLE.fullmatch(text)
    if found is None:
        raise Unclear(text)
    return min(max(float(found[1]), -MOST), MOST) * _DEGREES[found[2] or "deg"]
