"""`python -m tests.verification.walls`: what `make imports` holds beside import-linter, which reads imports only.

Nothing is imported by its name: that would pass every wall unseen. Views import only what is listed here, and neither
open nor print anything: domain values, read models and texts go in, blocks come out.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

PACKAGES = ("bot", "integrations", "policies", "playground")

BY_NAME = frozenset(
    {
        *("__import__", "import_module", "resolve_name", "exec_module", "load_module"),
        *("run_module", "run_path", "eval", "exec"),
    }
)
MAY_IMPORT_BY_NAME: Mapping[str, str] = {
    "integrations/google/discovery.py": "googleapiclient has no types: it is imported when it is needed",
    "playground/tether.py": "it starts the program that it is given",
}
"""The files that may, with the reason."""

VIEWS = "bot/slack/views"
VIEWS_IMPORT = frozenset(
    {
        *("__future__", "collections.abc", "dataclasses", "datetime", "difflib", "enum", "functools", "itertools"),
        *("json", "re", "typing", "unicodedata", "urllib.parse"),
        *("bot.slack.views", "bot.domain", "bot.tools.forms", "bot.tools.names"),
        *("bot.agents.catalog", "bot.agents.definition", "bot.agents.inputs"),
        *("bot.runtime.delivery.views", "bot.runtime.delivery.lists"),
        *("bot.runtime.texts.about_guards", "bot.runtime.texts.about_limits"),
        *("bot.runtime.texts.about_log", "bot.runtime.texts.about_plans"),
        *("bot.runtime.texts.about_times", "bot.runtime.texts.inert_markdown"),
        *("integrations.base", "integrations.ports", "integrations.text", "integrations.google.auth.access"),
        "policies",
    }
)
"""Modules and packages that views may import, with everything below them."""
VIEWS_CALL_NOT = frozenset({"breakpoint", "input", "open", "print"})


def breaches(root: Path) -> Iterator[str]:
    """What passes a wall, a line each: where, and what."""
    for package in PACKAGES:
        for file in sorted((root / package).rglob("*.py")):
            path = file.relative_to(root).as_posix()
            tree = ast.parse(file.read_text(encoding="utf-8"))
            found = [] if path in MAY_IMPORT_BY_NAME else list(_by_name(tree))
            if path.startswith(f"{VIEWS}/"):
                found += _impure(tree)
            yield from (f"{path}:{line} {what}" for line, what in sorted(found))


def _by_name(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) if name in BY_NAME:
                yield node.lineno, f"may import what no wall sees ({name})"
            case _:
                pass


def _impure(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) if name in VIEWS_CALL_NOT:
                yield node.lineno, f"is a view, and views are pure ({name})"
            case ast.Import() | ast.ImportFrom():
                for name in _imported(node):
                    if not _is_allowed(name):
                        yield node.lineno, f"is a view, and views do not import {name} (VIEWS_IMPORT in {__name__})"
            case _:
                pass


def _imported(node: ast.Import | ast.ImportFrom) -> Sequence[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [f"{node.module}.{alias.name}" for alias in node.names]


def _is_allowed(name: str) -> bool:
    parts = name.split(".")
    return any(".".join(parts[:end]) in VIEWS_IMPORT for end in range(1, len(parts) + 1))


def main() -> int:
    """Print them; 1 when there are some."""
    found = list(breaches(Path()))
    sys.stdout.writelines(f"{line}\n" for line in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
