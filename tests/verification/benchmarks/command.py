"""The command of the benchmarks: which parts there are, and how they are run and kept."""

from __future__ import annotations

import argparse
import asyncio
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from tests import proxies
from tests.verification.benchmarks import (
    acknowledgement,
    figures,
    front_door,
    google,
    growth,
    guard,
    held,
    http_api,
    loop,
    plans,
    storage,
)
from tests.verification.benchmarks.figures import Outcome
from tests.verification.benchmarks.pace import pace
from tests.verification.benchmarks.processes import ROOT

_FILE = ROOT / ".bench" / "figures.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What was asked for."""

    names: Sequence[str]
    with_peers: bool
    json: Path


async def _google(_: Path, __: Options) -> Outcome:
    return Outcome(lines=await google.bench())


async def _loop(folder: Path, options: Options) -> Outcome:
    return await loop.bench(folder, with_peers=options.with_peers)


async def _front_door(folder: Path, _: Options) -> Outcome:
    return await front_door.bench(folder)


async def _acknowledgement(folder: Path, _: Options) -> Outcome:
    return await acknowledgement.bench(folder)


async def _held(folder: Path, _: Options) -> Outcome:
    return await held.bench(folder)


async def _storage(folder: Path, _: Options) -> Outcome:
    return await storage.bench(folder)


async def _growth(folder: Path, _: Options) -> Outcome:
    return await growth.bench(folder)


async def _plans(folder: Path, _: Options) -> Outcome:
    return await plans.bench(folder)


async def _http(folder: Path, _: Options) -> Outcome:
    return await http_api.bench(folder)


async def _guard(_: Path, __: Options) -> Outcome:
    return await asyncio.to_thread(guard.bench)


BENCHES: Mapping[str, Callable[[Path, Options], Awaitable[Outcome]]] = {
    "google": _google,
    "loop": _loop,
    "front-door": _front_door,
    "acknowledgement": _acknowledgement,
    "held": _held,
    "storage": _storage,
    "growth": _growth,
    "plans": _plans,
    "http": _http,
    "guard": _guard,
}


def run() -> int:
    """The chosen ones, or all; the status."""
    proxies.forget()
    return asyncio.run(_benches(_options()))


def _options() -> Options:
    parser = argparse.ArgumentParser(prog="python -m tests.verification.benchmarks")
    parser.add_argument("names", nargs="*", choices=[[], *BENCHES], metavar="NAME", help=", ".join(BENCHES))
    parser.add_argument("--peers", action="store_true", help="other agent frameworks, too, installed under .bench/")
    parser.add_argument("--json", type=Path, default=_FILE, help="the file for all figures")
    given = parser.parse_args()
    return Options(names=given.names or list(BENCHES), with_peers=given.peers, json=given.json)


async def _benches(options: Options) -> int:
    """Each in turn; one that breaks is said to have, and costs only its own figures. The status."""
    before, outcomes, broken = figures.machine(), dict[str, Outcome](), list[str]()
    for name in options.names:
        with TemporaryDirectory(prefix="bench", ignore_cleanup_errors=True) as folder:
            try:
                outcomes[name] = await _paced(BENCHES[name], Path(folder), options)
            except Exception:  # a part's outer edge
                traceback.print_exc()
                broken.append(name)
                continue
        _say([name, *outcomes[name].lines, ""])
    measured = [one for outcome in outcomes.values() for one in outcome.measured]
    _say(figures.table(measured))
    await asyncio.to_thread(figures.keep, options.json, outcomes, before)
    _say([f"  {name} broke, see above" for name in broken])
    _say(["", f"Everything stands in {options.json}. Load before and after: {_loads(before)}."])
    return 1 if broken else 0


async def _paced(bench: Callable[[Path, Options], Awaitable[Outcome]], folder: Path, options: Options) -> Outcome:
    """What it found, each figure with the pace of the machine around it."""
    before = await pace(folder)
    outcome = await bench(folder, options)
    meanwhile = (before + await pace(folder)) / 2
    lines = [*outcome.lines, f"  pace: {meanwhile:.2f} times as slow as where the bounds were set"]
    return replace(outcome, measured=[replace(one, pace=meanwhile) for one in outcome.measured], lines=lines)


def _loads(before: Mapping[str, object]) -> str:
    return " and ".join(str(machine["load"]) for machine in (before, figures.machine()))


def _say(lines: Sequence[str]) -> None:
    sys.stdout.write("\n".join([*lines, ""]))
    sys.stdout.flush()
