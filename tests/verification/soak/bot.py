"""The real bot's command line, and beside it a thread that writes down each second what is only seen from inside: how
many asyncio tasks there are, and how much memory SQLite has.

`python -m tests.verification.soak.bot FILE`: everything else of a process can be seen from outside.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from bot import cli

_DIGITS = re.compile(r"(?<![a-z])[a-z]+_[0-9a-v]{20,}|[0-9]+")


def main() -> None:
    """As `countersign run`."""
    threading.Thread(target=_watch, args=(Path(sys.argv[1]), sqlites_memory()), daemon=True).start()
    cli.main(["run"])


def _watch(file: Path, sqlite: Callable[[], int]) -> None:
    while (loop := _loop()) is None:
        time.sleep(0.2)
    while True:
        fresh = file.with_suffix(".new")
        seen = {"tasks": _kinds(asyncio.all_tasks(loop)), "sqlite_kib": sqlite() // 1024}
        fresh.write_text(json.dumps(seen), encoding="utf-8")
        fresh.replace(file)
        time.sleep(1)


def sqlites_memory() -> Callable[[], int]:
    """Asks SQLite for the bytes that it has: the pages that its connections keep, and their statements. Nothing can be
    asked where SQLite is no library of its own, and then it has none.
    """
    maps = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    library = next((line.split()[-1] for line in maps if "/libsqlite3." in line), None)
    if library is None:
        return lambda: 0
    used = ctypes.CDLL(library).sqlite3_memory_used
    used.restype = ctypes.c_int64
    return used


def _kinds(tasks: Iterable[asyncio.Task[object]]) -> Mapping[str, int]:
    """How many of each kind: their names without ids and numbers."""
    return Counter(_DIGITS.sub("#", task.get_name()) for task in tasks)


def _loop() -> asyncio.AbstractEventLoop | None:
    """The loop that runs, found among everything there is."""
    loops = [each for each in gc.get_objects() if isinstance(each, asyncio.AbstractEventLoop)]
    return next((loop for loop in loops if loop.is_running()), None)


if __name__ == "__main__":
    main()
