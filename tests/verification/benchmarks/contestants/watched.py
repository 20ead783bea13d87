"""Countersign as the contestant `ours`, with a watch on how long one callback holds the event loop.

`python -m tests.verification.benchmarks.contestants.watched MODEL_URL DATABASE_URL`. Its answers tell `held`, too: the
thread's seconds of the processor that the longest callback since the answer before took, what of them was Python's
collector, and whose step it was. libuv's loop calls without a handle of Python's, so this one is asyncio's own.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Mapping
from typing import Any

from tests.verification.benchmarks.contestants import ours


class Watch:
    """The longest callback: which one it was, and how much of it was a look of Python's collector at all objects."""

    def __init__(self) -> None:
        self.seconds = self.collector = self._collected = self._began = 0.0
        self.callback = ""

    def install(self) -> None:
        """Time every callback of every loop from now on."""
        run: Any = asyncio.Handle._run

        def timed(handle: asyncio.Handle) -> None:
            name, began, collected = _name(handle), time.thread_time(), self._collected
            run(handle)
            seconds = time.thread_time() - began
            if seconds > self.seconds:
                self.seconds, self.callback, self.collector = seconds, name, self._collected - collected

        setattr(asyncio.Handle, "_run", timed)  # noqa: B010 - it is no public attribute
        gc.callbacks.append(self._collects)

    def _collects(self, phase: str, _: Mapping[str, int]) -> None:
        if phase == "start":
            self._began = time.thread_time()
        else:
            self._collected += time.thread_time() - self._began

    def told(self) -> Mapping[str, object]:
        """What it was, and begin anew."""
        told = {"held": self.seconds, "collector": self.collector, "callback": self.callback}
        self.seconds, self.collector, self.callback = 0.0, 0.0, ""
        return told


def _name(handle: asyncio.Handle) -> str:
    """The task whose step it is, if it is one; before the step, for one that ended has no name of use."""
    called = getattr(handle, "_callback", None)
    task: asyncio.Task[Any] | None = getattr(called, "__self__", None)
    return str(getattr(task.get_coro(), "__qualname__", task)) if isinstance(task, asyncio.Task) else repr(handle)


def main() -> None:
    """Serve, watched."""
    watch = Watch()
    watch.install()
    ours.main(*sys.argv[1:], loop_factory=asyncio.new_event_loop, more=watch.told)


if __name__ == "__main__":
    main()
