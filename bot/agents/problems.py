"""What is wrong with a definition: where, what, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.errors import BotError


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Problem:
    """One thing that is wrong, at a line counted from 1. `what` and `cure` are sentences."""

    file: str
    line: int
    what: str
    cure: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what} {self.cure}"


class InvalidDefinition(BotError):
    """A definition cannot be used; `problems` says why, in the order of its lines."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(map(str, self.problems)))


class DefinitionFault(BotError):
    """A part is wrong, wherever it stands: the reader adds the place."""

    def __init__(self, what: str, cure: str) -> None:
        self.what, self.cure = what, cure
        super().__init__(f"{what} {cure}")
