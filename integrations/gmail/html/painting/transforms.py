"""Where transforms move a text, and how small they make it (CSS Transforms Level 2)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from integrations.gmail.html.css.lengths import VIEWPORT, Scale, Unclear, degrees
from integrations.gmail.html.css.syntax import layers, words

Row = tuple[float, float, float]
Matrix = tuple[Row, Row, Row]

OWN_SIZE = 200.0
"""What a percentage is one of, in pixels: nobody knows here how large the text is."""
FAR_ORIGIN = 300.0
FLAT = 1e-6

_FUNCTION = re.compile(r"([a-z0-9]+)\((.*)\)", re.S)
_NONE: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
_AXES = {"x": 0, "y": 1, "z": 2}


@dataclass(frozen=True, slots=True)
class Transform:
    """Turning, scaling and skewing as a matrix, and a move in pixels."""

    matrix: Matrix = _NONE
    x: float = 0.0
    y: float = 0.0

    def then(self, inner: Transform) -> Transform:
        """Both, this one outside."""
        one = self.matrix
        above, middle, below = (_times(row, inner.matrix) for row in one)
        move = (inner.x, inner.y, 0.0)
        x, y = (sum(row[n] * move[n] for n in range(3)) for row in one[:2])
        return Transform((above, middle, below), self.x + x, self.y + y)

    def about(self, middle: float) -> Transform:
        """The same about a point so far to the right of where a text begins."""
        return replace(self, x=self.x + middle * (1 - self.matrix[0][0]), y=self.y - middle * self.matrix[1][0])

    @property
    def size(self) -> float:
        """How large what was 1 is at least, in the direction in which it became smallest."""
        (a, c, _), (b, d, _), _ = self.matrix
        if abs(_volume(self.matrix)) < FLAT:
            return 0.0
        squares, area = a * a + b * b + c * c + d * d, a * d - b * c
        return math.sqrt(max(0.0, squares - math.sqrt(max(0.0, squares * squares - 4 * area * area))) / 2)

    @property
    def shows_back(self) -> bool:
        """Whether its back is turned to the reader."""
        return self.matrix[2][2] < 0


def transform_of(translate: str, rotate: str, scale: str, functions: str, measure: Scale) -> Transform:
    """The four properties together; raises `Unclear`."""
    found = Transform()
    if translate not in {"", "none"}:
        found = found.then(_moved(words(translate), measure))
    if rotate not in {"", "none"}:
        found = found.then(_rotated(words(rotate)))
    if scale not in {"", "none"}:
        found = found.then(_scaled(words(scale)))
    if functions not in {"", "none"}:
        for function in words(functions):
            found = found.then(_function(function, measure))
    return found


def refuse_far_origin(origin: str, measure: Scale) -> None:
    """Raise `Unclear` for a transform about a far point: it moves the text."""
    for word in words(origin):
        if abs(measure.surely(word)) > FAR_ORIGIN:
            raise Unclear(origin)


def _times(row: Row, matrix: Matrix) -> Row:
    """A row of the product."""
    a, b, c = (sum(row[n] * matrix[n][column] for n in range(3)) for column in range(3))
    return a, b, c


def _volume(matrix: Matrix) -> float:
    (a, b, c), (d, e, f), (g, h, i) = matrix
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def _function(text: str, measure: Scale) -> Transform:
    found = _FUNCTION.fullmatch(text)
    if found is None:
        raise Unclear(text)
    name, parts = found[1], layers(found[2])
    if name in {"translate", "translate3d"}:
        return _moved(parts, measure)
    if name in {"translatex", "translatey", "translatez"}:
        return _moved(["0"] * _AXES[name[-1]] + parts, measure)
    if name in {"scale", "scale3d"}:
        return _scaled(parts)
    if name in {"scalex", "scaley", "scalez"}:
        return _scaled([*["1"] * _AXES[name[-1]], parts[0], "1", "1"][:3])
    if name in {"rotate", "rotatex", "rotatey", "rotatez"}:
        return _rotated([name[6:] or "z", *parts])
    if name == "rotate3d":
        return _rotated(parts)
    if name in {"skew", "skewx", "skewy"}:
        return _skewed(["0", *parts] if name == "skewy" else parts)
    if name in {"matrix", "matrix3d"}:
        return _given([_number(part) for part in parts])
    raise Unclear(text)


def _number(text: str) -> float:
    """A number, also below 0."""
    number = Scale(whole=1.0).pixels(text)
    if number is None:
        raise Unclear(text)
    return number


def _moved(parts: Sequence[str], measure: Scale) -> Transform:
    own = Scale(measure.font, measure.root, OWN_SIZE)
    x, y, z = ([own.surely(part) for part in parts[:3]] + [0.0, 0.0])[:3]
    if abs(z) > VIEWPORT["width"]:
        raise Unclear
    return Transform(x=x, y=y)


def _scaled(parts: Sequence[str]) -> Transform:
    factors = [_number(part) for part in parts[:3]]
    x, y, z = [*factors, *factors, 1.0] if len(factors) == 1 else [*factors, 1.0][:3]
    return Transform(((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z)))


def _rotated(parts: Sequence[str]) -> Transform:
    angle = next((part for part in parts if part[-1:].isalpha() and part not in _AXES), parts[-1])
    turn = math.radians(degrees(angle))
    rest = [part for part in parts if part != angle]
    if len(rest) >= 3:
        axis = [_number(part) for part in rest[:3]]
    else:
        named = rest[0] if rest else "z"
        axis = [float(named == each) for each in "xyz"]
    length = math.hypot(*axis)
    if not length:
        return Transform()
    x, y, z = (part / length for part in axis)
    cos, sin = math.cos(turn), math.sin(turn)
    rest_of = 1 - cos
    return Transform(
        (
            (cos + x * x * rest_of, x * y * rest_of - z * sin, x * z * rest_of + y * sin),
            (y * x * rest_of + z * sin, cos + y * y * rest_of, y * z * rest_of - x * sin),
            (z * x * rest_of - y * sin, z * y * rest_of + x * sin, cos + z * z * rest_of),
        )
    )


def _skewed(parts: Sequence[str]) -> Transform:
    x, y = ([math.tan(math.radians(degrees(part))) for part in parts[:2]] + [0.0])[:2]
    return Transform(((1.0, x, 0.0), (y, 1.0, 0.0), (0.0, 0.0, 1.0)))


def _given(n: Sequence[float]) -> Transform:
    if len(n) == 6:
        return Transform(((n[0], n[2], 0.0), (n[1], n[3], 0.0), (0.0, 0.0, 1.0)), n[4], n[5])
    if len(n) != 16 or any(n[at] for at in (3, 7, 11)) or n[15] != 1:
        raise Unclear
    return Transform(((n[0], n[4], n[8]), (n[1], n[5], n[9]), (n[2], n[6], n[10])), n[12], n[13])
