"""`python -m tests.verification.chaos.workers`: the matrix on one database, on several stages at once.

It prints what it did as one line of JSON, and keeps its folder if anything was wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import shutil
import sys
from collections import ChainMap
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp

from tests import proxies
from tests.acceptance.mortal import PRACTISED, BotProcesses
from tests.acceptance.world import world
from tests.folders import in_memory
from tests.postgres import PostgresServer, postgres_server
from tests.verification.chaos.choice import Choice, Chosen
from tests.verification.chaos.matrix import (
    Job,
    Tally,
    Theatre,
    Unfinished,
    killed,
    recordings,
    side_by_side,
    summed,
    theatres,
)
from tests.verification.chaos.report import Told
from tests.verification.chaos.scenes import SCENES
from tests.verification.chaos.stage import Adopted, adopted, practised

STAGES, STAGES_OF_POSTGRESQL = 8, 4
"""Played at once: most of a play is waiting. PostgreSQL's are played beside the storm, which needs the machine."""

CASES_PER_JOB = 5
TWICE = {"mail": 4}
"""Scenes in which the bot dies a second time while it recovers, at every so many-th point."""


def main() -> int:
    """Everything, or the scenes that are named."""
    asked = argparse.ArgumentParser(prog="python -m tests.verification.chaos.workers")
    asked.add_argument("--postgresql", action="store_true")
    asked.add_argument("--every", action="store_true", help="every point, not only those after which the world changed")
    asked.add_argument("--stages", type=int, help="how many are played at once")
    asked.add_argument("--point", default="", help="only this one")
    asked.add_argument("--times", type=int, default=1, help="how often each")
    asked.add_argument("scenes", nargs="*", default=list(SCENES))
    options = asked.parse_args()
    proxies.forget()
    folder = Path(mkdtemp(prefix="chaos", dir=in_memory()))
    told = asyncio.run(_played(options, folder))
    if not told.counts.problems and not told.unfinished:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(told.as_line())
    return 0


async def _played(options: argparse.Namespace, folder: Path) -> Told:
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(postgres_server()) if options.postgresql else None
        bot_processes = stack.enter_context(practised(server) if server else BotProcesses(PRACTISED))
        async with (
            _copies(server, folder) if server else contextlib.nullcontext() as postgres,
            theatres(folder, bot_processes, _stages(options), postgres) as stages,
        ):
            return await _matrix(options, stages)


def _stages(options: argparse.Namespace) -> int:
    return options.stages or (STAGES_OF_POSTGRESQL if options.postgresql else STAGES)


@contextlib.asynccontextmanager
async def _copies(server: PostgresServer, folder: Path) -> AsyncGenerator[Adopted]:
    own = folder / "adopted"
    own.mkdir()
    async with world(own) as here, adopted(server, here.settings) as postgres:
        yield postgres


async def _matrix(options: argparse.Namespace, stages: Sequence[Theatre]) -> Told:
    """Record all scenes, choose, and die: more sparingly on PostgreSQL, where a death takes longer to heal."""
    unfinished: list[str] = []

    def told(job: Job[Mapping[str, Sequence[str]]]) -> Job[Mapping[str, Sequence[str]]]:
        async def recorded(theatre: Theatre) -> Mapping[str, Sequence[str]]:
            try:
                return await job(theatre)
            except Unfinished as error:
                unfinished.append(str(error))
                return {}

        return recorded

    recorded = await side_by_side(stages, [told(job) for job in recordings(options.scenes, len(stages))])
    passed = ChainMap(*map(dict, recorded))
    choice = Choice(every=options.every, sparing=options.postgresql)
    chosen = {scene: choice.of(scene, passed[scene]) for scene in options.scenes if scene in passed}
    jobs: list[Job[Tally]] = []
    for scene, one in chosen.items():
        points = [options.point] if options.point else one.points
        jobs += killed(scene, [*points] * options.times, parts=-(-len(points) * options.times // CASES_PER_JOB))
        if scene in TWICE and not options.postgresql:
            some = points[:: TWICE[scene]]
            jobs += killed(scene, some, parts=-(-len(some) // CASES_PER_JOB), twice=True)
    tally = summed(await side_by_side(stages, jobs[::-1]))  # the first scenes are quick, so nobody is long behind
    return Told(
        lines=[_summary(list(chosen.values()), tally), *tally.counts.told()],
        counts=tally.counts,
        unfinished=[*unfinished, *tally.unfinished, *tally.too_few()],
    )


def _summary(chosen: Sequence[Chosen], tally: Tally) -> str:
    names = ("passed", "idle", "alike", "left")
    passed, idle, same, left = (sum(getattr(each, name) for each in chosen) for name in names)
    again = f", {tally.twice} second ones while it recovered" if tally.twice_asked else ""
    return (
        f"{len(chosen)} scenes pass {passed} points; after {idle} nothing lasting has changed, {same} are alike one of"
        f" the others, {left} are another time of the same name and not killed there; {tally.cases} cases,"
        f" {tally.deaths} deaths{again}, {len(tally.missed)} points not come to again {tally.missed}"
    )


if __name__ == "__main__":
    sys.exit(main())
