"""Math functions of CSS worked out where all terms are numbers by then (CSS Values §10)."""

from __future__ import annotations

import re
from collections.abc import Callable

_INNERMOST = re.compile(r"(calc|min|max|clamp)?\(([^()]*)\)")
_SUM = re.compile(r"\s+([+-])\s+")
_PRODUCT = re.compile(r"\s*([*/])\s*")
DEPTH = 8

Number = Callable[[str], float | None]
"""What a term is, in pixels or as a share; None for what is no number."""


def worked_out(text: str, number: Number) -> str:
    """The text with its math functions as numbers; one that cannot be worked out stays."""
    for _ in range(DEPTH):
        if "(" not in text:
            break
        text, found = _INNERMOST.subn(lambda part: _function(part[1] or "calc", part[2], number) or part[0], text)
        if not found:
            break
    return text


def _function(name: str, inside: str, number: Number) -> str:
    values = [_sum(term, number) for term in inside.split(",")]
    known = [value for value in values if value is not None]
    if len(known) < len(values) or (name == "clamp" and len(known) != 3) or (name == "calc" and len(known) != 1):
        return ""
    match name:
        case "min":
            value = min(known)
        case "max":
            value = max(known)
        case "clamp":
            value = max(known[0], min(known[1], known[2]))
        case _:
            value = known[0]
    return f"{value:.6f}"


def _sum(text: str, number: Number) -> float | None:
    parts = _SUM.split(text.strip())
    values = [_product(part, number) for part in parts[::2]]
    total = 0.0
    for sign, value in zip(["+", *parts[1::2]], values, strict=True):
        if value is None:
            return None
        total += value if sign == "+" else -value
    return total


def _product(text: str, number: Number) -> float | None:
    parts = _PRODUCT.split(text.strip())
    total = 1.0
    for sign, part in zip(["*", *parts[1::2]], parts[::2], strict=True):
        value = number(part.strip())
        if value is None or (sign == "/" and not value):
            return None
        total = total * value if sign == "*" else total / value
    return total
