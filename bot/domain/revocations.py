"""Revocations: grants that nothing here uses any more, to be given back at their provider."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Revocation:
    """One grant to give back. `secret` is its refresh token, sealed and bound to this row; `account` names its account.

    `attempts` counts the claims, each committed before the provider is asked; the next is made from `not_before` on.
    """

    id: str
    team: str
    user: str
    provider: str
    account: str
    secret: str
    attempts: int = 0
    not_before: datetime
    created_at: datetime
