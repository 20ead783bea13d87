"""What the doctor found, each with the next step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Findings:
    """Problems keep people from working now, remarks are worth a look, and so is who was `away` when they were asked.
    Only `setup` says what was `good`.
    """

    problems: list[str] = field(default_factory=list[str])
    remarks: list[str] = field(default_factory=list[str])
    away: list[str] = field(default_factory=list[str])
    good: list[str] = field(default_factory=list[str])

    def told(self, say: Callable[[str], None]) -> list[str]:
        """Print the remarks; the problems."""
        for remark in [*self.remarks, *(one for one in self.away if one not in self.problems)]:
            say(f"! {remark}")
        return self.problems
