"""`python -m playground.tether -m MODULE …` runs a module that ends when the pipe on its stdin ends, so with us.

It is for programs that know nothing of the playground, such as the agent. Signals reach the program, since the process
is the same.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
import time

GRACE_SECONDS = 2.0


def main() -> None:
    how, *arguments = sys.argv[1:]
    threading.Thread(target=_end_with_parent, name="parent-watch", daemon=True).start()
    if how == "-m":
        sys.argv = arguments
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = [how, *arguments]
        runpy.run_path(how, run_name="__main__")


def _end_with_parent() -> None:
    """Ends the program by a signal, then at once. It uses `os.read`, since nobody else reads stdin."""
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
