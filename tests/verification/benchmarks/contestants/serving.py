"""A contestant is a process that plays when a line on its stdin says so. Only the standard library: peers use it, too.

A line is `{"steps": 8, "runs": 50}`: so many conversations at once, each of so many tool steps. The answer tells the
wall seconds, the processor's seconds of this process, and how many of them failed. It ends when stdin does.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Mapping

Play = Callable[[int, int], Awaitable[int]]
"""Steps and runs; how many failed."""

More = Callable[[], Mapping[str, object]]
"""What an answer tells besides."""


def nothing_more() -> Mapping[str, object]:
    return {}


async def serve(play: Play, more: More = nothing_more) -> None:
    """Answer every line."""
    _tell({"ready": True})
    while line := await asyncio.to_thread(sys.stdin.readline):
        wanted: dict[str, int] = json.loads(line)
        began, busy = time.perf_counter(), time.process_time()
        failed = await play(wanted["steps"], wanted["runs"])
        taken = {"seconds": time.perf_counter() - began, "cpu": time.process_time() - busy}
        _tell({**taken, "failed": failed, **more()})


def each(converse: Callable[[int], Awaitable[object]]) -> Play:
    """Play by having so many conversations of so many steps at once."""

    async def play(steps: int, runs: int) -> int:
        ended = await asyncio.gather(*(converse(steps) for _ in range(runs)), return_exceptions=True)
        failures = [end for end in ended if isinstance(end, BaseException)]
        for failure in failures[:1]:
            sys.stderr.write(f"{type(failure).__name__}: {failure}\n")
        return len(failures)

    return play


def lookup(i: int) -> dict[str, object]:
    """The one tool: looks something up."""
    return {"number": i, "found": f"What is known about number {i}, a line or two of it, as a tool would give it."}


def _tell(what: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()
