"""Values with functions that every browser surely keeps; of others it is not known here whether they are valid."""

from __future__ import annotations

import re

from integrations.gmail.html.css.lengths import NUMBER, UNITS, Scale
from integrations.gmail.html.css.syntax import layers, words

_N, _P, _L, _A = NUMBER, rf"{NUMBER}%", rf"(?:{NUMBER}(?:{UNITS}|%)|0)", rf"(?:{NUMBER}(?:deg|grad|rad|turn)|0)"
_ALPHA = rf"{_N}%?"
_COLOR = re.compile(
    rf"rgba?\((?:{_N}, ?{_N}, ?{_N}|{_P}, ?{_P}, ?{_P})(?:, ?{_ALPHA})?\)"
    rf"|rgba?\((?:{_N} {_N} {_N}|{_P} {_P} {_P})(?: ?/ ?{_ALPHA})?\)"
    rf"|hsla?\({_N}(?:deg)?, ?{_P}, ?{_P}(?:, ?{_ALPHA})?\)|hsla?\({_N}(?:deg)? {_P} {_P}(?: ?/ ?{_ALPHA})?\)"
    rf"|hwb\({_N}(?:deg)? {_P} {_P}(?: ?/ ?{_ALPHA})?\)"
    rf"|(?:ok)?(?:lab|lch)\({_N}%? {_N}%? {_N}(?: ?/ ?{_ALPHA})?\)"
)
_MOVE = re.compile(
    rf"translate\({_L}(?:, ?{_L})?\)|translate[xyz]\({_L}\)|translate3d\({_L}, ?{_L}, ?{_L}\)"
    rf"|scale\({_N}(?:, ?{_N})?\)|scale[xyz]\({_N}\)|scale3d\({_N}, ?{_N}, ?{_N}\)|rotate[xyz]?\({_A}\)"
    rf"|skew\({_A}(?:, ?{_A})?\)|skew[xy]\({_A}\)|matrix\({_N}(?:, ?{_N}){{5}}\)"
)
_OTHER = re.compile(
    rf"url\(.*\)|(?:opacity|brightness|contrast)\((?!-){_ALPHA}\)|blur\((?!-){_L}\)|inset\({_L}(?: {_L}){{0,3}}\)"
    rf"|circle\({_L}(?: at {_L} {_L})?\)|polygon\({_L} {_L}(?:, ?{_L} {_L})*\)|rect\((?:{_L},? ?){{3}}{_L}\)"
)
_GRADIENT = re.compile(r"(-webkit-)?(?:repeating-)?linear-gradient\((.*)\)")
_ANGLE = re.compile(rf"{NUMBER}(?:deg|grad|rad|turn)")
_SIDE = re.compile(r"(to )?(?:(?:left|right)(?: (?:top|bottom))?|(?:top|bottom)(?: (?:left|right))?)")
_WORD = re.compile(r"#[0-9a-f]{3,8}|[a-z]+")
_PLACE = re.compile(_L)


def is_surely_valid(value: str) -> bool:
    """Whether each function of a value is one that every browser knows, with what belongs in it."""
    if "(" not in value:
        return True
    parts = (word for layer in layers(value) for word in words(layer) if "(" in word)
    return all(_is_sure(word) for word in parts)


def _is_sure(word: str) -> bool:
    if any(pattern.fullmatch(word) for pattern in (_COLOR, _MOVE, _OTHER)):
        return True
    gradient = _GRADIENT.fullmatch(word)
    if gradient is None:
        return Scale().pixels(word) is not None
    first, *stops = layers(gradient[2])
    side = _SIDE.fullmatch(first)
    if side is not None and bool(side[1]) == bool(gradient[1]):
        return False
    if side is None and not _ANGLE.fullmatch(first):
        stops = [first, *stops]
    return len(stops) > 1 and all(map(_is_stop, stops))


def _is_stop(text: str) -> bool:
    color, *places = words(text) or [""]
    is_color = (_COLOR if "(" in color else _WORD).fullmatch(color) is not None
    return is_color and len(places) < 3 and all(map(_PLACE.fullmatch, places))
