"""Plans: a round beside three calls of google-genai alone, late rounds beside early ones, and a kill in the middle."""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import aiohttp

from tests.verification.benchmarks.figures import Measured, Outcome
from tests.verification.benchmarks.processes import Child, child

_PACKAGE = "tests.verification.benchmarks"
_FEW, _SOME, _MANY = 8, 40, 160
"""Rounds of a task. What lies between two of them costs neither the planning nor the confirmation."""
_REPEATS, _KILLS = 2, 3
_CALLS = 3  # of the model, in a round
_LOOK_SECONDS = 0.002


async def bench(folder: Path) -> Outcome:
    """Ours and the floor in turn, round after round; then the kills."""
    async with contextlib.AsyncExitStack() as stack:
        model = await stack.enter_async_context(child("model", ["-m", f"{_PACKAGE}.model_server"]))
        url = (await model.line())["url"]
        bare = await stack.enter_async_context(child("bare", ["-m", f"{_PACKAGE}.contestants.bare", url]))
        ours = await stack.enter_async_context(child("ours", _ours(url, folder), errors=folder / "ours.log"))
        for each in (bare, ours):
            await each.line(within=60.0)
        await ours.ask({"steps": _FEW, "runs": 1})  # what is done for the first time counts for nobody
        played = [
            (await _played(ours, _FEW, _SOME, _MANY), await _played(bare, _CALLS * _FEW, _CALLS * _SOME))
            for _ in range(_REPEATS)
        ]
    taken_up = [await _killed(folder / f"killed{n}") for n in range(_KILLS)]
    return _outcome(played, taken_up)


def _ours(url: str, folder: Path) -> list[str]:
    return ["-m", f"{_PACKAGE}.contestants.planned", url, f"sqlite+aiosqlite:///{folder}/plans.db"]


async def _played(contestant: Child, *lengths: int) -> Mapping[int, float]:
    """The processor's seconds of each length. The bare loop takes a final text besides its steps."""
    taken: dict[int, float] = {}
    for steps in lengths:
        answer = await contestant.ask({"steps": steps, "runs": 1})
        assert not answer["failed"], f"{steps} of {contestant.name} failed"
        taken[steps] = answer["cpu"]
    return taken


def _between(taken: Mapping[int, float], fewer: int, more: int) -> float:
    """Those of one among the ones behind the first ones."""
    return (taken[more] - taken[fewer]) / (more - fewer)


async def _killed(folder: Path) -> float:
    """Seconds from SIGKILL in the middle of a plan until the model is asked again, by a new process."""
    await asyncio.to_thread(folder.mkdir)
    async with contextlib.AsyncExitStack() as stack:
        model = await stack.enter_async_context(child("model", ["-m", f"{_PACKAGE}.model_server"]))
        url = (await model.line())["url"]
        http = await stack.enter_async_context(aiohttp.ClientSession())
        async with child("ours", _ours(url, folder), errors=folder / "ours.log") as first:
            await first.line(within=60.0)
            playing = asyncio.create_task(first.ask({"steps": _MANY, "runs": 1}))
            await _asked(http, url, more_than=10 * _CALLS)
            first.process.kill()
            began = time.perf_counter()
            await asyncio.gather(playing, return_exceptions=True)
        before = await _asked(http, url)
        async with child("ours", _ours(url, folder), errors=folder / "ours.log"):
            await _asked(http, url, more_than=before)
            return time.perf_counter() - began


async def _asked(http: aiohttp.ClientSession, url: str, *, more_than: int = -1) -> int:
    """How often the model was asked, once that is more."""
    while True:
        async with http.get(f"{url}/asked") as answer:
            count: int = (await answer.json())["asked"]
        if count > more_than:
            return count
        await asyncio.sleep(_LOOK_SECONDS)


def _outcome(played: Sequence[tuple[Mapping[int, float], Mapping[int, float]]], taken_up: Sequence[float]) -> Outcome:
    early = [_between(ours, _FEW, _SOME) for ours, _ in played]
    late = [_between(ours, _SOME, _MANY) for ours, _ in played]
    bare = [_CALLS * _between(bare, _CALLS * _FEW, _CALLS * _SOME) for _, bare in played]
    beside = [ours / floor for ours, floor in zip(early, bare, strict=True)]
    growth = [later / earlier for later, earlier in zip(late, early, strict=True)]
    return Outcome(
        measured=[
            _measured("plan_round", beside),
            _measured("plan_growth", growth),
            _measured("plan_killed", taken_up),
        ],
        lines=[
            _told(f"a round, {_FEW} to {_SOME}", early),
            _told("three bare calls there", bare),
            _told(f"a round, {_SOME} to {_MANY}", late),
        ],
        rounds={"early": early, "late": late, "bare": bare, "killed": taken_up},
    )


def _measured(key: str, found: Sequence[float]) -> Measured:
    return Measured(key=key, value=statistics.median(found), spread=(min(found), max(found)))


def _told(what: str, seconds: Sequence[float]) -> str:
    middle, low, high = (1e3 * one for one in (statistics.median(seconds), min(seconds), max(seconds)))
    return f"  {what:<24} {middle:7.2f} ms ({low:.2f} to {high:.2f})"
