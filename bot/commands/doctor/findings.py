"""Findings: problems keep people from working now; remarks pass by themselves, or the past suggests them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Findings:
    """What was found, each with the next step."""

    problems: list[str] = field(default_factory=list[str])
    remarks: list[str] = field(default_factory=list[str])
