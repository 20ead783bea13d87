"""Connections: one user's account at a provider."""

from __future__ import annotations

from dataclasses import dataclass

ACTIVE = "active"
REFUSED = "needs_reconnect"


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """An account with the scopes that were really granted. `secret` is encrypted and bound to its row."""

    team: str
    user: str
    provider: str
    account: str
    email: str
    scopes: frozenset[str]
    secret: str
    status: str = ACTIVE
