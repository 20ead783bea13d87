"""What is painted of an element's text: its computed style, with what it inherits and what lies behind it.

A text counts as painted only where that is sure. Whatever cannot be told raises `Unclear`, and counts as not painted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from integrations.gmail.html.css.colors import ALIKE, BLACK, WHITE, Color, blended, distance, parse_html_color
from integrations.gmail.html.css.doubts import HARMLESS, refuse_doubts
from integrations.gmail.html.css.lengths import Scale, Unclear, share
from integrations.gmail.html.css.properties import COVER, GENERATED, WIDE
from integrations.gmail.html.css.sheets import UNSURE
from integrations.gmail.html.css.syntax import UNCLEAR, words
from integrations.gmail.html.css.variables import computed, inherited
from integrations.gmail.html.painting.grounds import Colors, chosen, either, grounds_of, inks_of
from integrations.gmail.html.painting.place import PaintedPlace, leaves_its_box, placed

CLEAR_BELOW = 0.05
TINY_PIXELS = 2.0
HUGE_PIXELS = 600.0
BLURRED_PIXELS = 8.0
SPREAD_PIXELS = 100.0
"""Letters so far apart make no words."""
OVERLAID = 0.5
"""Nor do letters that are moved into each other by so much of their size."""
MOST_UNSURE = 24

_FONT_SIZES = {
    **{"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32},
    **{"xxx-large": 48, "initial": 16},
}
_INHERITED = frozenset(
    {"color", "-webkit-text-fill-color", "font-size", "line-height", "visibility", "text-indent", "letter-spacing"}
)
_KEYWORDS = ("display", "visibility", "position", "content-visibility")
_HIDDEN = {
    "display": frozenset({"none", "table-column", "table-column-group"}),
    "content-visibility": frozenset({"hidden"}),
}
_DOUBTFUL = HARMLESS.keys()
MOST_TINT = 1.3
LINES = frozenset(
    {
        *("span", "a", "b", "i", "u", "em", "strong", "font", "small", "big", "s", "strike", "del", "ins", "code"),
        *("sub", "sup", "br", "img", "label", "cite", "q", "abbr", "tt", "mark", "bdi", "bdo", "kbd", "samp", "var"),
    }
)
"""Elements that stand in a line, where nothing else is said."""
_FUNCTION = re.compile(r"([a-z-]+)\((.*)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Painted:
    """How the text of an element is painted."""

    hidden: bool = False
    invisible: bool = False
    opacity: float = 1.0
    inks: Colors = (BLACK,)
    fill: Colors | None = None
    link: Color | None = None
    grounds: Colors = (WHITE,)
    beneath: Colors = (WHITE,)
    """The grounds of all that it stands in."""
    floated: Colors = (WHITE,)
    """Those of what does not grow with a float."""
    blocks: Colors = (WHITE,)
    """What lies behind a block inside of it, which stands apart from the ground of a line."""
    tint: float = 1.0
    """How much filters change colours."""
    font_pixels: float = 16.0
    root_pixels: float = 16.0
    spacing: float = 0.0
    place: PaintedPlace = field(default_factory=PaintedPlace)
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    style: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def is_unseen(self) -> bool:
        """Whether nobody sees a text that stands directly in it."""
        return (
            self.hidden or self.invisible or self._is_no_size or self._is_faint or self.place.is_away(self.font_pixels)
        )

    @property
    def _is_no_size(self) -> bool:
        pixels = self.font_pixels * self.place.size
        is_overlaid = self.spacing <= -OVERLAID * self.font_pixels or self.spacing >= SPREAD_PIXELS
        return not TINY_PIXELS < pixels < HUGE_PIXELS or is_overlaid

    @property
    def _is_faint(self) -> bool:
        """Whether the text cannot be told from what lies behind it."""
        inks = self.inks if self.fill is None else self.fill
        if not self.grounds or not inks or any(ink[3] * self.opacity <= CLEAR_BELOW for ink in inks):
            return True
        pairs = ((ink, ground) for ink in inks for ground in self.grounds)
        return any(distance(blended(ink, ground), ground) * self.opacity <= ALIKE for ink, ground in pairs)

    def unless(self, other: Painted) -> Painted:
        """What is sure where either may hold."""
        variables = self.variables.items() ^ other.variables.items()
        hidden = self.hidden or other.hidden or other.place.is_away(other.font_pixels)
        return replace(
            self,
            hidden=hidden or (self.invisible or self._is_no_size) != (other.invisible or other._is_no_size),
            opacity=min(self.opacity, other.opacity),
            inks=either(self.inks, other.inks),
            fill=self.fill if self.fill == other.fill else either(self.fill or self.inks, other.fill or other.inks),
            grounds=either(self.grounds, other.grounds),
            beneath=either(self.beneath, other.beneath),
            floated=either(self.floated, other.floated),
            blocks=either(self.blocks, other.blocks),
            variables={**self.variables, **{name: UNCLEAR for name, _ in variables}},
        )


def painted(outer: Painted, tag: str, attributes: Mapping[str, str], style: Mapping[str, str]) -> Painted:
    """An element inside another one, by those of its attributes that count here and the declarations in force."""
    first, *others = _variants(style)
    found = _painted(outer, tag, attributes, first)
    for other in others:
        found = found.unless(_painted(outer, tag, attributes, other))
    return found


def _variants(style: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
    """The style without what may be set, with all of that, and with each of it."""
    unsure = [name for name in style if name.startswith(UNSURE)]
    if not unsure:
        yield style
        return
    sure = {name: value for name, value in style.items() if not name.startswith(UNSURE)}
    yield sure
    if len(unsure) > MOST_UNSURE:
        yield {**sure, "mask-image": UNCLEAR}
        return
    yield {**sure, **{name[1:]: style[name] for name in unsure}}
    if len(unsure) > 1:
        yield from ({**sure, name[1:]: style[name]} for name in unsure)


def _painted(outer: Painted, tag: str, attributes: Mapping[str, str], style: Mapping[str, str]) -> Painted:
    try:
        return _surely_painted(outer, tag, attributes, style)
    except Unclear:
        return replace(outer, hidden=True)


def _surely_painted(outer: Painted, tag: str, attributes: Mapping[str, str], style: Mapping[str, str]) -> Painted:
    variables = inherited({name: value for name, value in style.items() if name.startswith("--")}, outer.variables)
    style = _resolved(style, variables, outer.style)
    font = _font_pixels(style, outer)
    measure = Scale(font, outer.root_pixels)
    inks = inks_of(outer.inks, outer.link, tag, attributes, style)
    fill = style.get("-webkit-text-fill-color")
    is_line = style.get("display", "inline" if tag in LINES else "block") == "inline"
    around = outer.grounds if is_line else either(outer.grounds, outer.blocks)
    if style.get("float", "none") != "none":
        around = either(around, outer.floated)
    if tag == "caption" or leaves_its_box(outer.place, style, measure):
        around = either(around, outer.beneath)
    grounds = grounds_of(around, attributes, style, inks, font)
    left, tint = _filtered(style.get("filter", "none"), outer.tint)
    seen = style.get("visibility", "")
    return Painted(
        hidden=outer.hidden or "hidden" in attributes or _is_hidden(style),
        invisible=seen in {"hidden", "collapse"} if seen else outer.invisible,
        opacity=outer.opacity * min(1.0, share(style.get("opacity", ""))) * left,
        inks=inks,
        fill=outer.fill if fill is None else None if fill in {"initial", "currentcolor"} else chosen(fill, inks),
        link=(parse_html_color(attributes.get("link", "")) if tag == "body" else None) or outer.link,
        grounds=grounds,
        beneath=either(outer.beneath, grounds),
        floated=grounds if _holds_floats(tag, style) else either(outer.floated, grounds),
        blocks=outer.blocks if is_line else grounds,
        tint=tint,
        font_pixels=font,
        root_pixels=font if tag == "html" else outer.root_pixels,
        spacing=measure.surely(style["letter-spacing"]) if "letter-spacing" in style else outer.spacing,
        place=placed(outer.place, tag, attributes, style, measure),
        variables=variables,
        style=style,
    )


def _resolved(style: Mapping[str, str], variables: Mapping[str, str], outer: Mapping[str, str]) -> Mapping[str, str]:
    """The longhands with their variables filled in, and without the values that every property takes."""
    found: dict[str, str] = {}
    for name, given in style.items():
        if name.startswith("--"):
            continue
        value = computed(name, given, variables) if "var(" in given else given
        if value not in WIDE:
            found[name] = value
        elif value == "revert-layer":
            found[name] = UNCLEAR
        elif name in _INHERITED:
            if value == "initial":
                found[name] = value
            elif name == "color" and value != "revert":
                found[name] = "currentcolor"
        elif value == "inherit" and name in outer:
            found[name] = outer[name]
    return found


def _font_pixels(style: Mapping[str, str], outer: Painted) -> float:
    size = style.get("font-size", "")
    if not size:
        return outer.font_pixels
    if size in {"smaller", "larger"}:
        return outer.font_pixels * (1.2 if size == "larger" else 1 / 1.2)
    if size in _FONT_SIZES:
        return float(_FONT_SIZES[size])
    measure = Scale(outer.font_pixels, outer.root_pixels, outer.font_pixels)
    return max(0.0, measure.surely(size, otherwise=outer.font_pixels))


def _is_hidden(style: Mapping[str, str]) -> bool:
    """Whether an element is not shown with all that it holds; raises `Unclear`."""
    for name in _KEYWORDS:
        if "(" in style.get(name, ""):
            raise Unclear(name)
    refuse_doubts(style, _DOUBTFUL & style.keys())
    if style.get(GENERATED) == COVER:
        raise Unclear(GENERATED)
    if style.get("position", "static") != "static" and style.get("z-index", "").startswith("-"):
        raise Unclear("z-index")
    return any(style.get(name) in values for name, values in _HIDDEN.items())


def _holds_floats(tag: str, style: Mapping[str, str]) -> bool:
    """Whether an element grows with the floats in it."""
    is_cut = any(style.get(name, "visible") != "visible" for name in ("overflow-x", "overflow-y"))
    display, position = style.get("display", "block"), style.get("position", "static")
    is_apart = display not in {"block", "inline", "contents", "list-item"} or style.get("float", "none") != "none"
    return tag in {"table", "td", "th", "body"} or is_cut or is_apart or position in {"absolute", "fixed"}


def _filtered(value: str, tint: float) -> tuple[float, float]:
    """The opacity that a filter leaves, and how much colours change by then; raises `Unclear` where that is much."""
    opacity = 1.0
    for word in words(value) if value != "none" else ():
        found = _FUNCTION.fullmatch(word)
        name, inside = (found[1], found[2].strip()) if found else ("", "")
        if name == "opacity":
            opacity *= min(1.0, share(inside))
        elif name == "blur":
            opacity *= Scale().surely(inside) < BLURRED_PIXELS
        elif name in {"brightness", "contrast", "saturate"}:
            amount = share(inside)
            tint *= max(amount, 1 / amount) if amount else MOST_TINT
            if tint >= MOST_TINT:
                raise Unclear(word)
        elif name != "drop-shadow":
            raise Unclear(word)
    return opacity, tint
