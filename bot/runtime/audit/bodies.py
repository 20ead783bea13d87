"""What the stored bytes of an entry say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pydantic_core import from_json

from bot.domain.audit import AuditEntry


def in_text(entry: AuditEntry) -> AuditEntry:
    """The entry with text in the place of bytes, which SQLite stores in any column: they end no export."""
    if not any(isinstance(each, bytes) for each in entry):
        return entry
    return AuditEntry._make(each.decode("utf-8", "replace") if isinstance(each, bytes) else each for each in entry)


def body_of(text: str) -> dict[str, object]:
    """What the stored bytes say; nothing, when somebody made them unreadable."""
    try:
        body: dict[str, object] = from_json(text, cache_strings="keys")
    except ValueError:
        return {}
    is_object = isinstance(body, dict)  # pyright: ignore[reportUnnecessaryIsInstance] - it may be any JSON
    return body if is_object else {}


def details_of(body: Mapping[str, object]) -> Mapping[str, object]:
    """What an entry's code is about; nothing, when somebody made something else of it."""
    details = body.get("details")
    return cast("Mapping[str, object]", details) if isinstance(details, dict) else {}
