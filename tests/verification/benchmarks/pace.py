"""How fast the machine is at the moment, by google-genai alone: bounds in milliseconds are those of another machine."""

from __future__ import annotations

import contextlib
import statistics
from pathlib import Path

from tests.verification.benchmarks.processes import child

BARE_SECONDS = 0.0068
"""What a call of google-genai alone took, in runs of 8 steps, on the machine where the bounds were set."""
_PACKAGE = "tests.verification.benchmarks"
_STEPS, _ROUNDS = 8, 9


async def pace(folder: Path) -> float:
    """2 where the machine is half as fast as that one: the middle of some runs, after one that does not count. They are
    seconds of the processor, which others on the machine change less than those of the clock.
    """
    async with contextlib.AsyncExitStack() as stack:
        model = await stack.enter_async_context(child("model", ["-m", f"{_PACKAGE}.model_server"]))
        url = (await model.line())["url"]
        errors = folder / "bare.log"
        bare = await stack.enter_async_context(
            child("bare", ["-m", f"{_PACKAGE}.contestants.bare", url], errors=errors)
        )
        await bare.line(within=60.0)
        runs = [(await bare.ask({"steps": _STEPS, "runs": 1}))["cpu"] for _ in range(1 + _ROUNDS)]
    return statistics.median(runs[1:]) / (_STEPS + 1) / BARE_SECONDS
