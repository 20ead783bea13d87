"""Characters that show nothing by themselves, and so hide or reorder what a person reads; those that HTML spells out.

The former are those of the categories Cc, Cf and Cs, without tabs and line ends, and what Unicode calls ignorable or
draws as nothing: fillers, the blank of Braille, variation selectors but for those of emoji, tag characters.
"""

from __future__ import annotations

import re
import unicodedata
from html import unescape

INVISIBLE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""What stands between the brackets of a regular expression's class."""

QUOTED_CHARACTERS = 60

_MARKS = (
    "\"'`\xab\xb4\xbb\u02b9-\u02bd\u02dd\u02ee\u05f3\u05f4\u2018-\u201f\u2032-\u2037\u2039\u203a\u2057\u275b-\u2760"
    "\u276e\u276f\u2e02-\u2e0d\u2e1c\u2e1d\u2e20\u2e21\u2e42\u300c-\u300f\u3003\u301d-\u301f\ufe41-\ufe44\uff02\uff07"
    "\uff40\uff62\uff63\U0001f676-\U0001f678"
)
_APOSTROPHES = "`\xb4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u055a\u2018\u201b\u2032\u2035\u275c\ua78c\uff07"
_QUOTE = re.compile(f"[{_MARKS}]")
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_UNSEEN = re.compile(rf"[{INVISIBLE}](?<!\s)")
_APOSTROPHE = re.compile(rf"(?<=[^\W_])[{_APOSTROPHES}](?=[^\W_])")
_PARTED = re.compile(
    r"\b(do|did|does|is|are|was|were|have|has|had|could|should|would|must|need|wo|ca|sha)n[ ;,.\"]t(?!\w)",
    re.IGNORECASE,
)
_TURNED = re.compile(r"(?<=[^\W_])'nt(?!\w)", re.IGNORECASE)
_MAY_BE_PARTED = re.compile(r"(?:n[ ;,.\"]|'n)t(?!\w)", re.IGNORECASE)
_ZEROS = re.compile(r"(&#[xX]?)0+(?=[0-9a-fA-F])")
_TOO_LONG = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{7,});?")  # beyond the last character, U+10FFFF


def is_invisible(char: str) -> bool:
    """Whether it shows nothing by itself."""
    return _INVISIBLE.match(char) is not None


def shows_something(text: str) -> bool:
    """Whether anything of it can be seen: no blank, and no mark that needs a letter to stand on."""
    seen = (char for char in without_invisible(text) if not char.isspace())
    return any(unicodedata.category(char)[0] != "M" for char in seen)


def without_invisible(text: str) -> str:
    """The text as it is read; what parts words or lines stays."""
    return _UNSEEN.sub("", text)


def unescaped(text: str) -> str:
    """Text without HTML's character references. `html.unescape` raises for one of thousands of digits."""
    return unescape(_TOO_LONG.sub("\ufffd", _ZEROS.sub(r"\1", text)))


def as_read(text: str) -> str:
    """The text without what nobody sees, and with one apostrophe for all that look like one inside of a word, or are
    typed for one: “don´t”, “don`t”, “don t”.
    """
    if not text.isascii() or "`" in text:
        text = _APOSTROPHE.sub("'", without_invisible(text))
    if _MAY_BE_PARTED.search(text):
        text = _TURNED.sub("n't", _PARTED.sub(r"\1n't", text))
    return text


def without_quotation_marks(text: str) -> str:
    """The text on one line, with an apostrophe for each mark of any language that could end a quotation."""
    return " ".join(_QUOTE.sub("'", text).split())


def quoted(text: str, characters: int = QUOTED_CHARACTERS) -> str:
    """A text that somebody else chose, as a sentence of ours quotes it: between quotation marks, which end nowhere but
    at its end, and cut to so many characters.
    """
    line = without_quotation_marks(without_invisible(text))
    return f"“{line if len(line) <= characters else f'{line[: characters - 1].rstrip()}…'}”"
