"""Canonical JSON (RFC 8785): the same value has the same bytes, so hashes and codes over them can be compared.

`rfc8785` writes each text and each number by itself, in Python, and takes ten times as long. Numbers with a fraction
are left to it. What is written here is the same, byte by byte (`test_canonical_json.py`).
"""

from __future__ import annotations

from json.encoder import encode_basestring
from typing import Any, cast

import rfc8785

LARGEST = 2**53 - 1
"""Of an integer that every reader of JSON knows exactly (RFC 8785, “IEEE-754-compatible”)."""


def dumps(value: object) -> bytes:
    """Its canonical bytes. Raises `rfc8785.CanonicalizationError` for numbers that have none and for what is no JSON,
    `UnicodeError` for lone surrogates, and `RecursionError`.
    """
    return _text(value).encode()


def _text(value: Any) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return _object(cast("dict[str, Any]", value))
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_text, cast('list[Any]', value)))}]"
    if isinstance(value, int) and -LARGEST <= value <= LARGEST:
        return str(int(value))
    return rfc8785.dumps(value).decode()


def _object(value: dict[str, Any]) -> str:
    """Its members, sorted by the UTF-16 code units of their names (RFC 8785 §3.2.3)."""
    try:
        is_plain = "".join(value).isascii()
    except TypeError:
        raise rfc8785.CanonicalizationError("the name of a member is no text") from None
    names = sorted(value) if is_plain else sorted(value, key=_utf16)
    return f"{{{','.join([f'{encode_basestring(name)}:{_text(value[name])}' for name in names])}}}"


def _utf16(name: str) -> bytes:
    return name.encode("utf-16-be")
