"""What the processes that read hostile input have: limits that the system keeps, and frames for what travels."""

from __future__ import annotations

import contextlib
import signal
import struct
import sys
import time
from collections.abc import Callable, Generator

LENGTH = struct.Struct("!I")
"""A question travels behind its length in bytes,"""
HEAD = struct.Struct("!Id")
"""an answer behind its own and the seconds of the processor's time that it took."""
FAILED = 0xFFFF_FFFF
"""In the place of a length: the question could not be answered."""
READY = b"\x01"
"""What comes before all answers: from here on questions are answered."""


def framed(text: str) -> bytes:
    """A question as it travels."""
    data = text.encode(errors="replace")
    return LENGTH.pack(len(data)) + data


def serve(answered: Callable[[str], str], *, memory: int, budget: float) -> None:
    """Answer questions until the input ends; each may take `budget` seconds of the processor's time."""
    limit_resources(memory=memory)
    sys.stdout.buffer.write(READY)
    sys.stdout.buffer.flush()
    while head := sys.stdin.buffer.read(LENGTH.size):
        question = sys.stdin.buffer.read(*LENGTH.unpack(head))
        began = time.process_time()
        with cpu_budget(budget):
            try:
                answer = answered(question.decode(errors="replace")).encode(errors="replace")
                length = len(answer)
            except (Exception, MemoryError):  # whatever hostile input does to a library
                answer, length = b"", FAILED
        sys.stdout.buffer.write(HEAD.pack(length, time.process_time() - began) + answer)
        sys.stdout.buffer.flush()


def limit_resources(*, memory: int, cpu_seconds: int | None = None) -> None:
    """For the whole life of this process: so many bytes of memory, no file, so much time of the processor.

    Beyond that the system ends it. Not every system has each limit.
    """
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # not everywhere

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        if cpu_seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))


@contextlib.contextmanager
def cpu_budget(seconds: float) -> Generator[None]:
    """End this process if the block takes more of the processor's time; a library in C is ended too.

    The signal is left to the system: a handler in Python would wait until the library returns.
    """
    has_timer = hasattr(signal, "setitimer")
    if has_timer:
        signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        if has_timer:
            signal.setitimer(signal.ITIMER_PROF, 0)
