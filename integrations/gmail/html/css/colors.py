"""Colours of CSS as red, green, blue (0 to 255) and opacity (0 to 1) (CSS Color Level 4)."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Sequence
from functools import lru_cache

from integrations.gmail.html.css.color_spaces import WHOLES, Triple, srgb
from integrations.gmail.html.css.lengths import NUMBER, Scale
from integrations.gmail.html.css.math import worked_out
from integrations.gmail.html.css.syntax import layers, words

Color = tuple[float, float, float, float]

WHITE: Color = (255.0, 255.0, 255.0, 1.0)
BLACK: Color = (0.0, 0.0, 0.0, 1.0)
CLEAR: Color = (0.0, 0.0, 0.0, 0.0)
ALIKE = 15.0
"""Colours whose parts differ by no more than this cannot be told apart."""

_HEX = re.compile(r"#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_FUNCTION = re.compile(r"(rgb|hsl|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark)a?\((.*)\)")
_NUMBER = re.compile(rf"({NUMBER})(%|deg|turn|rad|grad)?|none")
_SHARE = re.compile(r"(.*?)\s*([\d.]+)%")
_MOST = 10_000.0
_TURNS = {"turn": 1.0, "rad": 0.159155, "grad": 1 / 400}
_NAMED = """
aliceblue:f0f8ff antiquewhite:faebd7 aqua:00ffff aquamarine:7fffd4 azure:f0ffff beige:f5f5dc bisque:ffe4c4
black:000000 blanchedalmond:ffebcd blue:0000ff blueviolet:8a2be2 brown:a52a2a burlywood:deb887 cadetblue:5f9ea0
chartreuse:7fff00 chocolate:d2691e coral:ff7f50 cornflowerblue:6495ed cornsilk:fff8dc crimson:dc143c cyan:00ffff
darkblue:00008b darkcyan:008b8b darkgoldenrod:b8860b darkgray:a9a9a9 darkgreen:006400 darkgrey:a9a9a9 darkkhaki:bdb76b
darkmagenta:8b008b darkolivegreen:556b2f darkorange:ff8c00 darkorchid:9932cc darkred:8b0000 darksalmon:e9967a
darkseagreen:8fbc8f darkslateblue:483d8b darkslategray:2f4f4f darkslategrey:2f4f4f darkturquoise:00ced1
darkviolet:9400d3 deeppink:ff1493 deepskyblue:00bfff dimgray:696969 dimgrey:696969 dodgerblue:1e90ff firebrick:b22222
floralwhite:fffaf0 forestgreen:228b22 fuchsia:ff00ff gainsboro:dcdcdc ghostwhite:f8f8ff gold:ffd700 goldenrod:daa520
gray:808080 green:008000 greenyellow:adff2f grey:808080 honeydew:f0fff0 hotpink:ff69b4 indianred:cd5c5c indigo:4b0082
ivory:fffff0 khaki:f0e68c lavender:e6e6fa lavenderblush:fff0f5 lawngreen:7cfc00 lemonchiffon:fffacd lightblue:add8e6
lightcoral:f08080 lightcyan:e0ffff lightgoldenrodyellow:fafad2 lightgray:d3d3d3 lightgreen:90ee90 lightgrey:d3d3d3
lightpink:ffb6c1 lightsalmon:ffa07a lightseagreen:20b2aa lightskyblue:87cefa lightslategray:778899
lightslategrey:778899 lightsteelblue:b0c4de lightyellow:ffffe0 lime:00ff00 limegreen:32cd32 linen:faf0e6
magenta:ff00ff maroon:800000 mediumaquamarine:66cdaa mediumblue:0000cd mediumorchid:ba55d3 mediumpurple:9370db
mediumseagreen:3cb371 mediumslateblue:7b68ee mediumspringgreen:00fa9a mediumturquoise:48d1cc mediumvioletred:c71585
midnightblue:191970 mintcream:f5fffa mistyrose:ffe4e1 moccasin:ffe4b5 navajowhite:ffdead navy:000080 oldlace:fdf5e6
olive:808000 olivedrab:6b8e23 orange:ffa500 orangered:ff4500 orchid:da70d6 palegoldenrod:eee8aa palegreen:98fb98
paleturquoise:afeeee palevioletred:db7093 papayawhip:ffefd5 peachpuff:ffdab9 peru:cd853f pink:ffc0cb plum:dda0dd
powderblue:b0e0e6 purple:800080 rebeccapurple:663399 red:ff0000 rosybrown:bc8f8f royalblue:4169e1 saddlebrown:8b4513
salmon:fa8072 sandybrown:f4a460 seagreen:2e8b57 seashell:fff5ee sienna:a0522d silver:c0c0c0 skyblue:87ceeb
slateblue:6a5acd slategray:708090 slategrey:708090 snow:fffafa springgreen:00ff7f steelblue:4682b4 tan:d2b48c
teal:008080 thistle:d8bfd8 tomato:ff6347 turquoise:40e0d0 violet:ee82ee wheat:f5deb3 white:ffffff whitesmoke:f5f5f5
yellow:ffff00 yellowgreen:9acd32 canvas:ffffff canvastext:000000 window:ffffff windowtext:000000
"""
_NAMES = {name: digits for name, _, digits in (pair.partition(":") for pair in _NAMED.split())}
_OF_THE_SYSTEM = frozenset(
    {
        *("accentcolor", "accentcolortext", "activeborder", "activecaption", "activetext", "appworkspace"),
        *("background",),
        *("buttonborder", "buttonface", "buttonhighlight", "buttonshadow", "buttontext", "captiontext", "field"),
        *("fieldtext", "graytext", "highlight", "highlighttext", "inactiveborder", "inactivecaption", "infobackground"),
        *("inactivecaptiontext", "infotext", "linktext", "mark", "marktext", "menu", "menutext", "scrollbar"),
        *("selecteditem", "selecteditemtext", "threeddarkshadow", "threedface", "threedhighlight", "visitedtext"),
        *("threedlightshadow", "threedshadow", "windowframe", "-webkit-text", "-webkit-link", "-webkit-activelink"),
    }
)
"""Colours that each machine chooses."""
_DIGITS = frozenset("0123456789abcdef")


def is_color(text: str) -> bool:
    """Whether a browser knows it as a colour, in lower case; a function may be one."""
    return text in {"transparent", "currentcolor"} or text in _NAMES or text in _OF_THE_SYSTEM or _is_hex(text)


def _is_hex(text: str) -> bool:
    return text.startswith("#") and _HEX.fullmatch(text) is not None


@lru_cache(maxsize=2_000)
def parse_color(text: str) -> Color | None:
    """The colour that a value names, in lower case; None where it names none that is known here."""
    if text == "transparent":
        return CLEAR
    if text.startswith("#") or text in _NAMES:
        return _of_hex(_NAMES.get(text, text))
    found = _FUNCTION.fullmatch(text)
    return _of_function(found[1], found[2].strip()) if found else None


def parse_html_color(text: str) -> Color | None:
    """The same for the attributes of HTML, where every text means a colour (HTML §2.3.6, legacy colours)."""
    text = text.strip(" \t\n\r\f").lower()
    if not text or text == "transparent":
        return None
    if text in _NAMES or (len(text) == 4 and _is_hex(text)):
        return parse_color(text)
    digits = "".join(each if each in _DIGITS else "0" for each in text[:128].removeprefix("#")) or "0"
    digits = digits.ljust(-(-len(digits) // 3) * 3, "0")
    size = len(digits) // 3
    parts = [digits[start : start + size][-8:] for start in (0, size, 2 * size)]
    while len(parts[0]) > 2 and all(part[0] == "0" for part in parts):
        parts = [part[1:] for part in parts]
    red, green, blue = (float(int(part[:2], 16)) for part in parts)
    return red, green, blue, 1.0


def blended(above: Color, below: Color) -> Color:
    """What is seen of a colour over an opaque ground."""
    red, green, blue, alpha = above
    if alpha >= 1:
        return above
    rest = 1 - alpha
    return red * alpha + below[0] * rest, green * alpha + below[1] * rest, blue * alpha + below[2] * rest, 1.0


def distance(one: Color, other: Color) -> float:
    """How far two opaque colours are apart, by the part in which they differ most."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]), abs(one[2] - other[2]))


def _of_hex(text: str) -> Color | None:
    found = _HEX.fullmatch(text)
    if found is None:
        return None
    digits = found[1] if len(found[1]) > 4 else "".join(digit * 2 for digit in found[1])
    red, green, blue, alpha = (int(digits.ljust(8, "f")[place : place + 2], 16) for place in (0, 2, 4, 6))
    return float(red), float(green), float(blue), alpha / 255


def _of_function(kind: str, inside: str) -> Color | None:
    if kind == "light-dark":
        return parse_color(layers(inside)[0])
    if kind == "color-mix":
        return _mixed(*layers(inside))
    if inside.startswith("from "):
        return _relative(words(inside)[1:])
    space, _, rest = inside.partition(" ") if kind == "color" else (kind, "", inside)
    rest = _worked_out(rest)
    numbers = list(_NUMBER.finditer(rest))
    if len(numbers) not in {3, 4} or "(" in rest:
        return None
    alpha = _part(numbers[3], 1.0) if len(numbers) == 4 else 1.0
    color = _in_space(space, numbers[:3])
    return None if color is None else (*color, alpha)


def _in_space(space: str, numbers: Sequence[re.Match[str]]) -> Triple | None:
    if space == "rgb":
        red, green, blue = (_part(number, 255.0) for number in numbers)
        return red, green, blue
    if space in {"hsl", "hwb"}:
        return _of_hue(space, numbers)
    wholes = WHOLES.get(space)
    if wholes is None:
        return None
    first, second, third = (
        min(max(float(number[1] or 0), -_MOST), _MOST) * (whole / 100 if number[2] == "%" else 1.0)
        for number, whole in zip(numbers, wholes, strict=True)
    )
    return srgb(space, (first, second, third))


def _of_hue(space: str, numbers: Sequence[re.Match[str]]) -> Triple:
    hue = (float(numbers[0][1] or 0) * _TURNS.get(numbers[0][2], 1 / 360)) % 1.0
    one, two = (_part(number, 1.0, plain=0.01) for number in numbers[1:3])
    if space == "hsl":
        red, green, blue = colorsys.hls_to_rgb(hue, two, one)
    else:
        white, black = (one, two) if one + two <= 1 else (one / (one + two), two / (one + two))
        red, green, blue = (part * (1 - white - black) + white for part in colorsys.hls_to_rgb(hue, 0.5, 1.0))
    return red * 255, green * 255, blue * 255


def _worked_out(text: str) -> str:
    return worked_out(text, Scale().pixels) if "(" in text else text


def _relative(parts: Sequence[str]) -> Color | None:
    """The colour that another one is made from as it is: `rgb(from white r g b)`."""
    return parse_color(parts[0]) if [*parts[1:]] in (["r", "g", "b"], ["h", "s", "l"]) else None


def _mixed(space: str, *given: str) -> Color | None:
    """Of two colours in sRGB; in other spaces only of two that look alike."""
    if len(given) != 2:
        return None
    named = [(found[1], float(found[2]) / 100) if (found := _SHARE.fullmatch(each)) else (each, None) for each in given]
    one, other = (parse_color(name) for name, _ in named)
    if one is None or other is None:
        return None
    if space != "in srgb":
        return one if distance(one, other) <= ALIKE and one[3] == other[3] else None
    first, second = named[0][1], named[1][1]
    first = first if first is not None else 1 - (0.5 if second is None else second)
    second = second if second is not None else 1 - first
    whole = (first + second) or 1.0
    weights = first / whole * one[3], second / whole * other[3]
    alpha = sum(weights) or 1.0
    red, green, blue = ((one[n] * weights[0] + other[n] * weights[1]) / alpha for n in range(3))
    return red, green, blue, sum(weights) * min(whole, 1.0)


def _part(number: re.Match[str], whole: float, *, plain: float = 1.0) -> float:
    """A number as a part of the whole, cut to it."""
    value = float(number[1] or 0)
    return min(max(value / 100 * whole if number[2] == "%" else value * plain, 0.0), whole)
