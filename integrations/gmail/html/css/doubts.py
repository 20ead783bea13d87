"""Properties whose effect is not worked out here, each with the values that surely leave a text as it is.

With any other value it cannot be told whether the text is painted, and what cannot be told counts as not painted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set

from integrations.gmail.html.css.lengths import Unclear

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
        "grid-template-rows": r"(?:(?!(?<![\w.])0).)*",
        "mask-border": "none",
        "mask-image": "none|initial",
        "mix-blend-mode": "normal",
        "offset": "none|auto|normal",
        "offset-path": "none",
        "perspective": "none",
        "position-area": "none",
        "text-size-adjust": r"none|auto|1\d\d%|[2-9]\d%",
    }.items()
}


def refuse_doubts(style: Mapping[str, str], doubtful: Set[str]) -> None:
    """Raise `Unclear` for a style with such a value; `doubtful` are those of its properties that stand in the table."""
    for name in doubtful:
        if not HARMLESS[name].fullmatch(style[name]):
            raise Unclear(name)
