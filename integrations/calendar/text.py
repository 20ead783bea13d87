"""Text that others wrote: on one line, uncut, or a description (HTML of a few tags; Events, `description`) as lines."""

from __future__ import annotations

import re
from html import unescape

from integrations.text import one_line

# Zero-width and bidirectional characters, which hide or reorder what a person reads.
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]")

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
    """A description in lines, with its links and without markup."""
    text = _LINK.sub(_linked, description[:LENGTH])
    plain = unescape(_TAG.sub("", _ITEM.sub("\n- ", _ENDS.sub("\n", text))))
    lines = [" ".join(line.split()) for line in plain.splitlines()]
    kept = [line for place, line in enumerate(lines) if line or (place and lines[place - 1])]
    return "\n".join(kept).strip()


def _linked(match: re.Match[str]) -> str:
    to, said = match["to"], match["said"].strip()
    return said if to in said else f"{said} ({to})"


def clean(text: str, length: int) -> str:
    """Text of others on one line of at most `length` characters, without invisible ones."""
    return one_line(_UNSEEN.sub("", text), length)


def visible(text: str) -> str:
    """Text of others uncut and in its lines, without invisible characters."""
    return _UNSEEN.sub("", text).strip()
