"""What a file is, by its first bytes and never by what somebody says of it."""

from __future__ import annotations

import re

from bot.llm.model import Blob
from integrations.fences import harmless

TEXT = "text/plain"
_KINDS = (
    (re.compile(rb"%PDF-"), "application/pdf"),
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp"),
)
_PDF_HEADER = re.compile(rb"%PDF-\d\.\d")
_PDF_END = re.compile(rb"startxref\s+\d+\s+%%EOF")
PDF_JUNK = 1_024
"""Readers accept a PDF's header within so many bytes, and its end as far before the last one (PDF 1.7 reference,
appendix H, notes 13 and 18).
"""
_IN_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def recognized(data: bytes) -> Blob | None:
    """The file as the model takes it; None for another type, and for text that does not say how it is encoded.

    Text is UTF-8, without what is invisible or a fence.
    """
    for begins, mime_type in _KINDS:
        if begins.match(data):
            return Blob(mime_type, data)
    if _is_late_pdf(data):
        return Blob("application/pdf", data)
    text = _text(data)
    return None if text is None else Blob(TEXT, harmless(text).encode())


def _is_late_pdf(data: bytes) -> bool:
    """Whether a PDF stands behind a line or other bytes. A text that only speaks of PDFs has no such end."""
    header = _PDF_HEADER.search(data[:PDF_JUNK])
    return header is not None and _PDF_END.search(data[-PDF_JUNK:]) is not None


def _text(data: bytes) -> str | None:
    """UTF-16 with its mark, else UTF-8. Bytes of an older encoding look like text in many others, so they are none."""
    is_marked = data[:2] in {b"\xff\xfe", b"\xfe\xff"}
    try:
        text = data.decode("utf-16" if is_marked else "utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if _IN_NO_TEXT.search(text) else text
