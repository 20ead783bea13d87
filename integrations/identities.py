"""Who somebody is, by the word of a system that people sign in to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from integrations.errors import IntegrationError


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """An account. `email` is None unless the system confirmed it; `claims` is what it says besides, as JSON."""

    account: str
    email: str | None
    claims: Mapping[str, object]


class NoIdentity(IntegrationError):
    """What was shown proves nothing; `why` is one word for the log."""

    def __init__(self, why: str) -> None:
        super().__init__(f"It proves nothing: {why}.")
        self.why = why


class IdentityUnavailable(IntegrationError):
    """It cannot be checked now; later may work. `what` could not be had; `reason` is for the log, without secrets."""

    def __init__(self, what: str, reason: str = "") -> None:
        super().__init__(f"It cannot be checked now: no {what}.")
        self.what = what
        self.reason = reason


class Identities(Protocol):
    """Where people sign in."""

    async def identity(self, shown: str) -> Identity:
        """Whose proof this is; raises `NoIdentity`, or `IdentityUnavailable` within seconds."""
        ...
