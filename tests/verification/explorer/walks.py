"""Walks that are kept: what happened in one, in order, in a file from which it can be taken again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

FOLDER = Path(__file__).parents[3] / ".pytest_cache" / "walks"
AGAIN = "python -m tests.verification.explorer.machine --again"

P = ParamSpec("P")


@dataclass(slots=True, kw_only=True)
class Walk:
    """The events of one walk by their names, each with what it was given, and the machine that took it."""

    database: str
    machine: str = "Machine"
    events: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list[tuple[str, Mapping[str, Any]]])

    def kept(self) -> Path:
        """Keep it; the file, whose name says the same of the same walk."""
        text = json.dumps({"database": self.database, "machine": self.machine, "events": self.events}, indent=0)
        FOLDER.mkdir(parents=True, exist_ok=True)
        file = FOLDER / f"{self.database}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
        file.write_text(text, encoding="utf-8")
        return file


def read(file: Path) -> Walk:
    """A walk that was kept."""
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    events: Sequence[tuple[str, Mapping[str, Any]]] = [(name, given) for name, given in kept["events"]]
    return Walk(database=kept["database"], machine=kept["machine"], events=list(events))


class Walks(Protocol):
    """What takes a walk."""

    walk: Walk


Walker = TypeVar("Walker", bound=Walks)


def event(function: Callable[Concatenate[Walker, P], None]) -> Callable[Concatenate[Walker, P], None]:
    """An event of walks: it is noted before it happens, with what it is given by name."""

    @wraps(function)
    def noted(walker: Walker, *args: P.args, **given: P.kwargs) -> None:
        walker.walk.events.append((function.__name__, given))
        function(walker, *args, **given)

    return noted
