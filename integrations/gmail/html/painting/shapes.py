"""How much of a text a clip leaves, tried at points of a box in the size of a line (CSS Masking, CSS Shapes)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from integrations.gmail.html.css.lengths import Scale, Unclear
from integrations.gmail.html.css.syntax import layers, words

WIDTH, HEIGHT = 200.0, 20.0
ENOUGH = 0.4
"""The part that must be left of the box, and of its left end, where a text begins."""

Inside = Callable[[float, float], bool]
_POINTS = [(WIDTH * (x + 0.5) / 20, HEIGHT * (y + 0.5) / 10) for x in range(20) for y in range(10)]
_BEGINNING = [point for point in _POINTS if point[0] < WIDTH * 0.3]
_FUNCTION = re.compile(r"([a-z]+)\((.*)\)", re.S)
_SHORT = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 3: (0, 1, 2, 1), 4: (0, 1, 2, 3)}
_MOST_CORNERS = 50
_CENTRE = {"left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"}


def leaves_enough(clip_path: str, clip: str, font: Scale) -> bool:
    """Of a `clip-path`, and of the older `clip`; raises `Unclear` for a shape that is not known here."""
    shapes = [_shape(text, font) for text in words(clip_path) if "(" in text]
    if "(" in clip:
        shapes.append(_rectangle(_lengths(re.split(r"[\s,]+", clip[clip.index("(") + 1 : -1].strip()), font), font))
    return not shapes or all(
        sum(all(inside(*point) for inside in shapes) for point in points) >= ENOUGH * len(points)
        for points in (_POINTS, _BEGINNING)
    )


def _shape(text: str, font: Scale) -> Inside:
    found = _FUNCTION.fullmatch(text)
    name = found[1] if found else ""
    parts = words(found[2].partition(" round ")[0]) if found else []
    match name:
        case "inset":
            top, right, bottom, left = _ends(_four(parts), font)
            return _box(top, WIDTH - right, HEIGHT - bottom, left)
        case "rect":
            return _rectangle(_lengths(parts, font), font)
        case "xywh":
            y, width, height, x = _ends([parts[n] for n in (1, 2, 3, 0)] if len(parts) == 4 else (), font)
            return _box(y, x + width, y + height, x)
        case "circle" | "ellipse":
            return _ellipse(name, parts, font)
        case "polygon":
            return _polygon(found[2] if found else "", font)
        case _:
            raise Unclear(text)


def _just(parts: Sequence[str], count: int) -> Sequence[str]:
    if len(parts) != count:
        raise Unclear
    return parts


def _four(parts: Sequence[str]) -> Sequence[str]:
    """Top, right, bottom and left, where the shorter forms leave out what is alike."""
    if not 1 <= len(parts) <= 4:
        raise Unclear
    return [parts[n] for n in _SHORT[len(parts)]]


def _at(text: str, whole: float, font: Scale) -> float:
    length = Scale(font.font, font.root, whole).pixels(text)
    if length is None:
        raise Unclear(text)
    return length


def _lengths(parts: Sequence[str], font: Scale) -> Sequence[str]:
    """Top, right, bottom and left of an older rectangle, whose ends may be `auto`."""
    ends = ("0%", "100%", "100%", "0%")
    return [end if part == "auto" else part for part, end in zip(_just(parts, 4), ends, strict=True)]


def _rectangle(parts: Sequence[str], font: Scale) -> Inside:
    return _box(*_ends(parts, font))


def _ends(parts: Sequence[str], font: Scale) -> tuple[float, float, float, float]:
    """Four lengths: down, across, down, across."""
    one, two, three, four = (
        _at(part, whole, font) for part, whole in zip(_just(parts, 4), (HEIGHT, WIDTH) * 2, strict=True)
    )
    return one, two, three, four


def _box(top: float, right: float, bottom: float, left: float) -> Inside:
    return lambda x, y: left <= x <= right and top <= y <= bottom


def _ellipse(name: str, parts: Sequence[str], font: Scale) -> Inside:
    where = parts.index("at") if "at" in parts else len(parts)
    radii, centre = list(parts[:where]), [_CENTRE.get(part, part) for part in parts[where + 1 :]]
    x, y = (*centre, "50%")[:2] if centre else ("50%", "50%")
    if centre and parts[where + 1] in {"top", "bottom"}:
        x, y = y, x
    middle = _at(x, WIDTH, font), _at(y, HEIGHT, font)
    radii = [*radii, "closest-side", "closest-side"]
    if name == "circle":
        across = down = _radius(radii[0], math.hypot(WIDTH, HEIGHT) / math.sqrt(2), font)
    else:
        across, down = _radius(radii[0], WIDTH, font), _radius(radii[1], HEIGHT, font)
    if across <= 0 or down <= 0:
        return lambda x, y: False
    return lambda x, y: ((x - middle[0]) / across) ** 2 + ((y - middle[1]) / down) ** 2 <= 1


def _radius(text: str, whole: float, font: Scale) -> float:
    return whole / 2 if text in {"closest-side", "farthest-side"} else _at(text, whole, font)


def _polygon(text: str, font: Scale) -> Inside:
    corners: list[tuple[float, float]] = []
    for part in layers(text):
        if part not in {"nonzero", "evenodd"}:
            x, y = _just(words(part), 2)
            corners.append((_at(x, WIDTH, font), _at(y, HEIGHT, font)))
    if len(corners) > _MOST_CORNERS:
        raise Unclear
    edges = list(zip(corners, corners[1:] + corners[:1], strict=True))

    def inside(x: float, y: float) -> bool:
        crossed = sum(
            (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1 for (x1, y1), (x2, y2) in edges
        )
        return crossed % 2 == 1

    return inside
