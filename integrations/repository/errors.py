"""Why a repository, or a part of it, cannot be read."""

from __future__ import annotations

from integrations.errors import IntegrationError


class Unreadable(IntegrationError):
    """It cannot be read; the message is a sentence for people and the model, and holds no path of this machine."""


class Absent(Unreadable):
    """There is nothing of this name."""


class TooLarge(Unreadable):
    """It has more bytes than are read; the message is the end of a sentence."""
