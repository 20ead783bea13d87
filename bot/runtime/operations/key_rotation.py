"""Key rotation: every secret at rest goes under the newest key, while the bot works; it can be ended at any time.

A batch is one short transaction. A ciphertext is exchanged only where it is still the one that was read, so a token
that a running bot refreshes meanwhile stays. Starting again goes on with what is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.runs import OPERATOR
from bot.domain.seals import Sealed
from bot.runtime.audit.chain import end_of, head_at, is_signed
from bot.secrets import CannotOpen, KeyRing
from bot.store.store import Store

BATCH = 50
RESEALED = AuditCode.SECRETS_RESEALED


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one transaction did: how many were resealed, how many somebody else changed meanwhile, how many do not open
    with any key that we have.
    """

    resealed: int
    changed: int
    shut: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRotation:
    """Walks once through everything that lies under another key than the newest one, `current`."""

    store: Store
    keyring: KeyRing
    current: str
    size: int = BATCH

    async def batches(self) -> AsyncGenerator[Batch]:
        """One batch after the other, each committed before it is told."""
        after: Sealed | None = None
        while True:
            async with self.store.read() as work:
                found = await work.secrets.under_others(self.current, after=after, limit=self.size)
            if not found:
                return
            yield await self._batch(found)
            after = found[-1]

    async def sign_heads(self) -> None:
        """Sign the heads of the log anew, each as it is, if a key of ours signed it: the chains then go on without the
        older keys.
        """
        async with self.store.write() as work:
            await work.audit.lock_chains()
            for head in await work.audit.heads():
                if head.key_id != self.current and is_signed(self.keyring, head):
                    await work.audit.sign(head_at(self.keyring, head.team, end_of(head)))

    async def _batch(self, found: Sequence[Sealed]) -> Batch:
        done: Counter[str] = Counter()
        shut = 0
        async with self.store.write() as work:
            for old in found:
                try:
                    text = self._anew(old)
                except CannotOpen:
                    shut += 1
                    continue
                done[old.team] += await work.secrets.exchange(old, text)
            for team, count in (+done).items():
                details = {"key": self.current, "count": count}
                await work.audit.record(AuditEvent(team=team, code=RESEALED, actor=OPERATOR, details=details))
        return Batch(resealed=done.total(), changed=len(found) - shut - done.total(), shut=shut)

    def _anew(self, old: Sealed) -> str:
        return self.keyring.seal(self.keyring.open(old.text, bound_to=old.bound_to), bound_to=old.bound_to)
