"""Files inside a request: what Google accepts of them, and how many tokens they are."""

from __future__ import annotations

import base64
import binascii
import re

from playground.gemini.errors import ApiError, invalid
from playground.gemini.schema import Json

IMAGE_TOKENS = 1_120
PAGE_TOKENS = 560
"""The default of Gemini 3 (ai.google.dev/gemini-api/docs/media-resolution)."""

_BEGINS = {"application/pdf": b"%PDF-", "image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8\xff", "image/webp": b"RIFF"}
_PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")
_CHARACTERS_PER_TOKEN = 4


def data_of(blob: Json) -> bytes:
    """Its bytes; proto JSON takes both alphabets of base64."""
    text = str(blob.get("data", "")).replace("-", "+").replace("_", "/")
    return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)


def check(blob: Json, path: str) -> None:
    """Raises 400 for data that the model cannot read."""
    try:
        data = data_of(blob)
    except (binascii.Error, ValueError):
        raise invalid(f"Invalid value at '{path}.data' (TYPE_BYTES), Base64 decoding failed.") from None
    mime_type = str(blob.get("mimeType", ""))
    if not mime_type or not data:
        raise invalid(f"* GenerateContentRequest.{path}: required oneof field 'data' must have one initialized field\n")
    if mime_type.startswith("text/"):
        return
    if mime_type not in _BEGINS:
        raise invalid(f"Unsupported MIME type: {mime_type}")
    if not data.startswith(_BEGINS[mime_type]):
        raise _unreadable(mime_type)
    if mime_type == "application/pdf" and not pages(data):
        raise _unreadable(mime_type)


def _unreadable(mime_type: str) -> ApiError:
    if mime_type == "application/pdf":
        return invalid("The document has no pages.")
    return invalid("Unable to process input image. Please retry or report in https://ai.google.dev/gemini-api/docs")


def pages(data: bytes) -> int:
    return len(_PAGE.findall(data))


def tokens(blob: Json) -> int:
    """How many tokens it counts as."""
    data, mime_type = data_of(blob), str(blob["mimeType"])
    if mime_type == "application/pdf":
        return PAGE_TOKENS * pages(data)
    return IMAGE_TOKENS if mime_type.startswith("image/") else max(1, len(data) // _CHARACTERS_PER_TOKEN)
