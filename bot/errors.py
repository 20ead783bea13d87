"""The root of every error that `bot` raises on purpose."""

from __future__ import annotations


class BotError(Exception):
    """The agent could not do what was asked of it."""


class Misconfigured(BotError):
    """The configuration keeps a command from working; the message names the variable and the cure."""
