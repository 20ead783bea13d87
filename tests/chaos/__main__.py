"""`make chaos`: the bot dies at every point of every scene, on both databases; the explorer searches deep; and a storm.

It ends with 0 only if nothing was lost, nothing doubled, and nothing else is wrong in the books.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from tests.acceptance.conftest import PROXIES
from tests.acceptance.mortal import ROOT, Nursery
from tests.chaos.books import Counts
from tests.chaos.matrix import Tally
from tests.chaos.scenes import SCENES
from tests.chaos.storm import Outcome, Weather, storm
from tests.postgres import postgres_server

WORKERS = 4
"""Processes that play the matrix at the same time, half of them for each database: most of a play is waiting."""


@dataclass(slots=True)
class Report:
    """What was seen, and whether all of it was well."""

    counts: Counts = field(default_factory=Counts)
    failures: list[str] = field(default_factory=list[str])
    began: float = field(default_factory=time.monotonic)

    def say(self, *lines: str) -> None:
        """Say it at once: a part takes minutes."""
        for line in lines:
            sys.stdout.write(f"[{time.monotonic() - self.began:4.0f} s] {line}\n")
        sys.stdout.flush()

    def fail(self, what: str) -> None:
        """Something is wrong."""
        self.failures.append(what)
        self.say(f"WRONG {what}")


def main() -> int:
    """Everything, or the parts that are named."""
    asked = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    asked.add_argument("--seed", type=int, default=None, help="of the storm; printed, and another one each time")
    asked.add_argument("--runs", type=int, default=700)
    asked.add_argument("--kills", type=int, default=25)
    asked.add_argument("--freezes", type=int, default=8)
    asked.add_argument("--workers", type=int, default=WORKERS)
    asked.add_argument("--every", action="store_true", help="points that change nothing, too: twice the time")
    asked.add_argument("parts", nargs="*", help="matrix, explorer, storm; all of them without a name")
    options = asked.parse_args()
    for name in PROXIES:
        os.environ.pop(name, None)
    parts = options.parts or ["matrix", "explorer", "storm"]
    report = Report()
    if "matrix" in parts or "explorer" in parts:
        asyncio.run(_side_by_side(options, parts, report))
    if "storm" in parts:
        _storm(options, report)
    return _end(report)


def _end(report: Report) -> int:
    found = report.counts
    report.say(*[f"PROBLEM {problem}" for problem in found.problems[:40]])
    report.say(f"{len(found.lost)} lost", f"{len(found.doubled)} doubled")
    return 1 if found.problems or report.failures else 0


# The matrix and the explorer --------------------------------------------------------------------------------------


async def _side_by_side(options: argparse.Namespace, parts: Sequence[str], report: Report) -> None:
    async with asyncio.TaskGroup() as tasks:
        if "explorer" in parts:
            tasks.create_task(_explorer(report))
        if "matrix" in parts:
            tasks.create_task(_matrix(options, report))


async def _explorer(report: Report) -> None:
    status, said = await _run("-m", "tests.explorer", "--deep")
    report.say(f"explorer: {said.strip()[-2000:]}")
    if status:
        report.fail("the explorer")


async def _matrix(options: argparse.Namespace, report: Report) -> None:
    """Both databases, in shares; each worker plays all scenes."""
    of = max(1, options.workers // 2)
    jobs = [(kind, number) for kind in ("sqlite", "postgresql") for number in range(of)]
    tallies: dict[str, Tally] = {}
    turns = asyncio.Semaphore(options.workers)

    async def work(kind: str, number: int) -> None:
        flags = ["--postgresql"] * (kind == "postgresql") + ["--every"] * options.every
        share = f"{number}/{of}"
        async with turns:
            status, said = await _run("-m", "tests.chaos.troupe", "--share", share, *flags, *SCENES)
        if status:
            report.fail(f"matrix on {kind}, share {share}:\n{said[-6000:]}")
            return
        tallies[kind] = tallies.get(kind, Tally())
        tallies[kind] += _tally(json.loads(said.splitlines()[-1]))

    await asyncio.gather(*(work(kind, number) for kind, number in jobs))
    for kind, tally in tallies.items():
        missed = f", {len(tally.missed)} points not come to" if tally.missed else ""
        report.say(f"matrix on {kind}: {tally.cases} cases, {tally.deaths} deaths{missed}", *tally.counts.told())
        report.counts += tally.counts


def _tally(told: Mapping[str, Any]) -> Tally:
    counts = told["counts"]
    counted: dict[str, Any] = {name: Counter[str](counts[name]) for name in ("runs", "actions")}
    known: dict[str, Any] = {**told, "counts": Counts(**{**counts, **counted})}
    return Tally(**known)


async def _run(*command: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said, _ = await process.communicate()
    return process.returncode or 0, said.decode(errors="replace")


# The storm --------------------------------------------------------------------------------------------------------


def _storm(options: argparse.Namespace, report: Report) -> None:
    seed = random.SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    weather = Weather(seed=seed, runs=options.runs, kills=options.kills, freezes=options.freezes)
    folder = Path(mkdtemp(prefix="storm"))
    report.say(f"storm: seed {seed} (again with --seed {seed}), logs in {folder}")
    with Nursery() as nursery, postgres_server() as postgres:
        outcome: Outcome = asyncio.run(storm(folder, postgres, nursery, weather))
    report.say(*(f"storm: {line}" for line in outcome.told()))
    report.counts += outcome.counts
    for death in outcome.died:
        report.fail(death)


if __name__ == "__main__":
    sys.exit(main())
