"""The instructions of the Dockerfile."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One instruction of the Dockerfile."""

    name: str
    value: str


def dockerfile() -> list[Instruction]:
    """The instructions, continued lines joined, comments left out."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    parts = [line.partition(" ") for line in lines]
    return [Instruction(name=name, value=value.strip()) for name, _, value in parts]


def of(name: str) -> list[str]:
    """The values of each instruction of this name."""
    return [instruction.value for instruction in dockerfile() if instruction.name == name]
