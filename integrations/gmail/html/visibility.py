"""What is painted of an element's text: its computed style, with what it inherits and what lies behind it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from integrations.gmail.html.colors import BLACK, WHITE, Color, blended, distance, parse_color, parse_html_color
from integrations.gmail.html.css import VIEWPORT, substituted
from integrations.gmail.html.math import worked_out

FAINT = 15.0
"""Colours whose parts differ by no more than this cannot be told apart."""
CLEAR_BELOW = 0.05
TINY_PIXELS = 2.0
BLURRED_PIXELS = 8.0
SPREAD_PIXELS = 100.0
"""Letters so far apart, or so far upon each other, make no words."""
FAR_OFFSET = -199.0
FAR_MARGIN = -499.0
FAR_INDENT = -99.0
FAR_MOVE = -100.0
FAR_AWAY = 3_000.0
"""So far to the right or below nobody looks."""

_LINK: Color = (0.0, 0.0, 238.0, 1.0)
_LENGTH = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(px|pt|pc|in|cm|mm|q|em|rem|ex|ch|%|vw|vh|vmin|vmax)?")
_ABSOLUTE = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945, "rem": 16.0}
_OF_VIEW = {"vw": "width", "vh": "height", "vmin": "height", "vmax": "width"}
_OF_FONT = {"em": 1.0, "ex": 0.5, "ch": 0.5}
_FONT_SIZES = {"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32}
_FONT = re.compile(r"(?:^|\s)([+-]?[\d.]+(?:px|pt|pc|in|cm|mm|q|em|rem|ex|ch|%|vw|vh)?)(?=/|\s)")
_ANGLE = re.compile(r"([+-]?[\d.]+)(deg|grad|rad|turn)")
_DEGREES = {"deg": 1.0, "grad": 0.9, "rad": 57.29578, "turn": 360.0}
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?")
_FUNCTION = re.compile(r"([a-z0-9-]+)\(([^()]*)\)")
_COLOR = re.compile(r"#[0-9a-f]+|[a-z]+a?\([^()]*\)|[a-z-]+")
_HIDING = frozenset(
    {
        *("display", "mso-hide", "content-visibility", "overflow", "overflow-x", "overflow-y", "margin", "margin-top"),
        *("margin-left", "text-indent", "position", "clip", "clip-path", "transform", "scale", "translate"),
        *("rotate", "contain", "mask", "mask-image", "letter-spacing", "padding-left", "padding-top"),
    }
)
_HIDDEN = (("display", "none"), ("mso-hide", "all"), ("content-visibility", "hidden"))
_INHERITED = frozenset({"", "inherit", "unset", "revert", "currentcolor"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Painted:
    """How the text of an element is painted. `ground` is None where it is not known: a picture, or another screen."""

    hidden: bool = False
    invisible: bool = False
    opacity: float = 1.0
    ink: Color = BLACK
    ground: Color | None = WHITE
    font_pixels: float = 16.0
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def is_unseen(self) -> bool:
        """Whether nobody sees a text that stands directly in it."""
        return self.hidden or self.invisible or self.font_pixels <= TINY_PIXELS or self.is_faint

    @property
    def is_faint(self) -> bool:
        """Whether the text cannot be told from what lies behind it."""
        if self.ink[3] * self.opacity <= CLEAR_BELOW:
            return True
        return self.ground is not None and distance(blended(self.ink, self.ground), self.ground) <= FAINT


def painted(outer: Painted, tag: str, attributes: Mapping[str, str], style: Mapping[str, str]) -> Painted:
    """An element inside another one, by those of its attributes that count here and the declarations in force."""
    style, variables = _resolved(style, outer.variables)
    font = _font_pixels(style, outer.font_pixels)
    seen = style.get("visibility", "")
    opacity = outer.opacity * _share(style.get("opacity", "")) * _filtered(style.get("filter", ""))
    return Painted(
        hidden=outer.hidden or "hidden" in attributes or _is_hidden(style, font),
        invisible=outer.invisible if seen in _INHERITED else seen in {"hidden", "collapse"},
        opacity=opacity,
        ink=_ink(outer.ink, tag, attributes, style),
        ground=_ground(outer.ground, attributes, style),
        font_pixels=font,
        variables=variables,
    )


def _resolved(style: Mapping[str, str], outer: Mapping[str, str]) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The style with its variables filled in, and the variables that hold inside it."""
    own = {name: value for name, value in style.items() if name.startswith("--")}
    variables = {**outer, **own} if own else outer
    if not own and not any("var(" in value for value in style.values()):
        return style, variables
    return {name: substituted(value, variables) for name, value in style.items()}, variables


def _ink(outer: Color, tag: str, attributes: Mapping[str, str], style: Mapping[str, str]) -> Color:
    color = style.get("color", "")
    ink = _LINK if tag == "a" and "href" in attributes and not color else outer
    if tag == "body" and "text" in attributes:
        ink = parse_html_color(attributes["text"]) or ink
    if "color" in attributes and not color:
        ink = parse_html_color(attributes["color"]) or ink
    for value in (color, style.get("-webkit-text-fill-color", "")):
        if value not in _INHERITED:
            ink = BLACK if value == "initial" else parse_color(value) or ink
    return ink


def _ground(outer: Color | None, attributes: Mapping[str, str], style: Mapping[str, str]) -> Color | None:
    said = f"{style.get('background', '')} {style.get('background-image', '')}"
    if "gradient(" in said and "url(" not in said and (plain := _plain_gradient(said)):
        return plain if outer is None else blended(plain, outer)
    if attributes.get("background") or "url(" in said or "gradient(" in said or "image-set(" in said:
        return None
    named = [color for each in _COLOR.findall(style.get("background", "")) if (color := parse_color(each))]
    color = parse_color(style.get("background-color", "")) or next(iter(named), None)
    if color is None and "bgcolor" in attributes and not style.get("background-color"):
        color = parse_html_color(attributes["bgcolor"])
    if color is None or (outer is None and color[3] < 1):
        return outer
    return color if outer is None else blended(color, outer)


def _plain_gradient(said: str) -> Color | None:
    """The colour of a gradient that has only one."""
    colors = [color for each in _COLOR.findall(said[said.index("gradient(") + 9 :]) if (color := parse_color(each))]
    same = colors and all(distance(color, colors[0]) <= FAINT and color[3] == colors[0][3] for color in colors)
    return colors[0] if same else None


def _font_pixels(style: Mapping[str, str], outer: float) -> float:
    short = _FONT.search(style["font"]) if "font" in style else None
    size = style.get("font-size") or (short[1] if short else "")
    if not size and "zoom" not in style:
        return outer
    if size in {"smaller", "larger"}:
        pixels = outer * (1.2 if size == "larger" else 1 / 1.2)
    elif size in _FONT_SIZES or size == "initial":
        pixels = float(_FONT_SIZES.get(size, 16))
    else:
        found = pixels_of(size, font=outer, whole=outer)
        pixels = outer if found is None or found < 0 else found
    return pixels * _share(style.get("zoom", "1"))


def pixels_of(text: str, *, font: float = 16.0, whole: float | None = None) -> float | None:
    """A length in pixels, where a percentage is one of `whole`; None for what is no length."""
    if "(" in text:
        text = worked_out(text, lambda term: pixels_of(term, font=font, whole=whole))
    found = _LENGTH.fullmatch(text.strip())
    if found is None:
        return None
    number, unit = float(found[1]), found[2] or ""
    if unit == "%":
        return number / 100 * (VIEWPORT["width"] if whole is None else whole)
    if unit in _OF_VIEW:
        return number / 100 * VIEWPORT[_OF_VIEW[unit]]
    return number * (_OF_FONT[unit] * font if unit in _OF_FONT else _ABSOLUTE[unit])


def _share(text: str) -> float:
    """A number or a percentage; 1 for anything else."""
    share = pixels_of(text, whole=1.0)
    return 1.0 if share is None else max(0.0, share)


def _filtered(value: str) -> float:
    for name, inside in _FUNCTION.findall(value):
        if name == "blur" and (pixels_of(inside) or 0) >= BLURRED_PIXELS:
            return 0.0
        if name in {"opacity", "contrast"} and _share(inside.strip()) <= CLEAR_BELOW:
            return 0.0
    return 1.0


def _is_hidden(style: Mapping[str, str], font: float) -> bool:
    """Whether an element is not shown with all that it holds."""
    if style.keys().isdisjoint(_HIDING):
        return False
    return (
        any(style.get(name) == value for name, value in _HIDDEN)
        or any(_is_clipped(style.get(name, "")) for name in ("clip", "clip-path"))
        or _is_folded(style, font)
        or _is_far_away(style, font)
        or _is_transformed(style, font)
        or _is_masked(style)
        or abs(pixels_of(style.get("letter-spacing", ""), font=font) or 0.0) >= SPREAD_PIXELS
    )


def _is_masked(style: Mapping[str, str]) -> bool:
    """Whether its mask lets nothing through."""
    said = f"{style.get('mask', '')} {style.get('mask-image', '')}"
    colors = [color for each in _COLOR.findall(said.partition("gradient(")[2]) if (color := parse_color(each))]
    return bool(colors) and all(color[3] <= CLEAR_BELOW for color in colors)


def _is_folded(style: Mapping[str, str], font: float) -> bool:
    """No height or width, and what stands over is cut."""
    contained = style.get("contain", "").split()
    cut = any(style.get(name, "visible") != "visible" for name in ("overflow", "overflow-x", "overflow-y"))
    cut = cut or not {"strict", "content", "paint"}.isdisjoint(contained)
    if "strict" in contained and "height" not in style and "min-height" not in style:
        return True
    if cut and (pixels_of(style.get("text-indent", ""), font=font) or 0.0) >= VIEWPORT["width"]:
        return True
    sizes = (pixels_of(style.get(name, ""), font=font) for name in ("height", "max-height", "width", "max-width"))
    return cut and any(size is not None and size <= 1.0 for size in sizes)


def _is_far_away(style: Mapping[str, str], font: float) -> bool:
    """Whether a margin, an indent, or an offset moves it off the page."""
    margins = style.get("margin", "").split() or [""]
    top = style.get("margin-top", margins[0])
    left = style.get("margin-left", margins[{1: 0, 2: 1, 3: 1}.get(len(margins), 3)])
    moves = [(top, FAR_MARGIN), (left, FAR_MARGIN), (style.get("text-indent", ""), FAR_INDENT)]
    moves += [(style.get(name, ""), FAR_MARGIN) for name in ("padding-left", "padding-top")]
    if style.get("position", "static") != "static":
        offsets = [style.get(name, "") for name in ("left", "top", "right", "bottom")]
        beyond = any((pixels_of(offset, font=font) or 0.0) >= VIEWPORT["width"] for offset in offsets)
        if beyond and style["position"] == "fixed":
            return True
        moves += [(offset, FAR_OFFSET) for offset in [*offsets, *style.get("inset", "").split()]]
    return any(_is_off(text, limit, font) for text, limit in moves)


def _is_off(length: str, limit: float, font: float) -> bool:
    pixels = pixels_of(length, font=font) or 0.0
    return pixels <= limit or pixels >= FAR_AWAY


def _is_clipped(value: str) -> bool:
    """Whether a clip leaves nothing, or a pixel."""
    found = _FUNCTION.search(_plain_path(value))
    if found is None:
        return False
    numbers = [float(number) for number in _NUMBER.findall(found[2])]
    points = [tuple(point.split()) for point in found[2].split(",")]
    match found[1]:
        case "rect":
            return bool(numbers) and (all(number <= 1 for number in numbers) or len(set(numbers)) == 1)
        case "xywh":
            return len(numbers) >= 4 and not (numbers[2] and numbers[3])
        case "path":
            return len(numbers) < 4
        case "inset":
            return bool(numbers) and max(numbers) >= (50 if "%" in found[2] else FAR_AWAY)
        case "circle" | "ellipse":
            return bool(numbers) and 0 in numbers[: 1 if found[1] == "circle" else 2]
        case "polygon":
            return bool(numbers) and (not any(numbers) or len(set(points)) == 1)
        case _:
            return False


def _plain_path(value: str) -> str:
    """With its math functions taken for their terms."""
    return re.sub(r"(?:calc|min|max)\(([^()]*)\)", r"\1", value)


def _is_on_edge(name: str, parts: Sequence[str]) -> bool:
    """Whether it is turned so that only its edge is seen, or drawn to a line."""
    if name == "rotate3d" and len(parts) == 4 and set(map(_share, parts[:2])) == {0.0, 1.0}:
        name = "rotatex"
    found = _ANGLE.fullmatch(parts[-1]) if name in {"rotatex", "rotatey", "skew", "skewx", "skewy"} else None
    return found is not None and abs(abs(float(found[1]) * _DEGREES[found[2]]) % 180 - 90) < 1.0


def _is_transformed(style: Mapping[str, str], font: float) -> bool:
    """Whether it is made to nothing, turned by its edge, or moved off the page."""
    moves = style.get("translate", "").split()
    scales = [part for part in style.get("scale", "").split() if _NUMBER.match(part)]
    for name, inside in _FUNCTION.findall(_plain_path(style.get("transform", ""))):
        parts = [part.strip() for part in inside.split(",")]
        if name.startswith("scale"):
            scales += parts[:2]
        elif name.startswith("translate"):
            moves += parts
        elif name == "matrix":
            scales += parts[:1]
            moves += parts[4:]
        elif name == "matrix3d":
            scales += parts[:1]
        elif _is_on_edge(name, parts):
            return True
    turned = style.get("rotate", "").split()
    if len(turned) == 2 and turned[0] in {"x", "y"} and _is_on_edge("rotatex", turned[1:]):
        return True
    is_off = any(_is_off(part, FAR_MOVE, font) for part in moves)
    return is_off or any(_share(part) <= CLEAR_BELOW for part in scales)
