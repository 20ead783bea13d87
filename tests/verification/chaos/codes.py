"""The audit's codes that the bot's source names: what no scene plays is said at the end of `make chaos`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

_CODE = re.compile(
    r"(?:run|action|question|connection|connect|schedule|alarm|briefing|memory|message|person|click|database)\.[a-z_]+"
)
_LOGGING = {"debug", "info", "warning", "error", "exception", "critical"}


def named_codes(source: Path) -> set[str]:
    """Constants that look like a code, but for the names of a logger's events. Codes made of parts are not found."""
    return {code for file in source.rglob("*.py") for code in _codes(ast.parse(file.read_text(encoding="utf-8")))}


def _codes(tree: ast.AST) -> Iterator[str]:
    if isinstance(tree, ast.Constant):
        if isinstance(tree.value, str) and _CODE.fullmatch(tree.value):
            yield tree.value
        return
    logs = isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) and tree.func.attr in _LOGGING
    for child in ast.iter_child_nodes(tree):
        if not logs:
            yield from _codes(child)
