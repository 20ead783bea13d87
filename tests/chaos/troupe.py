"""`python -m tests.chaos.troupe`: one worker of the matrix, with emulators, a nursery and, if asked, a PostgreSQL.

It plays what its arguments name, prints its tally as one line of JSON, and ends with 0 if all books agreed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import sys
import traceback
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from tempfile import mkdtemp

from tests.acceptance.conftest import PROXIES
from tests.acceptance.mortal import Nursery
from tests.acceptance.world import world
from tests.chaos.matrix import Tally, Theatre, alike, ends, shares, telling
from tests.postgres import postgres_server

MOSTLY_ALIKE = frozenset({"meeting", "redelivered", "renewed"})
"""Scenes whose points are those of an approved mail but for a few."""


def main() -> int:
    """One worker's share."""
    asked = argparse.ArgumentParser(prog="python -m tests.chaos.troupe")
    asked.add_argument("--share", default="0/1", help="this worker's number and how many there are")
    asked.add_argument("--postgresql", action="store_true")
    asked.add_argument("--every", action="store_true", help="every point, not only those after which the world changed")
    asked.add_argument("scenes", nargs="+")
    options = asked.parse_args()
    for name in PROXIES:
        os.environ.pop(name, None)
    number, _, of = options.share.partition("/")
    try:
        tally = asyncio.run(
            _played(options.scenes, int(number), int(of), postgresql=options.postgresql, every=options.every)
        )
    except AssertionError:
        traceback.print_exc()
        return 1
    counts = {each.name: getattr(tally.counts, each.name) for each in fields(tally.counts)}
    told = {"cases": tally.cases, "deaths": tally.deaths, "missed": tally.missed, "counts": counts}
    sys.stdout.write(json.dumps(told) + "\n")
    return 0


async def _played(scenes: Sequence[str], number: int, of: int, *, postgresql: bool, every: bool) -> Tally:
    tally = Tally()
    with contextlib.ExitStack() as stack:
        folder = Path(mkdtemp(prefix="chaos"))
        nursery = stack.enter_context(Nursery())
        postgres = stack.enter_context(postgres_server()) if postgresql else None
        async with world(folder) as here:
            theatre = Theatre(here=here, nursery=nursery, folder=folder, postgres=postgres)
            known: set[str] = set()
            for scene in scenes:
                points = await theatre.recorded(scene)
                chosen = points if every else _chosen(scene, telling(points), known, postgresql=postgresql)
                known |= set(map(alike, points))
                tally += await theatre.killed_at(scene, shares(chosen, number, of))
    shutil.rmtree(folder)  # where something is wrong it stays, with what the bots said
    return tally


def _chosen(scene: str, points: Sequence[str], known: set[str], *, postgresql: bool) -> Sequence[str]:
    """Of scenes that are mostly like others what is new; on PostgreSQL, where a death takes longer to heal, the first
    and the last time of each.
    """
    if scene in MOSTLY_ALIKE:
        return [point for point in points if alike(point) not in known]
    return ends(points) if postgresql else points


if __name__ == "__main__":
    sys.exit(main())
