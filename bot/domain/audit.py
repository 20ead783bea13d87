"""Audit entries: one line of the hash chain (docs/states.md §5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What is to be recorded: a stable code, who did it, and redacted details that RFC 8785 accepts."""

    team: str
    code: str
    actor: str
    run_id: str | None = None
    details: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """A stored entry. `body` is its canonical bytes as text; `seq`, `prev_hash` and `hash` come from the sealer."""

    id: int
    team: str
    scope: str
    number: int
    code: str
    at: datetime
    body: str
    mac: str
    key_id: str
    seq: int | None = None
    prev_hash: str | None = None
    hash: str | None = None
