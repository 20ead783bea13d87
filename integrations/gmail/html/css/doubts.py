"""Properties whose effect is not worked out here, each with the values that surely leave a text as it is.

With any other value it cannot be told whether the text is painted, and what cannot be told counts as not painted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set

from integrations.gmail.html.css.lengths import Unclear

_SMALL = r"(?<![\w.#-])(?:0*\.\d|0|1?\d(?:\.\d+)?(?:px|pt|%)|[01](?:\.\d+)?r?em|[1-9](?:\.\d+)?(?:vw|vh|mm|q))"
_TRACKS = rf"(?:minmax\(0(?:px)?,|(?!{_SMALL})[^(]|(?:repeat|fit-content|minmax)\()*"
"""Tracks of a grid, none of which is surely too small for a line, or has a sum for its size."""

HARMLESS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(values)
    for name, values in {
        "-webkit-mask-box-image": "none",
        "-webkit-text-security": "none",
        "-webkit-text-stroke": r"0(?:px)?\b.*|(?:0?\.\d+|1)px\b.*",
        "animation-name": "none",
        "backdrop-filter": "none",
        "background-blend-mode": "normal",
        "color-scheme": r".*\blight\b.*|normal",
        "container-type": "normal|inline-size",
        "content": r"[^(]*",
        "font-size-adjust": "none|from-font",
        **dict.fromkeys(("grid", "grid-template", "grid-template-rows"), _TRACKS),
        **dict.fromkeys(("grid-template-columns", "grid-auto-rows", "grid-auto-columns"), _TRACKS),
        "mask-border": "none",
        "mask-image": "none|initial",
        "mix-blend-mode": "normal",
        "offset": "none|auto|normal",
        "outline-offset": r"\+?\d[\d.]*[a-z]*|-0*[0-2](?:\.\d*)?px",
        "offset-path": "none",
        "perspective": "none",
        "position-area": "none",
        "text-size-adjust": r"none|auto|1\d\d%|[2-9]\d%",
        "word-spacing": r"normal|0|\+?\d{0,2}(?:\.\d+)?p[xt]|\+?[0-5]?(?:\.\d+)?r?em"
        r"|-[0-3]?(?:\.\d+)?p[xt]|-0?\.[0-2]\d*r?em",
    }.items()
}


def refuse_doubts(style: Mapping[str, str], doubtful: Set[str]) -> None:
    """Raise `Unclear` for a style with such a value; `doubtful` are those of its properties that stand in the table."""
    for name in doubtful:
        if not HARMLESS[name].fullmatch(style[name]):
            raise Unclear(name)
