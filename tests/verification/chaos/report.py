"""What a part tells about itself: its last line, as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from tests.verification.chaos.consistency import Counts


@dataclass(slots=True, kw_only=True)
class Told:
    """Figures in words, what the consistency check found, and what did not come to its end or died of itself."""

    lines: list[str] = field(default_factory=list[str])
    counts: Counts = field(default_factory=Counts)
    unfinished: list[str] = field(default_factory=list[str])

    def as_line(self) -> str:
        """For stdout."""
        counts = {each.name: getattr(self.counts, each.name) for each in fields(self.counts)}
        return json.dumps({"lines": self.lines, "counts": counts, "unfinished": self.unfinished}) + "\n"

    @classmethod
    def from_line(cls, line: str) -> Told:
        """As it was said."""
        told: dict[str, Any] = json.loads(line)
        counts: dict[str, Any] = told["counts"]
        counts |= {name: Counter[str](counts[name]) for name in ("runs", "actions", "codes")}
        return cls(lines=told["lines"], counts=Counts(**counts), unfinished=told["unfinished"])


def ending(said: str, lines: int = 25) -> Sequence[str]:
    """The end of what somebody said, cut to what a person reads."""
    return [line[:300] for line in said.splitlines()[-lines:]]
