"""The errors of a transaction that failed in the database."""

from __future__ import annotations

from bot.errors import BotError


class NotSaved(BotError):
    """The write failed: nothing of it was saved, so it must not be acknowledged."""


class NotRead(BotError):
    """The read failed: nothing is known."""
