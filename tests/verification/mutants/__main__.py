"""`make mutants`: each mutant of the list is put into a copy of the tree, and the tests that it names have to fail.

It ends with 0 only if all these tests pass without any mutant, every mutant is noticed, and none of those that are said
to survive is noticed by the tests that are named with it. A test that cannot be read notices nothing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from tests.folders import in_memory
from tests.patience import VARIABLE
from tests.verification.mutants.catalog import ROOT, Mutant, catalog

_PYTEST = (sys.executable, "-m", "pytest", "-n0", "-x", "-q", "-p", "no:cacheprovider", "--tb=no")
_PASSED, _FAILED = 0, 1
"""What pytest ends with; anything else is neither (docs.pytest.org, "Exit codes")."""

_SECONDS = 900.0

_PATIENCE_SECONDS = "20"
"""Of a test that waits for what a mutant keeps from coming."""


def main() -> int:
    """All of them, or those whose names hold one of the words."""
    asked = argparse.ArgumentParser(prog="python -m tests.verification.mutants", description=__doc__)
    asked.add_argument("--at-once", type=int, default=os.cpu_count() or 1)
    asked.add_argument("words", nargs="*", help="parts of names or files")
    options = asked.parse_args()
    chosen = [m for m in catalog() if not options.words or any(w in f"{m.name} {m.file}" for w in options.words)]
    if not chosen:
        sys.stdout.write(f"no mutant has {' or '.join(options.words)} in its name or file\n")
        return 1
    with TemporaryDirectory(prefix="mutants", dir=in_memory()) as folder:
        copies = [_copied(Path(folder) / str(n)) for n in range(options.at_once)]
        if (code := _run(copies[0], sorted({test for mutant in chosen for test in mutant.tests}))) != _PASSED:
            sys.stdout.write(f"without any mutant pytest ends with {code}: nothing would be shown\n")
            return 1
        wrong = _each(copies, chosen, _tried)
    survive = sum(bool(mutant.survives) for mutant in chosen)
    sys.stdout.write(
        f"{len(chosen)} mutants, {survive} of which are said to survive; not as listed: {wrong or 'none'}\n"
    )
    return 1 if wrong else 0


def _each(copies: Sequence[Path], chosen: Sequence[Mutant], tried: Callable[[Path, Mutant], bool]) -> list[str]:
    """The names of those that are not as listed; each copy is used by one at a time."""
    free = SimpleQueue[Path]()
    for copy in copies:
        free.put(copy)

    def one(mutant: Mutant) -> bool:
        copy = free.get()
        try:
            return tried(copy, mutant)
        finally:
            free.put(copy)

    with ThreadPoolExecutor(len(copies)) as threads:
        return [mutant.name for mutant, held in zip(chosen, threads.map(one, chosen), strict=True) if not held]


def _tried(copy: Path, mutant: Mutant) -> bool:
    """Whether the mutant is noticed, or survives, as the list says."""
    if not mutant.tests:
        return True
    began, file = time.monotonic(), copy / mutant.file
    before = file.read_bytes()
    mutant.put_into(copy)
    try:
        code = _run(copy, mutant.tests)
    finally:
        file.write_bytes(before)
        for compiled in file.parent.glob(f"__pycache__/{file.stem}.*"):  # known by size and second
            compiled.unlink()
    is_as_listed = code == (_PASSED if mutant.survives else _FAILED)
    words = {_PASSED: "SURVIVES", _FAILED: "is noticed"}.get(code, f"ends pytest with {code}")
    mark = "" if is_as_listed else "WRONG "
    sys.stdout.write(f"{mark}{mutant.name} ({mutant.file}): {words}, in {time.monotonic() - began:.0f} s\n")
    sys.stdout.flush()
    return is_as_listed


def _copied(folder: Path) -> Path:
    """The tree as it is now, without what git ignores."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (source := ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, folder / name)
    return folder


def _run(copy: Path, tests: Sequence[str]) -> int:
    """What pytest ends with, in the copy: its packages come before those that are installed."""
    return subprocess.run(
        [*_PYTEST, *tests],
        cwd=copy,
        check=False,
        timeout=_SECONDS,
        env={**os.environ, VARIABLE: _PATIENCE_SECONDS},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
