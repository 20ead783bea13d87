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
_TO_THE_END = re.compile(r"^[^\S\n]*(?:>|&gt;){3}.*", re.DOTALL | re.MULTILINE)
_SHOWN = re.compile(r"`.*`|`.*\Z|~.*~|~.*\Z")


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


def without_shown(text: str) -> str:
    """Text in Slack's marks without what its author only shows or takes back: quotes, code in a line, and what is
    struck through. ">>>" quotes all that follows (docs.slack.dev/messaging/formatting-message-text).

    Of several marks in a line all from the first to the last one is left out, and what lost its second one as the text
    was cut is left out to the end: too few of the author's words count rather than too many of somebody else's.
    """
    return _SHOWN.sub(" ", without_quotes(_TO_THE_END.sub("", text)))
