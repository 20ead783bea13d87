"""The figures of a soak: what grows is found, what only warms up is not."""

from __future__ import annotations

import pytest

from tests.verification.soak.figures import Sample, figures, slope


def samples(
    *, tasks: float = 0, files: float = 0, rss: float = 0, sqlite: float = 0, per_run: float = 0
) -> list[Sample]:
    """Ten minutes, in which so much more comes each minute (KiB of memory; bytes for each run more than the last)."""
    return [
        Sample(
            seconds=minute * 60.0,
            rss_kib=int(180_000 + min(minute, 3) * 9_000 + rss * minute + (10_000 + sqlite * minute)),
            sqlite_kib=int(10_000 + sqlite * minute),
            tasks=int(20 + tasks * minute),
            files=int(30 + files * minute),
            database=int(500_000 + minute * 40 * (16_000 + per_run * minute)),
            runs=minute * 40,
        )
        for minute in range(11)
    ]


def grows(found: list[Sample]) -> set[str]:
    return {figure.name for figure in figures(found, rss_bound=1.0) if not figure.is_flat}


def test_a_slope() -> None:
    """Least squares; without spread there is none."""
    assert slope([0, 1, 2, 3], [1, 3, 5, 7]) == pytest.approx(2)
    assert slope([2, 2], [1, 5]) == slope([], []) == 0


def test_what_warms_up_is_flat() -> None:
    """Memory that fills caches in the first third grows nothing afterwards; SQLite's fill for longer."""
    assert grows(samples()) == grows(samples(sqlite=900)) == set()


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({"rss": 2_000}, "memory but SQLite's"),
        ({"sqlite": 6_000}, "SQLite's memory"),
        ({"tasks": 3}, "asyncio tasks"),
        ({"files": 3}, "file descriptors"),
        ({"per_run": 2_000}, "database per run"),
    ],
)
def test_what_grows_is_found(more: dict[str, float], name: str) -> None:
    """Each figure by itself; its line says so."""
    assert grows(samples(**more)) == {name}
    assert [figure.line() for figure in figures(samples(**more), rss_bound=1.0) if "GROWS" in figure.line()]
