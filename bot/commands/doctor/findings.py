"""What the doctor found, each with the next step."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Findings:
    """Problems keep people from working now, remarks are worth a look. Only `setup` says what was `good`."""

    problems: list[str] = field(default_factory=list[str])
    remarks: list[str] = field(default_factory=list[str])
    good: list[str] = field(default_factory=list[str])
