"""What a declaration sets: one longhand, or all those of a shorthand, also the ones that it does not name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from integrations.gmail.html.css.colors import is_color
from integrations.gmail.html.css.lengths import NUMBER
from integrations.gmail.html.css.properties import KNOWN, SIDES, WIDE, is_valid
from integrations.gmail.html.css.syntax import layers, words

Pairs = Sequence[tuple[str, str]]
"""Longhands with their values."""

PENDING = "\0"
"""Begins the value of a longhand whose shorthand holds a variable: the shorthand's name and its value follow."""


def longhands(name: str, value: str) -> Pairs:
    """The longhands that a declaration sets; none where a browser drops it, or where it bears on nothing here."""
    names = SHORTHANDS.get(name)
    if names is None:
        return ((name, value),) if name in KNOWN and (_is_pending(value) or is_valid(name, value)) else ()
    if value in WIDE:
        return [(each, value) for each in names]
    if _is_pending(value):
        return [(each, f"{PENDING}{name}{PENDING}{value}") for each in names]
    return _EXPANDED[name](value) or ()


def _is_pending(value: str) -> bool:
    return "var(" in value


def _sides(names: Sequence[str]) -> Callable[[str], Pairs | None]:
    def expanded(value: str) -> Pairs | None:
        given = words(value)
        if not 1 <= len(given) <= len(names):
            return None
        top, right, bottom, left = (given * 4)[:4] if len(given) == 1 else (*given, *given)[:4]
        if len(given) == 3:
            left = right
        chosen = (top, right, bottom, left) if len(names) == 4 else (top, right)
        pairs = list(zip(names, chosen, strict=True))
        return pairs if all(is_valid(each, part) for each, part in pairs) else None

    return expanded


_BACKGROUND = {
    "background-color": "transparent",
    "background-image": "none",
    "background-size": "auto",
    "background-position": "0% 0%",
    "background-repeat": "repeat",
    "background-clip": "border-box",
}
_BOXES = frozenset({"border-box", "padding-box", "content-box", "text"})
_IGNORED = frozenset({"scroll", "fixed", "local"})
_MATH = re.compile(r"(?:calc|min|max|clamp)\(")
_IMAGE = re.compile(r".*(?:gradient|image|image-set|url|cross-fade|element|paint)\(")


def _background(value: str) -> Pairs | None:
    found: dict[str, list[str]] = {name: [] for name in _BACKGROUND}
    given = layers(value)
    for number, layer in enumerate(given):
        if not _read_layer(layer, found, is_last=number == len(given) - 1):
            return None
    return [(name, ", ".join(found[name]) or initial) for name, initial in _BACKGROUND.items()]


def _read_layer(layer: str, found: Mapping[str, list[str]], *, is_last: bool) -> bool:
    """Sort the words of one layer by what they set; False for one that sets nothing."""
    parts: dict[str, list[str]] = {}
    behind = False
    before = ""
    for word in words(layer):
        if word == "/":
            if behind or before != "background-position":
                return False
            behind = True
            continue
        name = "background-size" if behind and _is_size(word) else _kind_of(word)
        if name == "background-color" and (not is_last or name in parts):
            return False
        if not name or (name == "background-image" and name in parts):
            return False
        before = name
        parts.setdefault(name, []).append(word)
    if any(not _is_short(name, given) for name, given in parts.items()):
        return False
    for name, given in parts.items():
        found[name].append(" ".join(given))
    return bool(parts)


_AXES_NAMED = (frozenset({"left", "right"}), frozenset({"top", "bottom"}))


def _is_short(name: str, given: Sequence[str]) -> bool:
    """Whether no part of a layer is said twice."""
    if name == "background-position":
        return len(given) <= 4 and all(
            len(axis.intersection(given)) == sum(w in axis for w in given) <= 1 for axis in _AXES_NAMED
        )
    if name == "background-repeat" and not {"repeat-x", "repeat-y"}.isdisjoint(given):
        return len(given) == 1
    return len(given) <= (3 if name == "background-clip" else 2)


def _is_size(word: str) -> bool:
    return bool(_MATH.match(word)) or bool(is_valid("background-size", word))


def _kind_of(word: str) -> str:
    if word == "none" or _IMAGE.match(word):
        return "background-image"
    if word in _BOXES or word in _IGNORED:
        return "background-clip"
    if _MATH.match(word):
        return "background-position"
    if "(" in word or is_color(word):
        return "background-color"
    return next((name for name in ("background-repeat", "background-position") if is_valid(name, word)), "")


_FONT_WORDS = re.compile(
    rf"normal|italic|oblique|small-caps|bold(?:er)?|lighter|(?:(?:ultra|extra|semi)-)?(?:condensed|expanded)"
    rf"|\d{{1,4}}(?:\.\d+)?|{NUMBER}(?:deg|grad|rad|turn)"
)
_FAMILY = r"""(?:"[^"]*"|'[^']*'|-?[a-z_\u0080-\uffff][\w-]*(?: -?[a-z_\u0080-\uffff][\w-]*)*)"""
_FAMILIES = re.compile(rf"{_FAMILY}(?: ?, ?{_FAMILY})*")
_SYSTEM_FONTS = frozenset({"caption", "icon", "menu", "message-box", "small-caption", "status-bar"})


def _font(value: str) -> Pairs | None:
    if value in _SYSTEM_FONTS:
        return (("font-size", "small"), ("line-height", "normal"))
    rest = words(value)
    before: list[str] = []
    while rest and _FONT_WORDS.fullmatch(rest[0]) and rest[0] != "0":
        before.append(rest.pop(0))
    named = [word for word in before if word != "normal"]
    if not rest or not is_valid("font-size", rest[0]) or len(set(named)) < len(named):
        return None
    size, height = rest.pop(0), "normal"
    if rest[:1] == ["/"]:
        height = rest[1] if len(rest) > 1 else ""
        rest = rest[2:]
    is_whole = _FAMILIES.fullmatch(" ".join(rest)) is not None and is_valid("line-height", height)
    return (("font-size", size), ("line-height", height)) if is_whole else None


def _overflow(value: str) -> Pairs | None:
    given = words(value)
    pairs = list(zip(("overflow-x", "overflow-y"), given * 2, strict=False))
    return pairs if len(given) in {1, 2} and all(is_valid(name, part) for name, part in pairs) else None


_LINES = frozenset({"underline", "overline", "line-through", "blink"})


def _decoration(value: str) -> Pairs:
    """Its lines. Whether its colour and its style are valid is left open."""
    return (("text-decoration-line", " ".join(word for word in words(value) if word in _LINES) or "none"),)


def _as(name: str) -> Callable[[str], Pairs | None]:
    return lambda value: ((name, value),) if value else None


_AXES: Iterable[tuple[str, tuple[str, ...]]] = (
    *((kind, tuple(f"{kind}-{side}" for side in SIDES)) for kind in ("margin", "padding")),
    *((f"{kind}-inline", (f"{kind}-left", f"{kind}-right")) for kind in ("margin", "padding")),
    *((f"{kind}-block", (f"{kind}-top", f"{kind}-bottom")) for kind in ("margin", "padding")),
    ("inset", SIDES),
    ("inset-inline", ("left", "right")),
    ("inset-block", ("top", "bottom")),
)
SHORTHANDS: Mapping[str, Sequence[str]] = {
    **dict(_AXES),
    "background": tuple(_BACKGROUND),
    "font": ("font-size", "line-height"),
    "overflow": ("overflow-x", "overflow-y"),
    "text-decoration": ("text-decoration-line",),
    "mask": ("mask-image",),
    "animation": ("animation-name",),
    "all": tuple(KNOWN),
}
_EXPANDED: Mapping[str, Callable[[str], Pairs | None]] = {
    **{name: _sides(names) for name, names in _AXES},
    "background": _background,
    "font": _font,
    "overflow": _overflow,
    "text-decoration": _decoration,
    "mask": _as("mask-image"),
    "animation": _as("animation-name"),
    "all": lambda _: None,
}
