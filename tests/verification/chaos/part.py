"""`python -m tests.verification.chaos.part NICE MODULE …`: one part of `make chaos`, which ends with its stdin.

Whoever started it has had enough then, or is dead however he died: nothing that was started here outlives him. The part
is interrupted as by Ctrl-C, so that it can end what it started itself, and after a while it is ended.
"""

from __future__ import annotations

import gc
import os
import runpy
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

END_SECONDS = 15.0
"""For ending what was started."""


def main() -> None:
    """Run the module."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    stdin = os.dup(0)  # nobody who is started here reads it
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    threading.Thread(target=_watch, args=(stdin,), name="stdin", daemon=True).start()
    gc.set_threshold(50_000, 20, 100)  # worlds of emulators are much to look through for cycles, and are no cycles
    _be_nice(int(sys.argv[1]))
    del sys.argv[:2]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _be_nice(nice: int) -> None:
    """To other parts: Linux gives each session its share, and who is nice in it is so to its own (sched(7), “The
    autogroup feature”). Who is nice at all interrupts nobody who is at work.
    """
    os.nice(nice)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(nice), encoding="ascii")
    if nice and hasattr(os, "SCHED_BATCH"):
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def _watch(stdin: int) -> None:
    while os.read(stdin, 4096):
        pass
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(END_SECONDS)
    os._exit(130)


if __name__ == "__main__":
    main()
