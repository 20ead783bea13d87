"""What of a text its author wrote: no lines that they quote, no code, and no mail that they pasted.

Slack tells quotes and code apart from what was typed; in what came in from a mail program or over HTTP they are only
characters (CommonMark §4.5 fenced code blocks, §5.1 block quotes; RFC 3676 §4.5).
"""

from __future__ import annotations

import re

_QUOTED = (">", "＞", "﹥", "&gt;")
_FENCE = "(?:```|~~~)"
_CODE = re.compile(rf"{_FENCE}.*{_FENCE}", re.DOTALL)
_FENCES = re.compile(_FENCE)
_BEGINS_MAIL = re.compile(
    r"^[ \t]*(?:"
    r"-{3,}[ \t]*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht)\b.*"
    r"|begin forwarded message:.*|anfang der weitergeleiteten nachricht:.*"
    r"|on\b[^\n]{1,200}(?:\n[^\n]{0,200})?\bwrote:[ \t]*$"
    r"|am\b[^\n]{1,200}(?:\n[^\n]{0,200})?\bschrieb\b[^\n]{0,200}:[ \t]*$"
    r"|(?:from|von):[^\n]*<[^\n<>]*@[^\n<>]*>[^\n]*$"
    r")",
    re.IGNORECASE | re.MULTILINE,
)
_HEAD = re.compile(
    r"[ \t*]*(?:(?P<came>from|von|date|datum|sent|gesendet)|to|an|cc|subject|betreff)\*?:", re.IGNORECASE
)
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
    return without_mail("\n".join(line for line in text.splitlines() if not line.lstrip().startswith(_QUOTED)))


def without_mail(text: str) -> str:
    """The text up to where a mail begins that its author pasted, in English or German: a line that says who wrote, or
    two head lines below each other, one of which says from whom or when it came. Whoever dictates a mail names
    recipients and a subject alone.
    """
    if found := _BEGINS_MAIL.search(text):
        text = text[: found.start()]
    lines = text.splitlines()
    heads = [_HEAD.match(line) for line in lines]
    for place in range(len(lines) - 1):
        one, other = heads[place], heads[place + 1]
        if one and other and (one["came"] or other["came"]):
            return "\n".join(lines[:place])
    return text


def without_shown(text: str) -> str:
    """Text in Slack's marks without what its author only shows or takes back: quotes, code in a line, and what is
    struck through. ">>>" quotes all that follows (docs.slack.dev/messaging/formatting-message-text).

    Of several marks in a line all from the first to the last one is left out, and what lost its second one as the text
    was cut is left out to the end: too few of the author's words count rather than too many of somebody else's.
    """
    return _SHOWN.sub(" ", without_quotes(_TO_THE_END.sub("", text)))
