"""How much place is taken by what is no text: replaced elements, tables with a height, parts of a row."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from turbohtml import Element

from integrations.gmail.html.css.lengths import VIEWPORT, Scale
from integrations.gmail.html.painting.place import PaintedPlace
from integrations.gmail.html.painting.visibility import Painted

_UNKNOWN = 1e6
"""Nobody knows how large it is."""
_DEFAULTS: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("iframe", "video", "object", "embed", "canvas", "svg", "frameset"), (300.0, 150.0)),
    **dict.fromkeys(("textarea", "select", "marquee", "math", "audio", "dialog"), (_UNKNOWN, _UNKNOWN)),
    **dict.fromkeys(("input", "button", "meter", "progress"), (160.0, 20.0)),
}
_CELLS = frozenset({"table", "tr", "td", "th"})
SIZED = frozenset({*_DEFAULTS, *_CELLS, "img", "hr"})
"""Elements that take place by themselves, or have attributes for it."""
_NO_WORD = 20.0
_MARGINS: Mapping[str, float] = {
    **dict.fromkeys(("p", "ul", "ol", "dl", "blockquote", "pre", "figure", "h3"), 1.0),
    **{"h1": 0.67, "h2": 0.83, "h4": 1.33, "h5": 1.67, "h6": 2.33, "hr": 0.5},
}
_KEEPING = frozenset({"pre", "pre-wrap", "pre-line", "break-spaces", "preserve"})


def extent_of(element: Element | None, style: Mapping[str, str]) -> tuple[float, float]:
    """How wide and how high an element is at least, in pixels: by its style, its attributes, its kind."""
    wide, tall = _styled(style, "width", "left", "right"), _styled(style, "height", "top", "bottom")
    if element is None:
        return wide or 0.0, tall or 0.0
    default = _DEFAULTS.get(element.tag, (0.0, 0.0))
    given = (_pixels(element.attr("width")), _pixels(element.attr("height")))
    wide = wide if wide is not None else given[0] if given[0] is not None else default[0]
    tall = tall if tall is not None else given[1] if given[1] is not None else default[1]
    if element.tag == "table":
        tall = max(tall, 2 * (_pixels(element.attr("cellpadding")) or 0.0))
    return wide, tall


def beginning_of(element: Element, style: Mapping[str, str], tall: float) -> float:
    """How far down the words begin in an element that is so high: those of a cell stand in its middle."""
    aligned = element.attr("valign") or style.get("vertical-align", "")
    return tall if element.tag not in _CELLS or "bottom" in aligned.lower() else tall / 2


def holds_nothing(column: Element, place: PaintedPlace, style: Mapping[str, str]) -> bool:
    """Whether a column of a table with fixed ones is too narrow for a word."""
    given = (_styled(style, "width", "left", "right"), _pixels(column.attr("width")))
    wide = next((each for each in given if each is not None), math.inf)
    return place.table < math.inf and wide < _NO_WORD


def _styled(style: Mapping[str, str], name: str, *sides: str) -> float | None:
    measure = Scale(whole=VIEWPORT[name])
    sizes = (measure.pixels(style.get(each, "")) for each in (name, f"min-{name}", f"padding-{sides[0]}"))
    known = [size for size in sizes if size is not None]
    padding = sum(measure.pixels(style.get(f"padding-{side}", "")) or 0.0 for side in sides)
    return max(*known, padding) if known else padding or None


def _pixels(attribute: str | None) -> float | None:
    return Scale().pixels((attribute or "").strip().rstrip("%"))


def margin_above(tag: str, style: Mapping[str, str]) -> float:
    """How far a block stands below the one before where no style says it, as a part of its font's size."""
    return _MARGINS.get(tag, 0.0) if "margin-top" not in style else 0.0


def kept_breaks(style: Mapping[str, str]) -> bool:
    """Whether each line of the source is a line."""
    said = f"{style.get('white-space', '')} {style.get('white-space-collapse', '')}".replace("preserve-", "preserve ")
    return not _KEEPING.isdisjoint(said.split())


def is_row(look: Painted) -> bool:
    """Whether an element puts its parts side by side, also where they stand past its edge that cuts."""
    flow = f"{look.style.get('flex-direction', '')} {look.style.get('flex-wrap', '')} {look.style.get('flex-flow', '')}"
    is_flex = look.style.get("display", "").endswith("flex")
    return is_flex and look.place.right < math.inf and "column" not in flow and "wrap" not in flow.replace("nowrap", "")


@dataclass(slots=True)
class Row:
    """The parts of a row so far, and how much of it they take."""

    taken: float = 0.0

    def takes(self, look: Painted, style: Mapping[str, str]) -> bool:
        """Add a part; whether it may stand past the edge that cuts."""
        is_past = self.is_full(look)
        flex = style.get("flex", "").split()
        sizes = (style.get("width", ""), style.get("flex-basis", ""), *flex[2:3])
        known = [size for text in sizes if (size := Scale().pixels(text)) is not None]
        self.taken += max(known, default=_UNKNOWN)
        return is_past

    def is_full(self, look: Painted) -> bool:
        """Whether what comes now may stand past the edge."""
        return self.taken > 0 and look.place.x + self.taken + look.font_pixels > look.place.right
