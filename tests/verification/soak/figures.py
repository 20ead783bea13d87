"""Figures of a process over time, and whether they grow. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.store.engine.sqlite import CONNECTIONS

WARM_UP = 1 / 3
"""Of the whole time: caches fill, the database's files find their size."""


SQLITE_MIB = CONNECTIONS * 4.0
"""Of each connection 2 MiB of pages (SQLite's `cache_size`), and its statements."""

SOCKETS = 12
"""So many more or less are open as the moment before a look was busy or not: they are kept a while to be used again.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One look at the process: `seconds` since the start, memory in KiB and what SQLite has of it, the database in
    bytes.
    """

    seconds: float
    rss_kib: int
    sqlite_kib: int
    tasks: int
    files: int
    database: int
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One thing that must stay flat: how much it grows (in a minute, if it is of one moment), and how much it may."""

    name: str
    first: float
    last: float
    growth: float
    bound: float
    unit: str

    @property
    def is_flat(self) -> bool:
        """Whether it stays within the bound."""
        return self.growth <= self.bound

    def line(self) -> str:
        """For people."""
        verdict = "flat" if self.is_flat else "GROWS"
        return (
            f"{self.name:22} {self.first:10,.1f} → {self.last:10,.1f} {self.unit:10} "
            f"{self.growth:+9.2f} (at most {self.bound:g}): {verdict}"
        )


def slope(xs: Sequence[float], ys: Sequence[float]) -> float:
    """The slope of the line that fits best, by least squares; 0 where there is no spread."""
    if len(xs) < 2:
        return 0.0
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((each - x) ** 2 for each in xs)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / spread if spread else 0.0


def figures(samples: Sequence[Sample], *, rss_bound: float) -> list[Figure]:
    """What was measured after the warm-up."""
    warm = _warm(samples)
    minutes = [sample.seconds / 60 for sample in warm]

    def over_time(name: str, values: Sequence[float], unit: str, bound: float) -> Figure:
        return Figure(
            name=name, first=values[0], last=values[-1], growth=slope(minutes, values), bound=bound, unit=unit
        )

    return [
        over_time("memory but SQLite's", [_own(sample) / 1024 for sample in warm], "MiB", rss_bound),
        _sqlite(samples),
        over_time("asyncio tasks", [float(sample.tasks) for sample in warm], "tasks", 2.0),
        over_time(
            "file descriptors", [float(sample.files) for sample in warm], "files", max(2.0, SOCKETS / minutes[-1])
        ),
        _database(warm),
    ]


def _warm(samples: Sequence[Sample]) -> Sequence[Sample]:
    end = samples[-1].seconds * WARM_UP
    return [sample for sample in samples if sample.seconds >= end]


def _own(sample: Sample) -> int:
    return sample.rss_kib - sample.sqlite_kib


def _sqlite(samples: Sequence[Sample]) -> Figure:
    """What SQLite has. It may grow, as each connection comes to keep as many pages as it may: but no further."""
    first, last = (sample.sqlite_kib / 1024 for sample in (samples[0], samples[-1]))
    return Figure(name="SQLite's memory", first=first, last=last, growth=last, bound=SQLITE_MIB, unit="MiB")


def _database(warm: Sequence[Sample]) -> Figure:
    """KiB that each run adds, in the first half and in the second."""
    half = len(warm) // 2
    early, late = (
        slope([float(sample.runs) for sample in part], [sample.database / 1024 for sample in part])
        for part in (warm[:half], warm[half:])
    )
    most = max(2.0, early / 4)
    return Figure(name="database per run", first=early, last=late, growth=late - early, bound=most, unit="KiB")
