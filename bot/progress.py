"""How far a long piece of work is: whoever does it tells, and a command may show it."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Is told what is being done, how much of it is, and of how much where that is known."""

    def __call__(self, doing: str, done: int = 0, of: int = 0, /) -> None:
        """Take it in. It is called often, and costs nothing where nobody looks."""
        ...


def unwatched(doing: str, done: int = 0, of: int = 0, /) -> None:
    """Nobody looks."""
