"""What the stored bytes of an entry say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import cast

from pydantic_core import from_json

from bot.domain.audit import AuditEntry

_INSTEAD = "\N{REPLACEMENT CHARACTER}"
_TEXTS = ("team", "scope", "code", "at", "body", "mac", "key_id")
_texts = attrgetter(*_TEXTS)


def in_text(entry: AuditEntry) -> AuditEntry:
    """The entry with text wherever there is to be some: SQLite stores bytes in any column, and nothing where somebody
    took the rule away that there is something. They end no export.
    """
    if all(type(each) is str for each in _texts(entry)) and not any(isinstance(each, bytes) for each in entry):
        return entry
    whole = AuditEntry._make(each.decode("utf-8", "replace") if isinstance(each, bytes) else each for each in entry)
    lacks = [name for name in _TEXTS if getattr(whole, name) is None]
    return whole._replace(**dict.fromkeys(lacks, ""))


def in_lines(told: Iterable[str]) -> str:
    """Lines for people. What somebody wrote into a row, or into an export, begins no line and steers no terminal."""
    return "\n".join("".join(one if one.isprintable() else _INSTEAD for one in line) for line in told)


def body_of(text: str) -> dict[str, object]:
    """What the stored bytes say; nothing, when somebody made them unreadable."""
    try:
        body: object = from_json(text, cache_strings="keys")
    except (TypeError, ValueError):
        return {}
    return cast("dict[str, object]", body) if isinstance(body, dict) else {}


def details_of(body: Mapping[str, object]) -> Mapping[str, object]:
    """What an entry's code is about; nothing, when somebody made something else of it."""
    details = body.get("details")
    return cast("Mapping[str, object]", details) if isinstance(details, dict) else {}
