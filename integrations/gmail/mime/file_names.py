"""What an attachment is called, and how large it is, in words."""

from __future__ import annotations

from integrations.gmail.mime.addresses import decoded_text
from integrations.gmail.text import shortened, visible
from integrations.gmail.wire import Part

NAME_LENGTH = 120


def name_of(part: Part) -> str:
    """The file's name, decoded and on one line."""
    if part.filename:
        return shortened(visible(decoded_text(part.filename)), NAME_LENGTH)
    return "attached message" if part.mime_type == "message/rfc822" else "(no name)"


def size_in_words(size: int) -> str:
    """ "812 bytes", "34 kB", "2.5 MB"."""
    if size < 1_000:
        return f"{size} bytes"
    return f"{size / 1_000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"
