"""The root of every error that `bot` raises on purpose, and what a wrong configuration is."""

from __future__ import annotations

from collections.abc import Iterable


class BotError(Exception):
    """The agent could not do what was asked of it."""


class Misconfigured(BotError):
    """The configuration keeps a command from working; the message names the variable and the cure."""


class BadSettings(Misconfigured):
    """The configuration is wrong; each line names a variable and its cure."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))
