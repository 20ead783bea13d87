"""The loop beside its floor and its peers: contestants in turn, round after round, each a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bot.secrets import new_key
from tests.postgres import postgres_server
from tests.verification.benchmarks import peers
from tests.verification.benchmarks.figures import Measured, Outcome
from tests.verification.benchmarks.processes import Child, Ended, child

BARE, RAW, OURS = "bare google-genai", "raw aiohttp", "ours, SQLite"
ON_POSTGRESQL = {"ours, PostgreSQL": 1, "ours, PostgreSQL × 3": 3}
_PACKAGE = "tests.verification.benchmarks"
_PLAY_SECONDS = 900.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Heat:
    """So many runs at once, each of so many steps; a round has it `again` so often and takes the mean. The longest
    ones are not for PostgreSQL, which takes as long again.
    """

    steps: int
    runs: int = 1
    rounds: int = 3
    again: int = 1
    on_postgresql: bool = True

    @property
    def name(self) -> str:
        return f"{self.steps} steps" if self.runs == 1 else f"{self.runs} at once"


HEATS = (
    Heat(steps=8, rounds=5, again=6),
    Heat(steps=32, again=2),
    Heat(steps=128, on_postgresql=False),
    Heat(steps=8, runs=50),
    Heat(steps=8, runs=100, on_postgresql=False),
)


@dataclass(slots=True)
class Result:
    """One contestant's rounds of one heat: the wall and the processor's seconds of a run, and how many runs failed."""

    wall: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])
    failed: int = 0

    @property
    def seconds(self) -> float:
        """The middle round."""
        return statistics.median(self.wall)


Results = Mapping[str, Mapping[str, Result]]
"""By heat, then by contestant."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """One process, or several replicas that share the runs."""

    name: str
    members: Sequence[Child]

    async def play(self, heat: Heat) -> tuple[float, float, int]:
        """The wall and the processor's seconds of a run, and the failures."""
        before = self._cpu()
        told = [await self._once(heat) for _ in range(heat.again)]
        runs = heat.runs * heat.again
        return sum(wall for wall, _ in told) / runs, (self._cpu() - before) / runs, sum(failed for _, failed in told)

    async def _once(self, heat: Heat) -> tuple[float, int]:
        count = len(self.members)
        shares = [heat.runs // count + (n < heat.runs % count) for n in range(count)]
        asked = [
            member.ask({"steps": heat.steps, "runs": share}, within=_PLAY_SECONDS)
            for member, share in zip(self.members, shares, strict=True)
            if share
        ]
        answers = await asyncio.gather(*asked)
        return max(answer["seconds"] for answer in answers), sum(answer["failed"] for answer in answers)

    def _cpu(self) -> float:
        return sum(member.cpu_seconds() for member in self.members)


async def bench(folder: Path, *, with_peers: bool) -> Outcome:
    """All heats, and a word for each contestant that was left out."""
    async with contextlib.AsyncExitStack() as stack:
        model = await stack.enter_async_context(child("model", ["-m", f"{_PACKAGE}.model_server"]))
        url = (await model.line())["url"]
        ours = [contestant async for contestant in _own(stack, url, folder)]
        others, left_out = await _peers(stack, url, folder) if with_peers else ([], ["peers (--peers measures them)"])
        results = {heat.name: await _heat(heat, [*ours, *others], left_out) for heat in HEATS}
    lines = [line for heat in HEATS for line in _told(heat, results[heat.name])]
    return Outcome(
        measured=_measured(results),
        lines=[*lines, *(f"  left out: {why}" for why in left_out)],
        rounds={heat: {name: asdict(one) for name, one in found.items()} for heat, found in results.items()},
    )


def _told(heat: Heat, found: Mapping[str, Result]) -> list[str]:
    floor = found[BARE].seconds
    return [
        f"{heat.name}, {heat.steps} steps each",
        *(f"  {name:<32} {_per(heat, one)}  × {one.seconds / floor:.2f}" for name, one in found.items()),
    ]


def _per(heat: Heat, one: Result) -> str:
    """Milliseconds of a model call, or runs a second."""
    calls, low, high = heat.steps + 1, min(one.wall), max(one.wall)
    cpu = f"processor {statistics.median(one.cpu) / calls * 1e3:6.2f}"
    if heat.runs > 1:
        return f"{1 / one.seconds:7.2f} runs/s ({1 / high:.2f} to {1 / low:.2f}), {cpu} ms a call, {one.failed} failed"
    each = [1e3 * seconds / calls for seconds in (one.seconds, low, high)]
    return f"{each[0]:7.2f} ms a call ({each[1]:.2f} to {each[2]:.2f}), {cpu}"


def _measured(results: Results) -> list[Measured]:
    found = [_beside(f"step_{steps}", results[f"{steps} steps"], OURS, BARE) for steps in (8, 32, 128)]
    found += [_beside(f"rate_{runs}", results[f"{runs} at once"], BARE, OURS) for runs in (50, 100)]
    short, long = (results[f"{steps} steps"][OURS].seconds / (steps + 1) for steps in (8, 128))
    failed = sum(heat[OURS].failed for heat in results.values())
    found += [Measured(key="step_growth", value=long / short), Measured(key="failed", value=failed)]
    adk = peers.ADK.name
    if adk in results["8 steps"]:
        found.append(_beside("adk_step", results["8 steps"], adk, OURS))
    if adk in results["50 at once"]:
        found.append(_beside("adk_rate", results["50 at once"], adk, OURS))
    return found


def _beside(key: str, found: Mapping[str, Result], one: str, other: str) -> Measured:
    """How many times the seconds of the other the one takes; the spread is that of the rounds."""
    rounds = [mine / its for mine, its in zip(found[one].wall, found[other].wall, strict=True)]
    return Measured(key=key, value=found[one].seconds / found[other].seconds, spread=(min(rounds), max(rounds)))


async def _heat(heat: Heat, contestants: Sequence[Contestant], left_out: list[str]) -> Mapping[str, Result]:
    """One round that does not count, then the others. Who breaks is out of this heat."""
    left = frozenset[str]() if heat.on_postgresql else ON_POSTGRESQL.keys()
    results = {contestant.name: Result() for contestant in contestants if contestant.name not in left}
    for number in range(heat.rounds + 1):
        for contestant in contestants:
            if contestant.name not in results:
                continue
            try:
                wall, cpu, failed = await contestant.play(heat)
            except Ended as end:
                left_out.append(f"{heat.name}: {end}")
                del results[contestant.name]
                continue
            if number:
                result = results[contestant.name]
                result.wall.append(wall)
                result.cpu.append(cpu)
                result.failed += failed
    return results


async def _own(stack: contextlib.AsyncExitStack, url: str, folder: Path) -> AsyncGenerator[Contestant]:
    yield await _contestant(stack, BARE, folder, ["-m", f"{_PACKAGE}.contestants.bare", url])
    yield await _contestant(stack, RAW, folder, ["-m", f"{_PACKAGE}.contestants.raw", url])
    module = ["-m", f"{_PACKAGE}.contestants.ours", url]
    yield await _contestant(stack, OURS, folder, [*module, f"sqlite+aiosqlite:///{folder}/ours.db"])
    server = stack.enter_context(postgres_server(durable=True))
    for name, count in ON_POSTGRESQL.items():
        database = stack.enter_context(server.database())
        yield await _contestant(stack, name, folder, [*module, database, new_key()], count=count)


async def _peers(stack: contextlib.AsyncExitStack, url: str, folder: Path) -> tuple[list[Contestant], list[str]]:
    made: list[Contestant] = []
    left_out: list[str] = []
    for peer in peers.PEERS:
        try:
            python = await peers.python_of(peer)
            arguments = [
                "-m",
                f"{_PACKAGE}.contestants.peers.with_{peer.module}",
                url,
                str(folder / f"{peer.module}.db"),
            ]
            made.append(await _contestant(stack, peer.name, folder, arguments, python=python))
        except (peers.NotToBeHad, Ended) as trouble:
            left_out.append(f"{peer.name}: {trouble}")
    return made, left_out


async def _contestant(
    stack: contextlib.AsyncExitStack,
    name: str,
    folder: Path,
    arguments: Sequence[str],
    *,
    count: int = 1,
    python: Path | None = None,
) -> Contestant:
    errors, program = folder / f"{name}.log", python or Path(sys.executable)
    members = [
        await stack.enter_async_context(child(name, arguments, python=program, errors=errors)) for _ in range(count)
    ]
    for member in members:
        await member.line(within=120.0)
    return Contestant(name, members)
