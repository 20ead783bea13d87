"""What the doctor found: problems keep people from working now, remarks are worth a look."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Findings:
    """What was found, each with the next step."""

    problems: list[str] = field(default_factory=list[str])
    remarks: list[str] = field(default_factory=list[str])
