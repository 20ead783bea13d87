"""Seals: kinds of secrets at rest, what each ciphertext is bound to, and which keys they need."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Secret(StrEnum):
    """Kinds of secrets at rest, each as what its ciphertext is bound to: its row (the associated data of AES-GCM)."""

    TOKENS = "v1|{provider}|{team}|{user}|tokens"  # of a connection
    VERIFIER = "v1|{provider}|{team}|{user}|{id}|verifier"  # of an attempt to connect: PKCE's
    HELD = "v1|{provider}|{team}|{user}|{id}|held"  # what such an attempt brought, until it is confirmed
    REVOCATION = "v1|{provider}|{team}|{user}|{id}|revocation"  # the refresh token that is given back
    PERSON_KEY = "v1|person|{team}|{user}|key"  # under which lies what the log says of a person

    def of(self, *, team: str, user: str, provider: str = "", row_id: str = "") -> str:
        """What the secret of this row is bound to."""
        return self.value.format(provider=provider, team=team, user=user, id=row_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """One secret at rest: its workspace, table and column, its row's key, the ciphertext, and what that is bound to."""

    team: str
    place: str
    row: tuple[object, ...]
    text: str
    bound_to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyUses:
    """By a key's id: how many secrets are sealed with it, and how many signatures of the log need it."""

    sealed: Mapping[str, int]
    signed: Mapping[str, int]

    def used(self) -> frozenset[str]:
        """Every key that something in the database needs."""
        return frozenset(self.sealed) | frozenset(self.signed)

    def missing(self, there: Collection[str]) -> Sequence[str]:
        """The needed keys that are not among the given ones, in order."""
        return sorted(self.used().difference(there))


def personal_bound_to(team: str, user: str, scope: str, number: int) -> str:
    """What the personal details of an entry of the log are bound to: its person, and its place among the entries."""
    return f"v3|audit|{team}|{user}|{scope}|{number}"
