"""How long one callback holds the event loop, with a hundred runs at once and another process that writes for long."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.verification.benchmarks.figures import Measured, Outcome
from tests.verification.benchmarks.processes import Child, child

RUNS, LOCK_SECONDS = 100, 2.0
_STEPS, _ROUNDS = 8, 3
_BEFORE_SECONDS = 0.5
"""After so long it writes: the runs have begun."""
_PACKAGE = "tests.verification.benchmarks"


async def bench(folder: Path) -> Outcome:
    """The longest callback of all rounds, after one that does not count."""
    file = folder / "ours.db"
    async with child("model", ["-m", f"{_PACKAGE}.model_server"]) as model:
        url = (await model.line())["url"]
        arguments = ["-m", f"{_PACKAGE}.contestants.watched", url, f"sqlite+aiosqlite:///{file}"]
        async with child("ours", arguments, errors=folder / "ours.log") as ours:
            await ours.line(within=120.0)
            told = [await _round(ours, file) for _ in range(1 + _ROUNDS)][1:]
    held = [one["held"] for one in told]
    assert not any(one["failed"] for one in told), told
    longest = max(told, key=lambda one: one["held"])
    return Outcome(
        measured=[Measured(key="held", value=max(held) * 1e3, spread=(min(held) * 1e3, max(held) * 1e3))],
        lines=[
            f"  the longest: {longest['callback'][:100]}, {longest['collector'] * 1e3:.0f} ms of it Python's collector"
        ],
        rounds=told,
    )


async def _round(ours: Child, file: Path) -> dict[str, Any]:
    answer, _ = await asyncio.gather(ours.ask({"steps": _STEPS, "runs": RUNS}), asyncio.to_thread(_writes, file))
    return answer


def _writes(file: Path) -> None:
    """Another process, which holds the lock of the file."""
    time.sleep(_BEFORE_SECONDS)
    with closing(sqlite3.connect(file, isolation_level=None, timeout=60.0)) as other:
        other.execute("BEGIN IMMEDIATE")
        time.sleep(LOCK_SECONDS)
        other.execute("COMMIT")
