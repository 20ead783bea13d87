"""Where a text stands, as far as that is known without a layout: how far it is moved from where it would be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from integrations.gmail.html.css.lengths import VIEWPORT, Scale, share
from integrations.gmail.html.painting.shapes import leaves_enough
from integrations.gmail.html.painting.transforms import Transform, refuse_far_origin, transform_of

FAR_LEFT, FAR_UP = -60.0, -99.0
"""So far to the left or up a short text stands outside of the page, in pixels."""
BLOCK, INLINE = 1_000.0, 200.0
"""How wide an element may be that is turned about its middle."""
FAR_RIGHT = -200.0
FAR_BEHIND = VIEWPORT["width"]
BESIDE = 40.0
"""Moved so far a text may leave the box that gives it its ground."""
WIDE = 1.5
"""In a box that is so much wider than what is seen of it, a text may stand anywhere."""
FAR_BELOW = 3_000.0
"""So far below nobody looks."""
SCROLLED = 8.0
"""What scrolls in a box no larger than this cannot be read."""
FLAT = 0.3
"""A line that is no higher has no height, be it in pixels or as a part of the font's size."""
LINE = 0.5
"""The part of a font's size that must be left of a line."""

_PLACING = frozenset(
    {
        *("margin-left", "margin-top", "margin-right", "padding-left", "padding-top", "text-indent", "position"),
        *("overflow-x", "overflow-y", "contain", "clip", "clip-path", "transform", "translate", "scale", "rotate"),
        *("zoom", "vertical-align", "line-height", "width", "content-visibility", "white-space", "text-wrap"),
        *("text-wrap-mode", "table-layout"),
    }
)
_PAINT = frozenset({"strict", "content", "paint"})
_SIDES = ("left", "top", "right", "bottom")
UNWRAPPED = frozenset({"nobr", "pre", "listing", "xmp", "plaintext"})
NARROW_TABLE = 200.0
"""In a fixed table that may be narrower, nobody knows how much of a cell is cut off."""
_CELLS = frozenset({"table", "tbody", "thead", "tfoot", "tr", "td", "th"})
"""They grow with what they hold, whatever height they are given."""


@dataclass(frozen=True, slots=True)
class PaintedPlace:
    """A move in pixels, the right and lower edges of what cuts, how much smaller it is."""

    x: float = 0.0
    y: float = 0.0
    right: float = math.inf
    bottom: float = math.inf
    below: float = FAR_BELOW
    size: float = 1.0
    is_clipped: bool = False
    is_unwrapped: bool = False
    """Whether its lines go on past the edge."""
    within: float = math.inf
    """How wide the narrowest of what it stands in is said to be."""
    table: float = math.inf
    """How wide the table with fixed columns is that it stands in; infinite where its columns grow."""

    def is_away(self, font: float) -> bool:
        """Whether a text of this size is not on the page where it stands."""
        line = font * LINE
        return (
            self.is_clipped
            or self.x <= FAR_LEFT
            or self.y <= FAR_UP
            or self.x >= FAR_BEHIND
            or self.y >= self.below
            or self.right - self.x < line
            or self.bottom - self.y < line
        )


def placed(
    outer: PaintedPlace, tag: str, attributes: Mapping[str, str], style: Mapping[str, str], measure: Scale
) -> PaintedPlace:
    """The place of an element's content; raises `Unclear`."""
    is_unwrapped = _is_unwrapped(outer, tag, attributes, style)
    table = _fixed_width(attributes, style, measure) if tag == "table" else outer.table
    outer = replace(outer, is_unwrapped=is_unwrapped, table=table) if is_unwrapped or table != outer.table else outer
    if style.keys().isdisjoint(_PLACING):
        return outer
    moved = _moved(outer, style, measure)
    x = moved.x + measure.surely(style.get("padding-left", ""))
    y = moved.y + measure.surely(style.get("padding-top", ""))
    wide, tall = _cut(tag, style, measure)
    given = measure.surely(style.get("width", ""), otherwise=math.inf)
    if tag in {"td", "th"} and table < math.inf and _cuts(style) and (is_unwrapped or min(table, given) < NARROW_TABLE):
        wide = 0.0
    right = min(outer.right, x + wide)
    is_wide = measure.surely(style.get("width", "")) > WIDE * min(outer.right - x, FAR_BEHIND)
    is_clipped = moved.is_clipped or is_wide or _is_pushed_out(x, right, style, measure) or _is_clipped(style, measure)
    return PaintedPlace(
        x=x,
        y=y + _leading(style, measure),
        right=right,
        bottom=min(outer.bottom, y + tall),
        below=moved.below,
        size=moved.size,
        is_clipped=is_clipped,
        is_unwrapped=is_unwrapped,
        within=outer.within if tag in _CELLS else min(outer.within, given),
        table=table,
    )


def _is_unwrapped(outer: PaintedPlace, tag: str, attributes: Mapping[str, str], style: Mapping[str, str]) -> bool:
    said = " ".join(style.get(name, "") for name in ("white-space", "text-wrap", "text-wrap-mode")).split()
    if said:
        return not {"nowrap", "pre"}.isdisjoint(said)
    return outer.is_unwrapped or tag in UNWRAPPED or "nowrap" in attributes


def _fixed_width(attributes: Mapping[str, str], style: Mapping[str, str], measure: Scale) -> float:
    if style.get("table-layout") != "fixed":
        return math.inf
    given = style.get("width", "") or attributes.get("width", "")
    return min(measure.surely(given, otherwise=BLOCK), BLOCK)


def _cuts(style: Mapping[str, str]) -> bool:
    """Whether what stands over its edges is not shown."""
    flows = (style.get(name, "visible") for name in ("overflow-x", "overflow-y"))
    contained = style.get("contain", "").split()
    is_skipped = style.get("content-visibility") == "auto"
    return is_skipped or any(flow != "visible" for flow in flows) or not _PAINT.isdisjoint(contained)


def leaves_its_box(outer: PaintedPlace, style: Mapping[str, str], measure: Scale) -> bool:
    """Whether an element may stand beside the one that holds it."""
    position = style.get("position", "static")
    if position in {"absolute", "fixed"} or measure.surely(style.get("width", "")) > outer.within + BESIDE:
        return True
    if any(measure.surely(style.get(name, "")) < -BESIDE for name in ("margin-top", "margin-left")):
        return True
    change = _transform(style, measure)
    moves = [measure.surely(style.get(name, "")) for name in (_SIDES if position != "static" else ())]
    return any(abs(move) > BESIDE for move in (*moves, change.x, change.y))


def _is_pushed_out(x: float, right: float, style: Mapping[str, str], measure: Scale) -> bool:
    """Whether its lines begin, or may end, outside of it."""
    indent = measure.surely(style.get("text-indent", "").partition(" ")[0])
    if measure.surely(style.get("margin-right", "")) <= FAR_RIGHT or x + indent <= FAR_LEFT:
        return True
    return indent > 0 and x + indent >= min(right, FAR_BEHIND)


def _moved(outer: PaintedPlace, style: Mapping[str, str], measure: Scale) -> PaintedPlace:
    x = outer.x + measure.surely(style.get("margin-left", ""))
    y = (
        outer.y
        + measure.surely(style.get("margin-top", ""))
        - measure.of(measure.font).surely(style.get("vertical-align", ""))
    )
    below = outer.below
    position = style.get("position", "static")
    if position != "static":
        tall = measure.of(VIEWPORT["height"])
        left, top = style.get("left", "auto"), style.get("top", "auto")
        x += measure.surely(left) if left != "auto" else -measure.surely(style.get("right", ""))
        y += tall.surely(top) if top != "auto" else -tall.surely(style.get("bottom", ""))
        below = VIEWPORT["height"] if position == "fixed" else below
    change = _transform(style, measure)
    size = outer.size * change.size * (share(style["zoom"]) if "zoom" in style else 1.0)
    is_turned = change.shows_back and style.get("backface-visibility") == "hidden"
    return PaintedPlace(
        x=x + change.x, y=y + change.y, below=below, size=size, is_clipped=outer.is_clipped or is_turned
    )


def _transform(style: Mapping[str, str], measure: Scale) -> Transform:
    given = [style.get(name, "") for name in ("translate", "rotate", "scale", "transform")]
    if not any(given):
        return Transform()
    refuse_far_origin(style.get("transform-origin", ""), measure)
    return transform_of(*given, measure=measure).about(_width(style, measure) / 2)


def _width(style: Mapping[str, str], measure: Scale) -> float:
    is_narrow = style.get("display", "").startswith("inline") or style.get("position") in {"absolute", "fixed"}
    return min(measure.surely(style.get("width", ""), otherwise=INLINE if is_narrow else BLOCK), BLOCK)


def line_height(style: Mapping[str, str], measure: Scale) -> float:
    """How high a line is, where that is said; otherwise 0."""
    height = style.get("line-height", "")
    pixels = measure.of(measure.font).surely(height)
    return pixels * measure.font if height.replace(".", "").isdecimal() else pixels


def _leading(style: Mapping[str, str], measure: Scale) -> float:
    """How far a line stands below the upper edge of its own height."""
    return max(0.0, (line_height(style, measure) - measure.font) / 2)


def _is_clipped(style: Mapping[str, str], measure: Scale) -> bool:
    clip = style.get("clip", "") if style.get("position") in {"absolute", "fixed"} else ""
    path = style.get("clip-path", "")
    return ("(" in path or "(" in clip) and not leaves_enough(path, clip, measure)


def _cut(tag: str, style: Mapping[str, str], measure: Scale) -> tuple[float, float]:
    """How wide and high what an element shows is at most; infinite where it cuts nothing."""
    contained = style.get("contain", "").split()
    flows = [style.get(name, "visible") for name in ("overflow-x", "overflow-y")]
    if not _cuts(style):
        return math.inf, math.inf
    scrolls = not {"auto", "scroll", "overlay"}.isdisjoint(flows)
    wide = _extent(style, "width", ("padding-left", "padding-right"), measure)
    tall = _extent(style, "height", ("padding-top", "padding-bottom"), measure.of(VIEWPORT["height"]))
    wide = min(wide, _flexed(style, measure))
    if tall == math.inf and (ratio := _ratio(style.get("aspect-ratio", ""))):
        tall = min(wide, BLOCK) / ratio
    if tall == math.inf and not {"strict", "size"}.isdisjoint(contained):
        tall = 0.0
    if tall == math.inf and _is_flat(style, measure):
        tall = 0.0
    if (lines := style.get("-webkit-line-clamp", "none")) != "none":
        tall = min(tall, measure.surely(lines) * measure.font * 1.25)
    least = 2.0 if tag in _CELLS else SCROLLED if scrolls else math.inf
    return (wide if wide <= least else math.inf), (tall if tall <= least else math.inf)


def _flexed(style: Mapping[str, str], measure: Scale) -> float:
    """How wide a part of a row is that does not grow; infinite where that is not said."""
    grow, _, basis = [*style.get("flex", "").split(), "", "", ""][:3]
    if not grow:
        grow, basis = style.get("flex-grow", "0"), style.get("flex-basis", "auto")
    return measure.surely(basis or "0", otherwise=math.inf) if grow == "0" else math.inf


def _ratio(text: str) -> float:
    """Of width to height; 0 where none is given."""
    wide, _, tall = text.removeprefix("auto").partition("/")
    numbers = Scale().pixels(wide.strip()), Scale().pixels(tall.strip() or "1")
    return numbers[0] / numbers[1] if numbers[0] and numbers[1] else 0.0


def _is_flat(style: Mapping[str, str], measure: Scale) -> bool:
    """Whether its lines have no height."""
    height = style.get("line-height", "normal")
    return height != "normal" and measure.of(measure.font).surely(height) < FLAT


def _extent(style: Mapping[str, str], name: str, padding: tuple[str, str], measure: Scale) -> float:
    """How wide or high the place for its content is at most; infinite where that is not said."""
    given = [style.get(name, ""), style.get(f"max-{name}", "")]
    extent = min((measure.surely(text, otherwise=math.inf) for text in given if text), default=math.inf)
    extent = max(extent, measure.surely(style.get(f"min-{name}", "")))
    if style.get("box-sizing") == "border-box":
        extent -= sum(measure.surely(style.get(each, "")) for each in padding)
    return extent
