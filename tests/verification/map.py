"""`python -m tests.verification.map`: how far a newcomer has to look, counted, beside the bounds that are kept.

It prints the files to open for each question that CONTRIBUTING.md answers, the modules per folder, the imports per
module and the public names, and exits with 1 beyond a bound.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PRODUCT = ("bot", "integrations", "policies")

QUESTIONS: Mapping[str, tuple[int, int]] = {
    "What happens when Approve is clicked, until the commit": (0, 5),
    "What happens after the commit, until the card says “Done”": (5, 13),
    "How do I add a tool": (0, 8),
    "How do I add a command to `/agent`": (0, 4),
    "Where does a rule of policy in code go": (0, 3),
    "Where is the step limit enforced": (0, 3),
    "Where would a new trust level go": (0, 2),
}
"""For each question how many files were opened before its own, and the most until its end."""

MOST_IN_A_FOLDER = 14
OF_ONE_KIND: Mapping[str, int] = {"bot/domain": 28, "bot/slack/views": 28, "bot/store/repositories": 28}
"""Folders whose modules are all of one kind, each named by its noun."""
MOST_LINES = 400
MOST_IMPORTS = 13
"""Modules of ours that nine modules of ten import at most. With one module for the runtime's vocabulary (all of
`bot/domain`, `policies` and the integrations' base) it would still be eleven, and each name one file further away.
"""
MOST_PUBLIC_NAMES = 35
"""Public functions and classes per 1,000 lines."""

_FILE = re.compile(r"^\d+\. `([^`]+)`", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A source file: its path from the root, its lines, what it imports of ours, how many public names it has."""

    path: Path
    lines: int
    imports: int
    public: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A line of the table; it is met where `found` is at most `most`."""

    name: str
    found: int
    most: int


def figures(root: Path = ROOT) -> Iterator[Figure]:
    """Everything that has a bound, in the order in which it is printed."""
    modules = list(product(root))
    guide = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for question, (before, most) in QUESTIONS.items():
        yield Figure(name=f"files: {question}?", found=before + len(answer(guide, question)), most=most)
    for folder, number in sorted(Counter(module.path.parent.as_posix() for module in modules).items()):
        yield Figure(name=f"modules: {folder}", found=number, most=OF_ONE_KIND.get(folder, MOST_IN_A_FOLDER))
    longest = max((module for module in modules if module.path.parts[0] == "bot"), key=lambda module: module.lines)
    yield Figure(name=f"lines of the longest module: {longest.path}", found=longest.lines, most=MOST_LINES)
    imports = sorted(module.imports for module in modules)
    yield Figure(name="imports per module, p90", found=imports[len(imports) * 9 // 10], most=MOST_IMPORTS)
    names, lines = sum(module.public for module in modules), sum(module.lines for module in modules)
    yield Figure(name="public names per 1,000 lines", found=round(names * 1000 / lines), most=MOST_PUBLIC_NAMES)


def answer(guide: str, question: str) -> Sequence[str]:
    """The files that the guide names for a question, in their order."""
    _, _, after = guide.partition(f"**{question}?**")
    return _FILE.findall(after.partition("\n**")[0].partition("\n## ")[0])


def product(root: Path) -> Iterator[Module]:
    """The product's modules, without migrations and empty packages."""
    for package in PRODUCT:
        for file in sorted((root / package).rglob("*.py")):
            path = file.relative_to(root)
            if file.name != "__init__.py" and "versions" not in path.parts:
                yield _module(path, file.read_text(encoding="utf-8"))


def _module(path: Path, text: str) -> Module:
    tree = ast.parse(text)
    named = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return Module(
        path=path,
        lines=text.count("\n"),
        imports=len({name for node in ast.walk(tree) for name in _imported(node)}),
        public=sum(isinstance(node, named) and not node.name.startswith("_") for node in tree.body),
    )


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in PRODUCT:
        is_package = (ROOT / node.module.replace(".", "/")).is_dir()
        yield from (f"{node.module}.{alias.name}" if is_package else node.module for alias in node.names)


def main() -> int:
    """Print the table; 1 when a bound is not kept."""
    beyond = 0
    for figure in figures():
        beyond += figure.found > figure.most
        mark = "✗" if figure.found > figure.most else " "
        sys.stdout.write(f"{mark} {figure.found:5} of {figure.most:3}  {figure.name}\n")
    sys.stdout.write(f"{beyond} beyond their bounds\n" if beyond else "All within their bounds.\n")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
