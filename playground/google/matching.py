"""How the searches of Gmail, Calendar and People compare words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache


def contains(text: str, wanted: str) -> bool:
    """Whether the words stand side by side in that order; case and accents do not count."""
    words, phrase = _words(text), _words(wanted)
    return any(words[start : start + len(phrase)] == phrase for start in range(len(words) - len(phrase) + 1))


def plain(text: str) -> str:
    """The text without accents and case."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()


@lru_cache(maxsize=4_000)
def _words(text: str) -> list[str]:
    """The words of a mail, cached, since the same mails are searched repeatedly."""
    return re.findall(r"\w+", plain(text))
