"""What somebody wrote about an event, as text: Calendar keeps it as HTML of a few tags (Events, `description`)."""

from __future__ import annotations

import re
from html import unescape

LENGTH = 20_000
_ENDS = re.compile(r"<(?:br|/p|/div|/?ul|/?ol|/h[1-6]|/tr)\b[^<>]*>", re.IGNORECASE)
_ITEM = re.compile(r"<li\b[^<>]*>", re.IGNORECASE)
_LINK = re.compile(r"<a\s[^<>]*?href=\"(?P<to>https?://[^\"<>]*)\"[^<>]*>(?P<said>[^<>]*)</a>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|b|i|u|s|p|br|em|strong|div|span|ul|ol|li|h[1-6]|table|tbody|tr|td|th|html-blob|font|pre|code|blockquote)"
    r"(?=[\s/>])[^<>]*>",  # and not an address between angle brackets
    re.IGNORECASE,
)


def text_of(description: str) -> str:
    """It in lines, with its links and without markup."""
    text = _LINK.sub(_linked, description[:LENGTH])
    plain = unescape(_TAG.sub("", _ITEM.sub("\n- ", _ENDS.sub("\n", text))))
    lines = [" ".join(line.split()) for line in plain.splitlines()]
    kept = [line for place, line in enumerate(lines) if line or (place and lines[place - 1])]
    return "\n".join(kept).strip()


def _linked(match: re.Match[str]) -> str:
    to, said = match["to"], match["said"].strip()
    return said if to in said else f"{said} ({to})"
