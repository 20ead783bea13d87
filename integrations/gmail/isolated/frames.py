"""How pages and texts travel between the bot and the process that reads HTML: behind their length in bytes."""

from __future__ import annotations

import struct

LENGTH = struct.Struct("!I")
FAILED = 0xFFFF_FFFF
"""In the place of a length: the page could not be read."""


def framed(text: str) -> bytes:
    """A text as it travels."""
    data = text.encode(errors="replace")
    return LENGTH.pack(len(data)) + data
