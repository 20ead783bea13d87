"""Audit entries: one line of the hash chain, and the signed heads of the chains (docs/states.md §5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

EVERY_TEAM = "*"
"""The head that counts the sealed entries of all workspaces."""

MARK_CHARACTERS = 16
"""Of a hash, where an entry or a person notes a place of the chain. It is a MAC: nobody searches for a second one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """What is to be recorded: a stable code, who did it, and redacted details that RFC 8785 accepts."""

    team: str
    code: str
    actor: str
    run_id: str | None = None
    details: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """A stored entry. `body` is its canonical bytes as text, and `at` the column's moment as the bytes write it; the
    sealer gives it its place in the chain: `seq`, `prev_hash`, and `hash`, which is a MAC under the key `seal_key_id`.
    """

    id: int
    team: str
    scope: str
    number: int
    code: str
    at: str
    body: str
    mac: str
    key_id: str
    seq: int | None = None
    prev_hash: str | None = None
    hash: str | None = None
    seal_key_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The newest place of a workspace's chain, signed; for `EVERY_TEAM` how many entries all chains have."""

    team: str
    seq: int
    hash: str
    key_id: str
    mac: str


NO_MARK = "0:"
"""The mark before anything was sealed."""


def mark(seq: int, hash_: str) -> str:
    """A place of a chain as entries and people note it: `41:1f3a5b7c9d0e2f46`."""
    return f"{seq}:{hash_[:MARK_CHARACTERS]}"
