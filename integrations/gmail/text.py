"""Foreign text as its reader sees it: without characters that are invisible or turn the writing direction."""

from __future__ import annotations

import re

# Halves of surrogate pairs, zero-width, bidirectional controls, invisible operators, soft hyphen, byte order mark,
# fillers, tag characters.
_INVISIBLE = re.compile(
    "[\ud800-\udfff\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def visible(text: str) -> str:
    """The text as its reader would see it: without what is invisible, with plain line breaks."""
    broken = re.sub(r"\r\n?|[\u0085\u2028\u2029]", "\n", text)
    return _CONTROL.sub("", _INVISIBLE.sub("", broken))


def one_line(text: str) -> str:
    """Visible text on one line, with single spaces."""
    return " ".join(visible(text).split())


WHOLE_BELOW = 100
"""A snippet of fewer characters is the whole text."""


def beginning(snippet: str, length: int) -> str:
    """A snippet on one line, at most `length` characters, cut at a word and with a sign where the text goes on.

    Gmail cuts a snippet where it is long enough, also within a word, and does not say so.
    """
    line = one_line(snippet)
    if len(line) <= length and (len(line) < WHOLE_BELOW or line.endswith((".", "!", "?", "…"))):
        return line
    kept = line[: length - 2]
    words, space, _ = kept.rpartition(" ")
    return f"{(words if space else kept).rstrip(' ,;:–-')} …"


def shortened(text: str, length: int) -> str:
    """One line of at most `length` characters."""
    line = one_line(text)
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"
