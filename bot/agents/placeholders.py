"""Placeholders of a prompt: `${name}` becomes a value, `$${` is a literal `${`.

Values are inserted once: a value with `${…}` in it stays as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence

_PLACEHOLDER = re.compile(r"\$\$\{|\$\{(?:([^{}\n]*)\})?")
_LITERAL = "$${"
MOST = 50
"""How many placeholders one text may have."""


def unknown(template: str, known: Collection[str]) -> Sequence[str]:
    """The placeholders, as written, that are none of these names; `${` alone is one that is not closed."""
    found = _PLACEHOLDER.finditer(template)
    return [each[0] for each in found if each[0] != _LITERAL and (each[1] or "") not in known]


def too_many(template: str) -> str:
    """Why a template has more placeholders than are taken; empty where it has not. Each may become a long text."""
    count = sum(each[0] != _LITERAL for each in _PLACEHOLDER.finditer(template))
    return f"It has {count:,} placeholders, and {MOST} are taken." if count > MOST else ""


def fill(template: str, values: Mapping[str, object]) -> str:
    """The template with its values; one that is missing or None is empty."""

    def inserted(found: re.Match[str]) -> str:
        return "${" if found[0] == _LITERAL else _text(values.get(found[1] or ""))

    return _PLACEHOLDER.sub(inserted, template)


def _text(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)
