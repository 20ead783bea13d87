"""`make chaos`: the bot dies at every point of every scene, on both databases; the explorer searches deep; and a storm.

Each part is a process, and as many go on at once as the cores have room for. It ends with 0 only if every part came to
its end, nothing was lost, nothing doubled, and nothing else is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from tempfile import TemporaryFile

from bot.domain.audit import AuditCode
from tests.acceptance.mortal import ROOT
from tests.verification.chaos.consistency import Counts
from tests.verification.chaos.part import END_SECONDS
from tests.verification.chaos.report import Told, ending

AT_ONCE = 3
"""Parts: much of what they do is waiting."""

PART_SECONDS = 1500.0
"""A part that takes longer hangs. On two idle cores all of them together take about ten minutes."""
_EVERY = 5
"""So many times as long may it take with every point."""

_NICE = {"storm": 0, "explorer": 9}
"""The storm takes longest, so it comes first. Who only calculates takes a tenth of that, or what the others leave: with
much less it does not come to its end where the machine does other work, too.
"""
_RATHER_NICE = 4
"""About two fifths of the storm's share. With much less the leases of a scene, which last seconds, run out again and
again, and it does not come to rest.
"""
_BESIDE = "explorer"
"""It waits for nobody, and nobody waits for it."""

_WHOLE_LINES = {"PYTHONUNBUFFERED": "1", "COLUMNS": "1000"}
"""For those who speak while they are at it, and would cut off at the width of a terminal what they say."""

_SPEAKING = {"sqlite", "postgresql", "storm"}
"""Parts whose last line is a `Told`."""


@dataclass(slots=True)
class Report:
    """What was seen, and whether all of it was well."""

    counts: Counts = field(default_factory=Counts)
    compared: bool = False
    failures: list[str] = field(default_factory=list[str])
    began: float = field(default_factory=time.monotonic)
    used: float = 0.0

    def say(self, *lines: str) -> None:
        """Say it at once: a part takes minutes."""
        for line in lines:
            sys.stdout.write(f"[{time.monotonic() - self.began:4.0f} s] {line}\n")
        sys.stdout.flush()

    def fail(self, what: str) -> None:
        """Something is wrong."""
        self.failures.append(what)
        self.say(f"WRONG {what}")

    def since_last(self) -> float:
        """The processor's seconds of those that ended since this was last asked."""
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        before, self.used = self.used, children.ru_utime + children.ru_stime
        return self.used - before


def main() -> int:
    """Everything, or the parts that are named."""
    asked = argparse.ArgumentParser(prog="python -m tests.verification.chaos", description=__doc__)
    asked.add_argument("--seed", type=int, default=None, help="of the storm; printed, and another one each time")
    asked.add_argument("--runs", type=int, default=700)
    asked.add_argument("--kills", type=int, default=25)
    asked.add_argument("--freezes", type=int, default=8)
    asked.add_argument("--at-once", type=int, default=AT_ONCE, help="parts")
    asked.add_argument(
        "--every", action="store_true", help="points that change nothing, and those left out: over an hour"
    )
    asked.add_argument(
        "parts", nargs="*", help="explorer, sqlite, postgresql, storm, tests; all of them without a name"
    )
    options = asked.parse_args()
    report = Report()
    try:
        asyncio.run(_play(options, report))
    except asyncio.CancelledError:
        report.fail("interrupted")
    return end(report)


def _commands(options: argparse.Namespace) -> Mapping[str, Sequence[str]]:
    """What the parts are: the longest first, then what mostly waits."""
    seed = random.SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    every = ["--every"] * options.every
    weather = [f"--{name}={getattr(options, name)}" for name in ("runs", "kills", "freezes")]
    return {
        "storm": ["tests.verification.chaos.storm", f"--seed={seed}", *weather],
        "explorer": ["tests.verification.explorer", "--deep"],
        "tests": ["pytest", "-m", "chaos", "-n0", *_marked()],
        "postgresql": ["tests.verification.chaos.workers", "--postgresql", *every],
        "sqlite": ["tests.verification.chaos.workers", *every],
    }


def _marked() -> Sequence[str]:
    """The files with tests that are marked so: to read all the others takes the processor half a minute."""
    return [str(file) for file in sorted((ROOT / "tests").rglob("test_*.py")) if "mark.chaos" in file.read_text()]


async def _play(options: argparse.Namespace, report: Report) -> None:
    commands = _commands(options)
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, _current_task().cancel)
    turns = asyncio.Semaphore(options.at_once)

    async def one(name: str) -> None:
        async with contextlib.nullcontext() if name == _BESIDE else turns:
            await _part(name, commands[name], report, seconds=PART_SECONDS * (_EVERY if options.every else 1))

    async with asyncio.TaskGroup() as tasks:
        for name in options.parts or commands:
            tasks.create_task(one(name))


def _current_task() -> asyncio.Task[None]:
    task = asyncio.current_task()
    assert task is not None
    return task


async def _part(name: str, command: Sequence[str], report: Report, *, seconds: float) -> None:
    """One part, from its beginning to its end: what it did, or why it is wrong."""
    began = time.monotonic()
    report.say(f"{name}: begins ({' '.join(command[:5])})")
    status, said = await _run(str(_NICE.get(name, _RATHER_NICE)), *command, seconds=seconds)
    took = f"took {time.monotonic() - began:.0f} s, {report.since_last():.0f} s of the processor"
    if status is None:
        report.fail(f"{name} hangs, and was ended:\n" + "\n".join(ending(said)))
    elif status or (name in _SPEAKING and not said.strip()):
        report.fail(f"{name} ended with {status}:\n" + "\n".join(ending(said)))
    elif name in _SPEAKING:
        told = Told.from_line(said.splitlines()[-1])
        report.say(*(f"{name}: {line}" for line in told.lines))
        report.counts += told.counts
        report.compared = True
        for problem in told.unfinished:
            report.fail(f"{name}: {problem}")
    else:
        last = (said.strip().splitlines() or [""])[-1]
        report.say(f"{name}: {last}")
        if name == "tests" and " passed" not in last:
            report.fail(f"{name}: none was played")
    report.say(f"{name}: {took}")


async def _run(*command: str, seconds: float) -> tuple[int | None, str]:
    """The status and what was said; no status where it took too long. Cancelled, it ends what it began."""
    reads, writes = os.pipe()
    with TemporaryFile() as said:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.verification.chaos.part", *command,
            cwd=ROOT, env={**os.environ, **_WHOLE_LINES}, stdin=reads, stdout=said, stderr=said, start_new_session=True,
        )  # fmt: skip
        os.close(reads)
        status: int | None = None
        try:
            async with asyncio.timeout(seconds):
                status = await process.wait()
        except TimeoutError:
            pass
        finally:
            os.close(writes)
            await _ended(process)
        said.seek(0)
        return status, said.read().decode(errors="replace")


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Its stdin is at an end, and with that the part; if not, it is killed, and whatever it began notices that."""
    try:
        async with asyncio.timeout(END_SECONDS + 5):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def end(report: Report) -> int:
    """What the run proves, and its status."""
    found = report.counts
    report.say(*(f"PROBLEM {problem}" for problem in found.problems[:40]))
    report.say(f"all parts: {found.requests} requests, {found.runs.total()} runs, {found.mails} mails sent by Google")
    never = sorted({code.value for code in AuditCode} - found.codes.keys())
    report.say(f"{len(found.codes)} audit codes came up; never played: {', '.join(never)}")
    report.since_last()
    report.say(f"the processor was used for {report.used:.0f} s")
    report.say(*_verdict(report))
    return 1 if found.problems or report.failures else 0


def _verdict(report: Report) -> Sequence[str]:
    """What did not come to its end, or was compared with nothing, may have lost anything."""
    found = report.counts
    if report.failures:
        return [f"no verdict: {len(report.failures)} parts or plays did not come to their end"]
    if not report.compared:
        return ["no verdict on what was lost: none of these parts compares anything"]
    return [f"{len(found.lost)} lost", f"{len(found.doubled)} doubled", f"{len(found.wrong)} otherwise wrong"]


if __name__ == "__main__":
    sys.exit(main())
