"""Runs the tests five times on a machine that is busy, and names each test that was not always green.

The load is that of the machine, what the tests and others do there included: so many processes want to work at a time.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

BUSY = """
import os, select
works = True
while True:
    if select.select([0], [], [], 0 if works else None)[0]:
        said = os.read(0, 1)
        if not said:
            break
        works = said == b"w"
    sum(range(10000))
"""
"""Works until it is told to rest, and ends when its parent does, however that ends. It is as nice as the tests are."""

LOOK_SECONDS = 5.0
MEAN_SECONDS = 60.0
"""The first figure of getloadavg(3) is a mean over the last minute, in which older seconds count less."""


class Load:
    """Busy processes, of which as many work as the machine lacks to its load; the others rest."""

    def __init__(self, busy: Sequence[subprocess.Popen[bytes]]) -> None:
        self.busy = busy
        self.working = len(busy)
        self._mean = 0.0  # of those that worked, as the system's figure has them

    def look(self, measured: float, seconds: float = LOOK_SECONDS) -> None:
        """Let as many work as others do not, by the load that the system measured after so many seconds more."""
        self._mean += (self.working - self._mean) * (1 - math.exp(-seconds / MEAN_SECONDS))
        others = max(0.0, measured - self._mean)
        self.working = max(0, round(len(self.busy) - others))
        for number, process in enumerate(self.busy):
            assert process.stdin is not None
            process.stdin.write(b"w" if number < self.working else b"r")
            process.stdin.flush()


@contextmanager
def load(count: int) -> Generator[Load]:
    """So many processes that take all the time that they get, until the block ends."""
    command = [sys.executable, "-S", "-c", BUSY]
    with ExitStack() as stack:
        busy = [stack.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE)) for _ in range(count)]
        try:
            yield Load(busy)
        finally:
            for process in busy:
                process.kill()


def run(arguments: Sequence[str], cache: Path, beside: Load) -> list[str]:
    """Run the tests once; those that were not green, or what stands for a run that did not come to its end."""
    with subprocess.Popen([sys.executable, "-m", "pytest", "-o", f"cache_dir={cache}", *arguments]) as tests:
        try:
            while tests.poll() is None:
                with suppress(subprocess.TimeoutExpired):
                    tests.wait(LOOK_SECONDS)
                beside.look(os.getloadavg()[0])
        except KeyboardInterrupt:
            _end(tests)
            raise
        status = tests.returncode
    failed = cache / "v" / "cache" / "lastfailed"
    names = list[str](json.loads(failed.read_text())) if failed.exists() else []
    return names or ([] if status == 0 else [f"pytest itself, with exit status {status}"])


def _end(tests: subprocess.Popen[bytes]) -> None:
    """Wait for their end: a terminal interrupts them as well, and `kill` this process alone."""
    try:
        tests.wait(LOOK_SECONDS)
    except subprocess.TimeoutExpired:
        tests.send_signal(signal.SIGINT)
        tests.wait()


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status 1 when a test was red at least once."""
    options = argparse.ArgumentParser(prog="python -m tests.verification.steady", description=__doc__)
    options.add_argument("--times", type=int, default=5, help="how often the tests are run")
    options.add_argument("--load", type=int, default=8, help="the load of the machine, the tests included")
    chosen, arguments = options.parse_known_args(argv)
    red = Counter[str]()
    for ended_by in (signal.SIGINT, signal.SIGTERM):  # also where a shell made it deaf to the first
        signal.signal(ended_by, signal.default_int_handler)
    with load(chosen.load) as beside, tempfile.TemporaryDirectory(prefix="countersign-steady-") as folder:
        for time in range(chosen.times):
            red.update(run(arguments, Path(folder, str(time)), beside))
    for name, count in sorted(red.items()):
        sys.stdout.write(f"not always green: {name} (red {count} of {chosen.times} times)\n")
    sys.stdout.write(f"{len(red)} not always green in {chosen.times} runs at a load of {chosen.load}\n")
    return 1 if red else 0


if __name__ == "__main__":
    sys.exit(main())
