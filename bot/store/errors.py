"""The errors of a transaction that failed in the database."""

from __future__ import annotations

from bot.errors import BotError


class NotSaved(BotError):
    """The write failed, so it must not be acknowledged: nothing of it was saved, unless it is `MaybeSaved`."""


class MaybeSaved(NotSaved):
    """The commit broke off: whether all of it was saved, or nothing, is not known."""


class NotRead(BotError):
    """The read failed: nothing is known."""
