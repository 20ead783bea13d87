"""The hash chain of the log: sealing, verifying and exporting (docs/states.md §5). Pure but for the sealer's loop.

`hash = SHA-256(prev_hash || seq || body || mac)` over the stored bytes, one chain per workspace, in id order.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import cast

import structlog

from bot.domain.audit import AuditEntry
from bot.runtime.ports import Keyring, NotSaved, Store

log = structlog.get_logger()

_SEAL_SECONDS = 0.2
_BATCH = 500
_COLUMNS = ("team", "scope", "number", "code")  # of an entry, also in its bytes


def link(entry: AuditEntry, *, seq: int, prev_hash: str) -> str:
    """The hash of an entry at this place of its chain."""
    return hashlib.sha256(f"{prev_hash}\n{seq}\n{entry.body}\n{entry.mac}".encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealer:
    """Chains what is not chained yet. One per database."""

    store: Store

    async def run(self) -> None:
        """Seal until cancelled."""
        while True:
            try:
                await self.seal()
            except NotSaved:
                log.error("audit.not_sealed")
            await asyncio.sleep(_SEAL_SECONDS)

    async def seal(self) -> int:
        """Seal one batch; how many entries it had."""
        async with self.store.read() as work:
            waiting = await work.audit.unsealed(limit=1)
        if not waiting:
            return 0
        async with self.store.write() as work:
            entries = await work.audit.unsealed(limit=_BATCH)
            heads: dict[str, tuple[int, str]] = {}
            for entry in entries:
                seq, prev_hash = heads.get(entry.team) or await work.audit.head(entry.team)
                hash_ = link(entry, seq=seq + 1, prev_hash=prev_hash)
                await work.audit.seal(replace(entry, seq=seq + 1, prev_hash=prev_hash, hash=hash_))
                heads[entry.team] = (seq + 1, hash_)
        return len(entries)


@dataclass(slots=True)
class Report:
    """What `verify` found: how many entries, how many are not sealed yet, and every problem in words."""

    entries: int = 0
    unsealed: int = 0
    problems: list[str] = field(default_factory=list[str])

    def text(self) -> str:
        """One paragraph for people."""
        if self.problems:
            return "\n".join([f"The log does NOT verify ({len(self.problems)} problems):", *self.problems[:20]])
        tail = f" The newest {self.unsealed} are not sealed yet." if self.unsealed else ""
        return f"The log verifies: {self.entries:,} entries, unbroken, unchanged and in order.{tail}"


class Verifier:
    """Checks every entry: its bytes, its MAC, its place in the chain, gapless numbers, an intent for every outcome."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring
        self._heads: dict[str, tuple[int, str]] = defaultdict(lambda: (0, ""))
        self._numbers: dict[str, int] = defaultdict(int)
        self._intents: set[tuple[str, object]] = set()
        self.report = Report()

    def check(self, entry: AuditEntry) -> None:
        """Take the next entry in id order."""
        self.report.entries += 1
        for problem in self._problems(entry):
            self.report.problems.append(f"entry {entry.id} ({entry.code}): {problem}")

    def _problems(self, entry: AuditEntry) -> list[str]:
        problems: list[str] = []
        if not self._keyring.check_mac(entry.body.encode(), entry.key_id, entry.mac):
            problems.append("its bytes or its MAC were changed, or its key is missing")
        body = _body(entry)
        if [body.get(name) for name in _COLUMNS] != [getattr(entry, name) for name in _COLUMNS]:
            problems.append("its columns differ from its bytes")
        if entry.number != self._numbers[entry.scope] + 1:
            problems.append(
                f"number {entry.number} follows {self._numbers[entry.scope]}: an entry is missing or double"
            )
        self._numbers[entry.scope] = entry.number
        problems += self._chained(entry)
        problems += self._intended(entry, body.get("details"))
        return problems

    def _chained(self, entry: AuditEntry) -> list[str]:
        seq, prev_hash = self._heads[entry.team]
        if entry.seq is None:
            self.report.unsealed += 1
            return []
        self._heads[entry.team] = (entry.seq, entry.hash or "")
        right = link(entry, seq=seq + 1, prev_hash=prev_hash)
        if (entry.seq, entry.prev_hash, entry.hash) != (seq + 1, prev_hash, right):
            return ["the chain is broken here"]
        return []

    def _intended(self, entry: AuditEntry, details: object) -> list[str]:
        """Whatever completed was claimed first."""
        told = cast("dict[str, object]", details) if isinstance(details, dict) else {}
        attempt = (str(told.get("action")), told.get("attempt"))
        if entry.code in {"action.claimed", "action.read", "action.repeated"}:
            self._intents.add(attempt)
        if entry.code in {"action.completed", "action.reconciled"} and attempt not in self._intents:
            return ["it completed without a recorded intent"]
        return []


def _body(entry: AuditEntry) -> dict[str, object]:
    """What the stored bytes say; nothing, when somebody made them unreadable."""
    try:
        body: object = json.loads(entry.body)
    except ValueError:
        return {}
    return cast("dict[str, object]", body) if isinstance(body, dict) else {}


async def entries(store: Store, *, after: int = 0) -> AsyncIterator[AuditEntry]:
    """Every entry after this id, in id order, page by page."""
    while True:
        async with store.read() as work:
            page = await work.audit.page(after=after, limit=_BATCH)
        if not page:
            return
        for entry in page:
            yield entry
        after = page[-1].id


def as_json(entry: AuditEntry) -> str:
    """One line of the export; what cannot be read of an entry is null."""
    body = _body(entry)
    return json.dumps(
        {
            "id": entry.id,
            "at": body.get("at"),
            "team": entry.team,
            "code": entry.code,
            "actor": body.get("actor"),
            "run_id": None if entry.scope.startswith("workspace:") else entry.scope,
            "number": entry.number,
            "body": body.get("details"),
            "mac": entry.mac,
            "sealed": entry.seq is not None,
            "seq": entry.seq,
            "prev_hash": entry.prev_hash,
            "hash": entry.hash,
        },
        ensure_ascii=False,
    )
