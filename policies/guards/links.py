"""Every address that a text contains, in one canonical form each."""

from __future__ import annotations

import re
from collections.abc import Sequence

_URL = re.compile(r"\b(?:https?|mailto|slack|tel|ftp)://[^\s<>\"'|]+|\bwww\.[^\s<>\"'|]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def found(text: str) -> Sequence[str]:
    """The addresses in a text, each once."""
    return list(dict.fromkeys(match.group(0).rstrip(".,;:!?)").casefold() for match in _URL.finditer(text)))
