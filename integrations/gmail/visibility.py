"""Whether anybody sees the text of an element, by its style."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

_NUMBER = re.compile(r"(-?\d*\.?\d+) ?(px|pt|em|rem|ex|ch|%|vw|vh)?")
_FONT = re.compile(r"(?:^|\s)(\d*\.?\d+)(px|pt|em|rem|%)?(?=/|\s|$)")
_SCALE = re.compile(r"scale\w*\(\s*(\d*\.?\d+)")
_RGB = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+(\d*\.?\d+%?))?\s*\)")
_HEX = re.compile(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\Z")
_WHITES = {"white", "snow", "ivory", "ghostwhite", "whitesmoke", "floralwhite", "mintcream", "azure", "seashell"}
_CLIPPED = re.compile(r"rect\(\s*[01](px)?[\s,]+[01](px)?|inset\(\s*(50|100)%|circle\(\s*0|polygon\(\s*0 0\s*,\s*0 0")
WHITE = 0xF0
"""A colour whose every part has at least this cannot be told from white."""
TINY = {"em": 0.15, "rem": 0.15, "ex": 0.3, "ch": 0.3, "%": 15.0, "vw": 0.2, "vh": 0.2}
TINY_PIXELS = 2.0

Ink = Literal["seen", "white", "none"]


def is_hidden(style: Mapping[str, str]) -> bool:
    """Whether an element is not shown with all that it holds."""
    get = style.get
    return (
        get("display") == "none"
        or get("mso-hide") == "all"
        or _at_most(get("opacity"), 0.05, "")
        or "opacity(0" in get("filter", "")
        or _is_folded(style)
        or any(_below(get(name), -199) for name in ("left", "top", "right", "bottom"))
        or _below(get("text-indent"), -99)
        or any(_below(get(name), -499) for name in ("margin-left", "margin-top"))
        or bool(_CLIPPED.search(f"{get('clip', '')} {get('clip-path', '')}"))
        or _is_moved(get("transform", ""))
    )


def _is_folded(style: Mapping[str, str]) -> bool:
    """No height or width, and what stands over is cut."""
    cut = any(style.get(name, "visible") != "visible" for name in ("overflow", "overflow-x", "overflow-y"))
    return cut and any(_at_most(style.get(name), 1.0, "px") for name in ("height", "max-height", "width", "max-width"))


def _is_moved(transform: str) -> bool:
    scale = _SCALE.search(transform)
    return (scale is not None and float(scale[1]) <= 0.05) or bool(re.search(r"translate\w*\([^)]*-\d{3,}", transform))


def is_tiny(style: Mapping[str, str]) -> bool | None:
    """Whether the text is too small to be read; None where the style leaves the size as it is around it."""
    size = _NUMBER.match(style["font-size"]) if "font-size" in style else None
    size = size or _FONT.search(style.get("font", ""))
    if size is None:
        return None
    number, unit = float(size[1]), size[2] or ""
    if unit in {"em", "%", "ex", "ch"} and number > TINY[unit]:
        return None  # a part of what is around it
    return number <= TINY.get(unit, TINY_PIXELS) if unit else number == 0 or ("font-size" in style and number <= 2)


def ink_of(colour: str) -> Ink:
    """Whether text of this colour can be seen on white."""
    if colour == "transparent":
        return "none"
    if colour in _WHITES:
        return "white"
    parts = _parts(colour)
    if parts is None:
        return "seen"
    *rgb, alpha = parts
    return "none" if alpha <= 0.05 else "white" if min(rgb) >= WHITE else "seen"


def _parts(colour: str) -> tuple[float, float, float, float] | None:
    """Red, green, blue of 255, and the opacity."""
    if match := _RGB.fullmatch(colour):
        alpha = match[4] or "1"
        opacity = float(alpha.rstrip("%")) / (100 if alpha.endswith("%") else 1)
        return float(match[1]), float(match[2]), float(match[3]), opacity
    if match := _HEX.match(colour):
        digits = match[1] if len(match[1]) > 4 else "".join(digit * 2 for digit in match[1])
        red, green, blue, alpha = (int(digits.ljust(8, "f")[place : place + 2], 16) for place in (0, 2, 4, 6))
        return red, green, blue, alpha / 255
    return None


def _at_most(value: str | None, most: float, unit: str) -> bool:
    match = _NUMBER.match(value or "")
    if match is None:
        return False
    number = float(match[1])
    return number == 0 or ((match[2] or unit) in {unit, "pt"} and 0 < number <= most)


def _below(value: str | None, limit: float) -> bool:
    match = _NUMBER.match(value or "")
    if match is None:
        return False
    pixels = float(match[1]) * {"em": 16, "rem": 16, "%": 2, "vw": 5, "vh": 5}.get(match[2] or "px", 1)
    return pixels <= limit
