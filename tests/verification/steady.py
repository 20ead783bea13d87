"""Runs the tests five times on a machine that is busy, and names each test that was not always green."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

BUSY = "import os\nwhile os.getppid() == {pid}: pass"
"""Works until its parent is gone, however that came to its end. It has the parent's niceness, as the tests have."""


@contextmanager
def load(count: int) -> Generator[list[int]]:
    """So many processes that take all the time that they get; their ids."""
    command = [sys.executable, "-S", "-c", BUSY.format(pid=os.getpid())]
    with ExitStack() as stack:
        busy = [stack.enter_context(subprocess.Popen(command)) for _ in range(count)]
        try:
            yield [process.pid for process in busy]
        finally:
            for process in busy:
                process.kill()


def run(arguments: Sequence[str], cache: Path) -> list[str]:
    """Run the tests once; those that were not green, or what stands for a run that did not come to its end."""
    status = subprocess.run([sys.executable, "-m", "pytest", "-o", f"cache_dir={cache}", *arguments]).returncode
    failed = cache / "v" / "cache" / "lastfailed"
    names = list[str](json.loads(failed.read_text())) if failed.exists() else []
    return names or ([] if status == 0 else [f"pytest itself, with exit status {status}"])


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status 1 when a test was red at least once."""
    options = argparse.ArgumentParser(prog="python -m tests.verification.steady", description=__doc__)
    options.add_argument("--times", type=int, default=5, help="how often the tests are run")
    options.add_argument("--load", type=int, default=8, help="how many busy processes run beside them")
    chosen, arguments = options.parse_known_args(argv)
    red = Counter[str]()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the tests end, too
    with load(chosen.load), tempfile.TemporaryDirectory(prefix="countersign-steady-") as folder:
        for time in range(chosen.times):
            red.update(run(arguments, Path(folder, str(time))))
    for name, count in sorted(red.items()):
        sys.stdout.write(f"not always green: {name} (red {count} of {chosen.times} times)\n")
    sys.stdout.write(f"{len(red)} not always green in {chosen.times} runs at a load of {chosen.load}\n")
    return 1 if red else 0


if __name__ == "__main__":
    sys.exit(main())
