"""What a file is, by its first bytes and never by what somebody says of it."""

from __future__ import annotations

import re

from bot.llm.model import Blob
from integrations.text import harmless, visible

TEXT = "text/plain"
_KINDS = (
    (re.compile(rb"%PDF-"), "application/pdf"),
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp"),
)
_IN_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def recognized(data: bytes) -> Blob | None:
    """The file as the model takes it; None for another type. Text is UTF-8, without what is invisible or a fence."""
    for begins, mime_type in _KINDS:
        if begins.match(data):
            return Blob(mime_type, data)
    text = _text(data)
    return None if text is None else Blob(TEXT, harmless(visible(text)).encode())


def _text(data: bytes) -> str | None:
    """UTF-16 with its mark, else UTF-8, else what Windows writes; None for what has characters that no text has."""
    is_marked = data[:2] in {b"\xff\xfe", b"\xfe\xff"}
    for encoding in ("utf-16",) if is_marked else ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return None if _IN_NO_TEXT.search(text) else text
    return None
