"""Seals: which secrets of the database lie under which key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
