"""Rows of a step are moved through the lifecycle alone, so that what follows is never left out."""

from __future__ import annotations

import ast
from pathlib import Path

RUNTIME = Path(__file__).parents[2] / "bot" / "runtime"
MOVES = {("actions", "move"), ("questions", "move"), ("runs", "move"), ("steps", "close")}
FOLLOWED = "step_followed"


def test_only_the_lifecycle_moves_rows_of_a_step() -> None:
    """The repositories' moves, and the word that a step was followed, are called there alone."""
    found = {
        path.relative_to(RUNTIME).parts[0]
        for path in RUNTIME.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and _is_move(call.func)
    }
    assert found == {"lifecycle"}


def _is_move(call: ast.Attribute) -> bool:
    noun = call.value.attr if isinstance(call.value, ast.Attribute) else ""
    return (noun, call.attr) in MOVES or call.attr == FOLLOWED
