"""How far a command is: one line on the terminal, gone when the command goes on. A pipe or a file gets none."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from time import monotonic
from typing import TextIO

from bot.progress import Progress, unwatched

_SECONDS = 0.1
"""Between two looks at the same work."""


class _Line:
    def __init__(self, terminal: TextIO) -> None:
        self._terminal = terminal
        self._shown = ""
        self._doing = ""
        self._next = 0.0

    def __call__(self, doing: str, done: int = 0, of: int = 0, /) -> None:
        now = monotonic()
        if doing == self._doing and now < self._next:
            return
        self._doing, self._next = doing, now + _SECONDS
        self._show(doing + (f": {done:,}" if done else "") + (f" of {of:,}" if done and of else ""))

    def wipe(self) -> None:
        self._show("")
        self._terminal.write("\r")
        self._terminal.flush()

    def _show(self, text: str) -> None:
        self._terminal.write(f"\r{text.ljust(len(self._shown))}")
        self._terminal.flush()
        self._shown = text


@contextmanager
def progress(*, wanted: bool = True) -> Generator[Progress]:
    """What is told meanwhile stands on the terminal, if standard error is one and it is `wanted`."""
    if not (wanted and sys.stderr.isatty()):
        yield unwatched
        return
    line = _Line(sys.stderr)
    try:
        yield line
    finally:
        line.wipe()
