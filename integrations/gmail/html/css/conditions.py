"""Whether a part of a style sheet applies: media queries and `@supports`, for the screen of a computer.

The answer is None where it cannot be told, or where usual screens differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from integrations.gmail.html.css.lengths import Scale
from integrations.gmail.html.css.properties import KNOWN, plain_name
from integrations.gmail.html.css.selectors import is_known
from integrations.gmail.html.css.shorthands import SHORTHANDS, longhands
from integrations.gmail.html.css.syntax import layers, plain_value

Answer = bool | None


class Garbage:
    """What a browser does not understand."""


_GARBAGE = Garbage()
SCREENS = ((1_024.0, 768.0), (1_920.0, 1_080.0))
"""The width and height of windows between which people's computers lie, in pixels."""
DEPTH = 12

_WORD = re.compile(r"\s*(?:([a-z-]*\()|([^\s()]+)|(\)))")
_FEATURE = re.compile(r"(?:(min|max)-)?([a-z-]+?)\s*(?:([:=]|[<>]=?)\s*(.+))?")
_RANGE = re.compile(r"(.+?)\s*([<>]=?)\s*([a-z-]+)\s*([<>]=?)\s*(.+)")
_TURNED_ROUND = re.compile(r"([^a-z(][^<>=]*?|[a-z]+\(.*\))\s*([<>]=?|=)\s*([a-z-]+)")
_OPPOSITE = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}
_VALUES = {
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
    "prefers-contrast": "no-preference",
    "forced-colors": "none",
    "inverted-colors": "none",
    "orientation": "landscape",
    "hover": "hover",
    "any-hover": "hover",
    "pointer": "fine",
    "any-pointer": "fine",
    "scripting": "none",
    "update": "fast",
    "display-mode": "browser",
    "overflow-block": "scroll",
    "overflow-inline": "scroll",
    "scan": "progressive",
}
_LOCAL = frozenset(
    {
        *("dynamic-range", "video-dynamic-range", "color-gamut", "prefers-reduced-transparency"),
        *("prefers-reduced-data",),
        *("device-posture", "-webkit-transform-3d", "-webkit-animation", "-webkit-transition", "navigation-controls"),
        *("horizontal-viewport-segments", "vertical-viewport-segments", "display-state", "resizable", "shape"),
    }
)
"""Some browsers know them, and their values differ."""
_NUMBERS = {"color": 8.0, "monochrome": 0.0, "grid": 0.0, "color-index": 0.0}
_RATIOS = frozenset({"aspect-ratio", "device-aspect-ratio"})
_DENSITIES = {"resolution", "-webkit-device-pixel-ratio"}
_PER_DOT = {"dppx": 1.0, "x": 1.0, "dpi": 96.0, "dpcm": 37.8, "": 1.0}
_DENSITY = re.compile(r"([+-]?[\d.]+)(dppx|x|dpi|dpcm)?")


def media(condition: str) -> Answer:
    """Of a list of media queries: whether one of them holds. An empty list holds."""
    text = plain_value(condition)
    return _any([_query(each) for each in layers(text)]) if text else True


def supports(condition: str) -> Answer:
    """Of an `@supports`."""
    return _Condition(plain_value(condition), _supported).answer()


def negated(answer: Answer) -> Answer:
    """The opposite; what cannot be told stays so."""
    return None if answer is None else not answer


def both(one: Answer, other: Answer) -> Answer:
    """Whether both hold."""
    return False if one is False or other is False else None if one is None or other is None else True


def _any(answers: list[Answer]) -> Answer:
    return True if True in answers else None if None in answers else False


def _query(text: str) -> Answer:
    found = re.match(r"(?:(not|only)\s+)?([a-z-]+)\b(?!\s*\()(?:\s+and\s+(.+))?$", text)
    if found is None or found[2] == "not":
        return _Condition(text, _feature).answer()
    holds: Answer = found[2] in {"all", "screen"}
    if found[3]:
        holds = both(holds, _Condition(found[3], _feature).answer())
    return negated(holds) if found[1] == "not" else holds


class _Condition:
    """Terms in parentheses, joined by `and`, `or` and `not`; `term` answers for one of them.

    What a browser does not understand is neither true nor false, and a condition that depends on it does not hold.
    """

    def __init__(self, text: str, term: Callable[[str, str], Answer | Garbage]) -> None:
        self._text = text
        self._term = term
        self._garbage: bool | None = None

    def answer(self) -> Answer:
        answer = self._joined(self._text, DEPTH)
        if self._garbage is None:
            return answer
        self._garbage = not self._garbage
        return answer if self._joined(self._text, DEPTH) == answer else False

    def _joined(self, text: str, depth: int) -> Answer:
        answer: Answer = None
        join, turned = "", False
        for word, name, inside in _terms(text):
            if word in {"and", "or"}:
                join = word
            elif word == "not":
                turned = not turned
            elif word or depth <= 0:
                return self._single("", "", 0) if word else None
            else:
                holds = self._single(name, inside, depth - 1)
                holds = negated(holds) if turned else holds
                answer = holds if not join else both(answer, holds) if join == "and" else _any([answer, holds])
                turned = False
        return answer

    def _single(self, name: str, inside: str, depth: int) -> Answer:
        if not name and (inside.startswith(("(", "not ", "not(")) or re.match(r"[a-z-]+\(.*\)\s*(?:$|and|or)", inside)):
            return self._joined(inside, depth)
        holds = self._term(name, inside)
        if not isinstance(holds, Garbage):
            return holds
        if self._garbage is None:
            self._garbage = True
        return self._garbage


def _terms(text: str) -> list[tuple[str, str, str]]:
    """Words, and what stands in parentheses with the function's name before them."""
    found: list[tuple[str, str, str]] = []
    depth, start, name = 0, 0, ""
    for mark in _WORD.finditer(text):
        if mark[1]:
            if depth == 0:
                name, start = mark[1][:-1], mark.end()
                if name in {"not", "and", "or"}:
                    found.append((name, "", ""))
                    name = ""
            depth += 1
        elif mark[3]:
            depth -= 1
            if depth == 0:
                found.append(("", name, text[start : mark.end() - 1].strip()))
        elif depth == 0:
            found.append((mark[2], "", ""))
    return found


def _supported(name: str, inside: str) -> Answer:
    if name == "selector":
        return is_known(inside)
    if name:
        return None
    prop, colon, value = inside.partition(":")
    plain, is_usual = plain_name(prop.strip())
    if not colon or not is_usual or (plain not in KNOWN and plain not in SHORTHANDS):
        return None
    return bool(longhands(plain, value.strip())) if "(" not in value else None


def _feature(name: str, inside: str) -> Answer | Garbage:
    if name:
        return _GARBAGE
    if between := _RANGE.fullmatch(inside):
        low, first, prop, second, high = between.groups()
        ends = _compared(prop, _OPPOSITE[first], low), _compared(prop, second, high)
        return _GARBAGE if isinstance(ends[0], Garbage) or isinstance(ends[1], Garbage) else both(ends[0], ends[1])
    if turned := _TURNED_ROUND.fullmatch(inside):
        return _compared(turned[3], _OPPOSITE[turned[2]], turned[1])
    inside = inside.replace("-webkit-min-", "min--webkit-").replace("-webkit-max-", "max--webkit-")
    found = _FEATURE.fullmatch(inside)
    if found is None:
        return _GARBAGE
    limit, prop, how, value = found.groups()
    if how is None:
        return _compared(prop, ">", "0") if prop not in _VALUES else _VALUES[prop] not in {"none", "no-preference"}
    return _compared(prop, {"min": ">=", "max": "<="}.get(limit, "=" if how == ":" else how), value)


def _compared(prop: str, how: str, value: str) -> Answer | Garbage:
    if prop in _VALUES:
        return _VALUES[prop] == value if how == "=" else _GARBAGE
    here = _here(prop)
    if here is None:
        return None if prop in _LOCAL else _GARBAGE
    wanted = _amount(prop, value)
    if wanted is None:
        return None if "(" in value else _GARBAGE
    answers = {_holds(each, how, wanted) for each in here}
    return answers.pop() if len(answers) == 1 else None


def _holds(here: float, how: str, wanted: float) -> bool:
    match how:
        case "<":
            return here < wanted
        case "<=":
            return here <= wanted
        case ">":
            return here > wanted
        case ">=":
            return here >= wanted
        case _:
            return here == wanted


def _here(prop: str) -> tuple[float, ...] | None:
    plain = prop.removeprefix("device-")
    if plain in {"width", "height"}:
        return tuple(screen[plain == "height"] for screen in SCREENS)
    if prop in _RATIOS:
        return tuple(width / height for width, height in SCREENS)
    if prop in _DENSITIES:
        return 1.0, 2.0
    return (_NUMBERS[prop],) if prop in _NUMBERS else None


def _amount(prop: str, value: str) -> float | None:
    if prop in _RATIOS:
        over, slash, under = value.partition("/")
        top, bottom = Scale().pixels(over.strip()), Scale().pixels(under.strip()) if slash else 1.0
        return None if top is None or not bottom else top / bottom
    if prop in _DENSITIES:
        found = _DENSITY.fullmatch(value)
        return float(found[1]) / _PER_DOT[found[2] or ""] if found and found[1].count(".") < 2 else None
    number = Scale().pixels(value)
    is_length = prop not in _NUMBERS
    return number if number is None or "(" in value or not number or value[-1].isalpha() == is_length else None
