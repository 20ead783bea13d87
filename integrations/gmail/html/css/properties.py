"""The longhands that bear on what is painted, with the values that a browser keeps.

It drops a declaration whose value it does not know, and the one before stays in force. A value with a function is kept
here: whether it is known is seen where it is worked out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from integrations.gmail.html.css.colors import is_color
from integrations.gmail.html.css.doubts import HARMLESS
from integrations.gmail.html.css.lengths import NUMBER, UNITS

WIDE = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
_LENGTH = rf"{NUMBER}(?:{UNITS}|%)|[+-]?0+(?:\.0+)?"
_POSITIVE = rf"\+?(?!-)(?:{_LENGTH})"
_SIZE = rf"auto|none|(?:min|max|fit)-content|stretch|-webkit-fill-available|-moz-available|{_POSITIVE}"
_OUTSIDE = "block|inline|run-in"
_INSIDE = "flow|flow-root|table|flex|grid|ruby|math"
_DISPLAY = (
    rf"none|contents|(?:{_OUTSIDE})(?: (?:{_INSIDE}))?(?: list-item)?|(?:{_INSIDE})(?: (?:{_OUTSIDE}))?"
    rf"|list-item(?: (?:{_OUTSIDE}))?(?: flow(?:-root)?)?|inline-(?:block|table|flex|grid)"
    r"|ruby-(?:base|text)(?:-container)?"
    r"|table-(?:row|cell|column|caption|row-group|column-group|header-group|footer-group)|-webkit-(?:inline-)?(?:box|flex)"
)
_MARGIN = rf"auto|{_LENGTH}"
SIDES = ("top", "right", "bottom", "left")
_POSITIONS = rf"(?:(?:left|right|top|bottom|center|{_LENGTH})\s*,?\s*)+"


def _keywords(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern).fullmatch


_GRAMMAR: Mapping[str, Callable[[str], object]] = {
    "display": _keywords(_DISPLAY),
    "visibility": _keywords("visible|hidden|collapse"),
    "content-visibility": _keywords("visible|auto|hidden"),
    "position": _keywords("static|relative|absolute|fixed|sticky|-webkit-sticky"),
    "opacity": _keywords(rf"{NUMBER}%?"),
    "zoom": _keywords(rf"normal|reset|\+?(?!-){NUMBER}%?"),
    **dict.fromkeys(("color", "background-color", "-webkit-text-fill-color"), is_color),
    **dict.fromkeys(SIDES, _keywords(_MARGIN)),
    **dict.fromkeys((f"margin-{side}" for side in SIDES), _keywords(_MARGIN)),
    **dict.fromkeys((f"padding-{side}" for side in SIDES), _keywords(_POSITIVE)),
    **dict.fromkeys(
        (f"{most}{size}" for most in ("", "max-", "min-") for size in ("height", "width")), _keywords(_SIZE)
    ),
    **dict.fromkeys(("overflow-x", "overflow-y"), _keywords("visible|hidden|clip|scroll|auto|overlay")),
    "font-size": _keywords(rf"(?:xx?-)?(?:small|large)|xxx-large|medium|smaller|larger|math|{_POSITIVE}"),
    "line-height": _keywords(rf"normal|{_POSITIVE}|\+?(?!-){NUMBER}"),
    "text-indent": _keywords(rf"(?:{_LENGTH})(?: hanging)?(?: each-line)?"),
    "text-decoration-line": _keywords(r"none|(?:(?:underline|overline|line-through|blink) ?)+"),
    "letter-spacing": _keywords(rf"normal|{_LENGTH}"),
    "vertical-align": _keywords(rf"baseline|sub|super|(?:text-)?(?:top|bottom)|middle|-webkit-.*|{_LENGTH}"),
    "float": _keywords("none|left|right|inline-start|inline-end"),
    "box-sizing": _keywords("content-box|border-box"),
    "contain": _keywords(r"none|strict|content|(?:(?:size|inline-size|layout|style|paint) ?)+"),
    "background-image": _keywords("none"),
    "background-size": _keywords(rf"(?:(?:cover|contain|auto|{_POSITIVE})\s*,?\s*)+"),
    "background-position": _keywords(_POSITIONS),
    "background-repeat": _keywords(r"(?:(?:(?:no-)?repeat|repeat-[xy]|space|round)\s*,?\s*)+"),
    "background-clip": _keywords(r"(?:(?:border-box|padding-box|content-box|text|border-area)\s*,?\s*)+"),
    "clip": _keywords("auto"),
    "clip-path": _keywords("none|(?:border|padding|content|margin|fill|stroke|view)-box"),
    "transform": _keywords("none"),
    "transform-origin": _keywords(rf"(?:(?:left|right|top|bottom|center|{_LENGTH}) ?)+"),
    "backface-visibility": _keywords("visible|hidden"),
    "translate": _keywords(rf"none|(?:{_LENGTH})(?: (?:{_LENGTH})){{0,2}}"),
    "scale": _keywords(rf"none|{NUMBER}%?(?: {NUMBER}%?){{0,2}}"),
    "rotate": _keywords(rf"none|(?:[xyz] |(?:{NUMBER} ){{3}})?{NUMBER}(?:deg|grad|rad|turn)(?: [xyz])?"),
    "filter": _keywords("none"),
    "aspect-ratio": _keywords(rf"auto|(?:auto )?{NUMBER}(?: ?/ ?{NUMBER})?"),
    "-webkit-line-clamp": _keywords(r"none|\d+"),
    "white-space": _keywords(r"(?:normal|nowrap|pre|pre-wrap|pre-line|break-spaces|collapse|preserve|wrap|\s)+"),
    "white-space-collapse": _keywords("collapse|preserve|preserve-breaks|preserve-spaces|break-spaces"),
    **dict.fromkeys(("text-wrap", "text-wrap-mode"), _keywords("(?:wrap|nowrap|balance|pretty|stable|auto|\\s)+")),
    "table-layout": _keywords("auto|fixed"),
    "flex-direction": _keywords("(?:row|column)(?:-reverse)?"),
    "flex-wrap": _keywords("nowrap|wrap|wrap-reverse"),
    "flex-flow": _keywords(r"(?:(?:row|column)(?:-reverse)?|nowrap|wrap|wrap-reverse|\s)+"),
    "flex": _keywords(".*"),
    "flex-grow": _keywords(NUMBER),
    "flex-basis": _keywords(_SIZE),
    "z-index": _keywords(r"auto|[+-]?\d+"),
    "box-shadow": _keywords(".*"),
    **dict.fromkeys(HARMLESS, bool),
}
KNOWN = frozenset(_GRAMMAR)
GENERATED = "::box"
"""Not set by mails: what an element has before or after its content, `BOX` or `COVER`."""
BOX, COVER = "box", "cover"

_WEBKIT = frozenset(
    {
        *("transform", "transform-origin", "backface-visibility", "perspective", "filter", "clip-path", "mask"),
        *("mask-image", "animation", "animation-name", "box-sizing", "background-size", "background-clip", "opacity"),
        *("box-shadow",),
    }
)
"""What browsers take with `-webkit-` too."""
_OWN = frozenset(
    {
        *("-webkit-text-fill-color", "-webkit-text-stroke", "-webkit-text-security", "-webkit-mask-box-image"),
        *("-webkit-line-clamp",),
    }
)
"""What has no other name."""
_PREFIX = re.compile(r"-(webkit|moz|ms|o|khtml)-")
_LOGICAL = {
    **{
        f"{most}{side}-size": f"{most}{plain}"
        for most in ("", "max-", "min-")
        for side, plain in (("block", "height"), ("inline", "width"))
    },
    **{
        f"{kind}-{axis}-{end}": f"{kind}-{side}"
        for kind in ("margin", "padding")
        for axis, end, side in (
            *(("inline", "start", "left"), ("inline", "end", "right")),
            *(("block", "start", "top"), ("block", "end", "bottom")),
        )
    },
    **{
        "inset-inline-start": "left",
        "inset-inline-end": "right",
        "inset-block-start": "top",
        "inset-block-end": "bottom",
    },
    **{
        f"-webkit-{kind}-{end}": f"{kind}-{side}"
        for kind in ("margin", "padding")
        for end, side in (("start", "left"), ("end", "right"))
    },
}


def plain_name(name: str) -> tuple[str, bool]:
    """A property by its usual name; whether every browser takes it by the name that it has."""
    if name in _LOGICAL:
        return _LOGICAL[name], True
    prefix = None if name in _OWN or name.startswith("--") else _PREFIX.match(name)
    if prefix is None:
        return name, True
    plain = name[prefix.end() :]
    return _LOGICAL.get(plain, plain), prefix[1] == "webkit" and plain in _WEBKIT


def is_valid(name: str, value: str) -> bool:
    """Whether a browser keeps this value of a longhand."""
    return value in WIDE or (")" in value and "(" in value) or bool(_GRAMMAR[name](value))
