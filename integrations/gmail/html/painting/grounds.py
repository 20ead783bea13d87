"""The colours that a text has, and those that lie behind it."""

from __future__ import annotations

from collections.abc import Mapping

from integrations.gmail.html.css.colors import BLACK, CLEAR, Color, blended, is_color, parse_color, parse_html_color
from integrations.gmail.html.css.lengths import Scale
from integrations.gmail.html.css.syntax import layers, words

Given = Mapping[str, str]
Colors = tuple[Color, ...]
"""Each colour that a text may have, or that may lie behind it: it is seen where all of the one stand out from all of
the other. Grounds are empty where they are not known.
"""
MOST = 12

_LINK: Color = (0.0, 0.0, 238.0, 1.0)
_WHOLE = frozenset({"", "auto", "auto auto", "cover", "100%", "100% 100%"})
_ON_EDGE = frozenset({"left", "right", "top", "bottom", "center"})


def inks_of(outer: Colors, link: Color | None, tag: str, attributes: Given, style: Given) -> Colors:
    """What `color` may be; `CLEAR` where it cannot be told, so that nobody sees it."""
    value = style.get("color", "")
    if value:
        return chosen(value, outer)
    if tag == "a" and "href" in attributes:
        outer = (link or _LINK,)
    given = attributes.get("text" if tag == "body" else "color", "") if tag in {"body", "font", "basefont"} else ""
    color = parse_html_color(given)
    return outer if color is None else (color,)


def chosen(value: str, outer: Colors) -> Colors:
    """The colours that a value may mean, where those outside are these."""
    if value == "currentcolor":
        return outer
    return (BLACK if value == "initial" else parse_color(value) or CLEAR,)


def either(one: Colors, other: Colors) -> Colors:
    """Those of both; none where too many may be meant, or where one of the two is not known."""
    colors = tuple(dict.fromkeys((*one, *other)))
    return colors if one and other and len(colors) <= MOST else ()


def grounds_of(outer: Colors, attributes: Given, style: Given, inks: Colors, font: float) -> Colors:
    """What lies behind the content of an element. Pictures from elsewhere may be missing, so they do not count."""
    grounds = _on_color(outer, attributes, style, inks, font)
    image = style.get("background-image", "none")
    if attributes.get("background", "").lstrip().lower().startswith("data:"):
        return ()
    if image != "none":
        grounds = _on_images(grounds, image, style, inks)
    if "inset" in style.get("box-shadow", ""):
        grounds = either(grounds, _over(_shadows(style["box-shadow"], inks), grounds))
    return grounds if len(grounds) <= MOST else ()


def _shadows(value: str, inks: Colors) -> Colors:
    named = [word for layer in layers(value) for word in words(layer) if _may_be_color(word)]
    return tuple(color for word in named for color in chosen(word, inks)) or inks


def _on_color(outer: Colors, attributes: Given, style: Given, inks: Colors, font: float) -> Colors:
    value = style.get("background-color", "")
    if value == "currentcolor":
        colors = inks
    else:
        color = parse_color(value) if value else parse_html_color(attributes.get("bgcolor", "")) or CLEAR
        if color is None:
            return ()
        colors = (color,)
    if colors == (CLEAR,) or style.get("display") == "contents" or "text" in style.get("background-clip", ""):
        return outer
    grounds = _over(colors, outer)
    return either(grounds, outer) if _is_narrow(style, font) else grounds


def _over(colors: Colors, grounds: Colors) -> Colors:
    if not grounds:
        return colors if all(color[3] >= 1 for color in colors) else ()
    return tuple(dict.fromkeys(blended(color, ground) for color in colors for ground in grounds))


def _on_images(grounds: Colors, image: str, style: Given, inks: Colors) -> Colors:
    found: list[Color] = []
    for layer in layers(image):
        if layer in {"none", "url(far)"} or ("image-set(" in layer and "data:" not in layer):
            continue
        stops = _stops(layer, inks)
        if not stops:
            return ()
        found += stops
    if not found:
        return grounds
    above = _over(tuple(found), grounds)
    return above if _is_whole(style) else either(above, grounds)


def _stops(gradient: str, inks: Colors) -> Colors:
    """The colours of a gradient; none where one of them, or the picture, is not known here."""
    if "gradient(" not in gradient or "-webkit-gradient(" in gradient:
        return ()
    inside = gradient[gradient.index("gradient(") + 9 : -1]
    named = [word for part in layers(inside) for word in words(part) if _may_be_color(word)]
    colors = [color for word in named for color in (inks if word == "currentcolor" else (parse_color(word),))]
    return tuple(color for color in colors if color is not None) if None not in colors else ()


def _may_be_color(word: str) -> bool:
    return is_color(word) or ("(" in word and not word.startswith(("calc(", "min(", "max(", "clamp(")))


def _is_whole(style: Given) -> bool:
    """Whether a picture without a size of its own covers the element."""
    sizes = layers(style.get("background-size", ""))
    if not _WHOLE.issuperset(sizes) or "text" in style.get("background-clip", ""):
        return False
    position = style.get("background-position", "").replace(",", " ").split()
    return all(word in _ON_EDGE or word.endswith("%") or word == "0" for word in position)


def _is_narrow(style: Given, font: float) -> bool:
    """Whether its text stands over its own edges."""
    measure = Scale(font, whole=font)
    line = style.get("line-height", "normal")
    lines = measure.pixels(f"{line}em" if line.replace(".", "").isdecimal() else line)
    if (lines is not None and lines < font * 0.8) or not {"size", "strict"}.isdisjoint(
        style.get("contain", "").split()
    ):
        return True
    measure = Scale(font)
    sizes = (measure.pixels(style.get(name, "")) for name in ("width", "height", "max-width", "max-height"))
    return any(size is not None and size < font * 0.8 for size in sizes)
