"""Thought signatures: made, and checked when they come back.

A signature is bound to transport, model and what it signs, so one that was tampered with, moved to another part or
made by the other transport is refused, as with the real API (ai.google.dev/gemini-api/docs/thought-signatures).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

SKIP = b"skip_thought_signature_validator"

_KEY = b"playground signatures prove nothing to anybody else"
_HEADER = b"\x12\x34cs"
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs and checks for one transport and model."""

    transport: str
    model: str

    def sign(self, part: Mapping[str, Any]) -> str:
        """The `thoughtSignature` of a part: of its call, or else of its text."""
        return base64.b64encode(self._signature(part)).decode("ascii")

    def is_valid(self, part: Mapping[str, Any]) -> bool:
        """Whether the part's `thoughtSignature` is valid; the documented stand-in always is."""
        text = str(part.get("thoughtSignature", ""))
        if text.encode() == SKIP:
            return True
        given = _decoded(text)
        return given == SKIP or hmac.compare_digest(given, self._signature(part))

    def _signature(self, part: Mapping[str, Any]) -> bytes:
        call = part.get("functionCall")
        signed = ["call", call["name"], call.get("args", {}), call.get("id", "")] if call else ["text", part["text"]]
        message = json.dumps([self.transport, self.model, _clean(signed)], sort_keys=True).encode()
        return _HEADER + hmac.digest(_KEY, message, hashlib.sha256)


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text.translate(str.maketrans("-_", "+/")) + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _clean(value: Any) -> Any:
    """The value without parts that JSON has no form for, which a client cannot send back unchanged."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {key: _clean(item) for key, item in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list):
        return [_clean(item) for item in cast("list[Any]", value)]
    return value
