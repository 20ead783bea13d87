"""What of a text its author wrote: no lines that they quote, and no code.

Slack tells quotes and code apart from what was typed; in what came in from a mail program or over HTTP they are only
characters (CommonMark §4.5 fenced code blocks, §5.1 block quotes; RFC 3676 §4.5).
"""

from __future__ import annotations

import re

_QUOTED = (">", "＞", "﹥", "&gt;")
_FENCE = "(?:```|~~~)"
_CODE = re.compile(rf"{_FENCE}.*{_FENCE}", re.DOTALL)
_FENCES = re.compile(_FENCE)


def without_quotes(text: str) -> str:
    """The text without lines that begin with ">", and without everything from its first fence of code to its last one,
    or to its end where one of them has no partner: which of several belong together, whoever is quoted could choose.
    """
    first = _FENCES.search(text)
    if first and len(_FENCES.findall(text)) % 2:
        text = text[: first.start()]
    elif first:
        text = _CODE.sub("\n", text)
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(_QUOTED))
