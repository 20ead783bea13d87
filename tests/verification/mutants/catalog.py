"""The list of mutants: small changes of the code, each of which would break a promise, and the tests that notice it."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """`old` stands in the file once; with `new` in its place these tests fail, unless it `survives`, which says why."""

    name: str
    breaks: str
    file: str
    old: str
    new: str
    tests: Sequence[str] = ()
    survives: str = ""

    def put_into(self, root: Path) -> None:
        """Change the copy of the tree; raises where the code is not as the list has it."""
        path = root / self.file
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: {self.file} holds what it changes {text.count(self.old)} times")
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")


def catalog() -> Sequence[Mutant]:
    """All of them, in the order of the list."""
    listed = tomllib.loads((Path(__file__).parent / "catalog.toml").read_text(encoding="utf-8"))
    return [Mutant(**mutant) for mutant in listed["mutant"]]
