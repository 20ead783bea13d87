"""Uploads in one request: a mail beside its method's JSON (multipart, "Upload attachments" of the Gmail API guide).

They are read as if the mail were in the JSON.
"""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64encode
from dataclasses import replace
from typing import Any, cast

from playground.google.incoming import Incoming

PREFIX = "/upload"
MOST_BYTES = 36_700_160
"""`maxSize` in the discovery document."""

_BOUNDARY = re.compile(r'boundary="?([^";]+)')


def uploaded(incoming: Incoming) -> Incoming:
    """The request without the upload; one with no upload, or one too big or unreadable, stays as it is."""
    boundary = _BOUNDARY.search(incoming.headers.get("content-type", ""))
    if not incoming.path.startswith(f"{PREFIX}/") or boundary is None or len(incoming.body) > MOST_BYTES:
        return incoming
    pieces = [_content(piece) for piece in incoming.body.split(b"--" + boundary[1].encode())[1:-1]]
    if len(pieces) != 2:
        return incoming
    body = cast("dict[str, Any]", json.loads(pieces[0]))
    body.setdefault("message", {})["raw"] = urlsafe_b64encode(pieces[1]).decode()
    query = tuple(pair for pair in incoming.query if pair[0] != "uploadType")
    path = incoming.path.removeprefix(PREFIX)
    return replace(incoming, path=path, query=query, body=json.dumps(body).encode())


def _content(piece: bytes) -> bytes:
    """The content of a part, without the line end before the next boundary."""
    _, _, content = piece.replace(b"\r\n\r\n", b"\n\n", 1).partition(b"\n\n")
    return content.removesuffix(b"\n").removesuffix(b"\r")
