"""Connections: one user's account at a provider."""

from __future__ import annotations

from dataclasses import dataclass

PROVIDER = "google"

ACTIVE = "active"
REFUSED = "needs_reconnect"
DELEGATED = "delegated"
"""Of no row: an account that an administrator's service account acts for, without a connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """An account with the scopes that were really granted. `secret` is encrypted and bound to its row.

    `version` counts the changes: an update names the version that was read, and changes nothing when it is another one.
    """

    team: str
    user: str
    provider: str
    account: str
    email: str
    scopes: frozenset[str]
    secret: str
    status: str = ACTIVE
    version: int = 1


def lacking_literally(granted: frozenset[str], wanted: frozenset[str]) -> frozenset[str]:
    """The scopes that are wanted and were not granted, where no scope includes another."""
    return wanted - granted
