"""The figures that are wanted, what was measured of them, and how both are told and kept."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a figure is to be, and what it must be at the least; None where nothing is said."""

    label: str
    unit: str = ""
    target: float | None = None
    least: float | None = None
    is_better_higher: bool = False
    is_paced: bool = False
    """Whether a machine that is twice as slow takes twice as long for it, so that only the pace makes it comparable."""

    def reaches(self, value: float, bound: float | None) -> bool:
        """Whether this value is as good as the bound."""
        return bound is not None and (value >= bound if self.is_better_higher else value <= bound)

    def at_the_bounds(self, measured: Measured) -> float:
        """What it would be on the machine where the bounds were set."""
        if not self.is_paced:
            return measured.value
        return measured.value * measured.pace if self.is_better_higher else measured.value / measured.pace


WANTED: Mapping[str, Wanted] = {
    "step_8": Wanted(label="a step beside the bare loop, 8 steps", unit="×", target=0.50, least=0.80),
    "step_32": Wanted(label="a step beside the bare loop, 32 steps", unit="×", target=0.20, least=0.30),
    "step_128": Wanted(label="a step beside the bare loop, 128 steps", unit="×", target=0.07, least=0.10),
    "step_growth": Wanted(label="a step of 128 beside one of 8", unit="×", target=1.5, least=1.5),
    "rate_50": Wanted(label="runs a second, 50 at once", unit="× bare", target=2.0, least=1.5, is_better_higher=True),
    "rate_100": Wanted(label="runs a second, 100 at once", unit="× bare", target=2.0, least=1.5, is_better_higher=True),
    "failed": Wanted(label="runs that failed", target=0, least=0),
    "adk_step": Wanted(label="google-adk beside ours, a step of 8", unit="×", target=6, least=4, is_better_higher=True),
    "adk_rate": Wanted(
        label="ours beside google-adk, runs a second", unit="×", target=6, least=4, is_better_higher=True
    ),
    "question_cpu": Wanted(label="processor, a plain question", unit="ms", target=30, least=45, is_paced=True),
    "mail_cpu": Wanted(label="processor, an approved mail", unit="ms", target=80, least=120, is_paced=True),
    "first_text": Wanted(label="event to first text", unit="ms", target=50, least=60, is_paced=True),
    "answered": Wanted(label="event to answer, 1 tool call, 2 × 0.8 s of the model", unit="s", target=3, least=3),
    "click_warm": Wanted(label="click to effect, warm", unit="ms", target=5, least=12, is_paced=True),
    "click_new": Wanted(label="click to effect, first in a new process", unit="ms", is_paced=True),
    "acknowledged_at_once": Wanted(
        label="acknowledgement, 50 requests at once, p99", unit="ms", target=50, least=150, is_paced=True
    ),
    "acknowledged_streams": Wanted(
        label="acknowledgement, 200/s beside 50 streams, p99", unit="ms", target=50, least=150, is_paced=True
    ),
    "held": Wanted(label="one callback, 100 runs and a lock of 2 s", unit="ms", target=20, least=20, is_paced=True),
    "wal_step": Wanted(label="written to the WAL for a step", unit="KB", target=40),
    "wal_pages": Wanted(label="pages of a commit", unit="pages"),
    "verified": Wanted(
        label="audit entries verified a processor's second",
        target=50_000,
        least=50_000,
        is_better_higher=True,
        is_paced=True,
    ),
    "proven": Wanted(
        label="exported audit entries proven a processor's second",
        target=50_000,
        least=50_000,
        is_better_higher=True,
        is_paced=True,
    ),
    "postgresql_1": Wanted(label="a mail on PostgreSQL beside SQLite", unit="×", target=1.3, least=1.6),
    "postgresql_3": Wanted(label="the same with three replicas", unit="×", target=1.3, least=1.6),
    "birth": Wanted(label="birth to ready", unit="s", target=1.5, is_paced=True),
    "idle": Wanted(label="processor, idle", unit="%", target=0.5, is_paced=True),
    "memory": Wanted(label="memory, idle", unit="MiB", target=150),
    "plan_round": Wanted(label="processor, a round of a plan beside 3 bare calls", unit="×"),
    "plan_growth": Wanted(label="processor, a round behind 40 beside one behind 8", unit="×", target=1.5, least=1.5),
    "plan_killed": Wanted(label="kill in a plan to the next call of the model", unit="s", is_paced=True),
    "http_run": Wanted(
        label="a plain question over HTTP, more than in Slack", unit="ms", target=10, least=10, is_paced=True
    ),
    "http_first_byte": Wanted(
        label="first byte beside 100 idle streams, p99", unit="ms", target=100, least=100, is_paced=True
    ),
    "http_first_byte_speaking": Wanted(
        label="first byte beside 100 that speak, p99", unit="ms", target=100, least=100, is_paced=True
    ),
    "http_first_byte_busy": Wanted(
        label="first byte beside 100 that speak fast, p99", unit="ms", target=100, least=100, is_paced=True
    ),
    "http_idle": Wanted(label="memory, an idle stream", unit="KB", target=50, least=50),
    "guard_short": Wanted(label="guard, a call in a short thread", unit="ms", target=1, least=1, is_paced=True),
    "guard_60": Wanted(label="guard, 20 messages and 60 things", unit="ms", target=1, least=1, is_paced=True),
    "guard_500": Wanted(label="guard, 20 messages and 500 things", unit="ms", target=1, least=1, is_paced=True),
    "guard_500_first": Wanted(label="the same, the first time", unit="ms", is_paced=True),
    "guard_bounds": Wanted(label="guard, 200 messages and 500 things", unit="ms", is_paced=True),
    "guard_bounds_first": Wanted(label="the same, the first time", unit="ms", is_paced=True),
    "guard_growth": Wanted(label="guard, 500 things beside 60", unit="×", target=8.3, least=8.3),
    "guard_long": Wanted(label="guard, 400,000 characters and 500 things", unit="ms", is_paced=True),
    "guard_longer": Wanted(label="guard, 2,000,000 characters and 500 things", unit="ms", is_paced=True),
    "guard_long_growth": Wanted(label="guard, 500 things beside 50, long messages", unit="×", target=2, least=3),
    "guard_held": Wanted(
        label="the loop, while a long thread is judged", unit="ms", target=20, least=50, is_paced=True
    ),
    "full": Wanted(label="a step with 100,000 runs and 10,000 questions", unit="× empty", target=1.1),
}
"""By key, in the order of the table. Statements and transactions are held by `tests/verification/costs`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One figure, with its smallest and largest round where it has rounds, and the pace of the machine meanwhile: 2 is
    half as fast as the machine where the bounds were set.
    """

    key: str
    value: float
    spread: tuple[float, float] | None = None
    pace: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one benchmark found: figures of the table, lines to print beside it, and all its rounds."""

    measured: Sequence[Measured] = ()
    lines: Sequence[str] = ()
    rounds: object = field(default_factory=dict[str, object])


def table(measured: Iterable[Measured]) -> list[str]:
    """A line for each figure that was measured, with both columns. Verdicts are on what it is at the bounds' pace."""
    found = {one.key: one for one in measured}
    head = f"{'figure':<50} {'measured':>12} {'spread':>22} {'at their pace':>13} {'target':>9} {'at least':>9}"
    return [head, *(_line(WANTED[key], found[key]) for key in WANTED if key in found)]


def _line(wanted: Wanted, measured: Measured) -> str:
    spread = " to ".join(_number(end) for end in measured.spread) if measured.spread else ""
    at_the_bounds = wanted.at_the_bounds(measured)
    paced = _number(at_the_bounds) if wanted.is_paced else ""
    bounds = f"{_bound(wanted.target):>9} {_bound(wanted.least):>9}"
    return (
        f"{wanted.label:<50} {_number(measured.value):>12} {spread:>22} {paced:>13} {bounds} {wanted.unit:<8}"
        f" {_verdict(wanted, at_the_bounds)}"
    ).rstrip()


def _verdict(wanted: Wanted, value: float) -> str:
    if wanted.reaches(value, wanted.target):
        return "reached"
    if wanted.reaches(value, wanted.least):
        return "short of its target"
    return "missed" if wanted.target is not None else ""


def _bound(value: float | None) -> str:
    return "" if value is None else _number(value)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def machine() -> dict[str, object]:
    """Where it was measured, and how busy that was meanwhile."""
    return {"cores": os.cpu_count(), "load": os.getloadavg(), "python": platform.python_version()}


def keep(file: Path, outcomes: Mapping[str, Outcome], before: Mapping[str, object]) -> None:
    """Write everything into the file, whole or not at all."""
    told = {
        "machine": {"before": before, "after": machine()},
        "figures": {one.key: asdict(one) for outcome in outcomes.values() for one in outcome.measured},
        "rounds": {name: outcome.rounds for name, outcome in outcomes.items()},
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        fresh.write_text(json.dumps(told, indent=1), encoding="utf-8")
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)
