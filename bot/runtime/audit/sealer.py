"""The sealer gives new entries of the log their place in the chain (docs/states.md §5)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from bot.domain.audit import EVERY_TEAM, AuditEntry, CheckpointKind, Head
from bot.domain.states import LostRace
from bot.runtime.audit.chain import (
    START,
    ChainPlace,
    Total,
    checkpoint_at,
    end_of,
    head_at,
    is_signed,
    link,
    place_of,
    total_at,
    total_of,
    unknown_keys,
)
from bot.runtime.audit.checkpoints import Checkpoints
from bot.runtime.core.heartbeat import Heartbeat
from bot.runtime.core.leader import Fence, unfenced
from bot.secrets import KeyRing
from bot.store.errors import NotRead, NotSaved
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork

log = structlog.get_logger()

TICK_SECONDS = 1.0
SEAL_SECONDS = 0.2  # what is written together is sealed together
BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealer:
    """Chains what is not chained yet, and has checkpoints signed. One per database. `committed` is called after every
    commit.
    """

    store: Store
    keyring: KeyRing
    checkpoints: Checkpoints | None = None
    fence: Fence = unfenced
    heartbeat: Heartbeat = field(default_factory=Heartbeat)
    tick_seconds: float = TICK_SECONDS
    seal_seconds: float = SEAL_SECONDS
    batch: int = BATCH
    _woken: asyncio.Event = field(default_factory=asyncio.Event)

    def committed(self, work: UnitOfWork) -> None:
        """What was just written into the log is sealed soon; what other processes write, at the next tick."""
        if work.audit.added:
            self._woken.set()

    async def run(self) -> None:
        """Seal until cancelled."""
        while True:
            self.heartbeat.beat()
            certain = self._woken.is_set()
            self._woken.clear()
            try:
                count = await self.seal(certain=certain)
                if count == self.batch:
                    self._woken.set()  # there may be more
                if self.checkpoints is not None:
                    await self.checkpoints.keep_up(count)
            except (NotSaved, NotRead) as trouble:
                log.error("audit.not_sealed", why=str(trouble))
            except LostRace as race:  # another replica seals now
                log.warning("audit.fenced", race=str(race))
            with suppress(TimeoutError):
                async with asyncio.timeout(self.tick_seconds):
                    await self._woken.wait()
            await asyncio.sleep(self.seal_seconds)

    async def seal(self, *, certain: bool = False) -> int:
        """Seal one batch; how many entries it had. It looks first, so that an idle bot locks nothing, unless it is
        certain that there are some. None while a head that it would replace is signed with a key that is not there:
        another process has that key, and to seal over its head would break the chain for good.
        """
        if not (certain or await self._some_wait()):
            return 0
        async with self.store.write() as work:
            await self.fence(work)
            await work.audit.lock_chains()
            entries, heads, newest = await work.audit.waiting(limit=self.batch)
            if not entries:
                return 0  # another replica's sealer was first
            if unknown := unknown_keys(self.keyring, heads.values()):
                log.error("audit.key_missing", keys=unknown)
                return 0
            total = await self._total(work, heads.get(EVERY_TEAM))
            ends = {team: self._end(team, heads.get(team), place) for team, place in newest.items()}
            begun = await self._begin_digests(work, ends)
            sealed: list[AuditEntry] = []
            for entry in entries:
                sealed.append(link(entry, self.keyring, after=ends[entry.team]))
                ends[entry.team] = place_of(sealed[-1])
            await work.audit.seal(sealed)
            heads_now = [head_at(self.keyring, team, end) for team, end in ends.items()]
            if total is not None:
                heads_now.append(total_at(self.keyring, total.with_more(entries=len(entries), checkpoints=begun)))
            await work.audit.sign(*heads_now)
        return len(entries)

    async def _begin_digests(self, work: UnitOfWork, ends: Mapping[str, ChainPlace]) -> int:
        """A chain of before there were digests has them from here on, which is signed, as others cannot see it; how
        many these are.
        """
        begin = {team: end for team, end in ends.items() if end.hash and not end.digest}
        for team, end in begin.items():
            await work.audit.add_checkpoint(
                checkpoint_at(self.keyring, team, end, CheckpointKind.BEGUN, work.audit.now())
            )
        return len(begin)

    async def _some_wait(self) -> bool:
        async with self.store.read() as work:
            return bool(await work.audit.unsealed(limit=1))

    def _end(self, team: str, head: Head | None, newest: int) -> ChainPlace:
        """Where the chain goes on: at its signed head. Without one that fits the entries it stays broken for good."""
        if head is None and newest == 0:
            return START
        if head is not None and is_signed(self.keyring, head) and head.seq >= newest:
            return end_of(head)
        log.error("audit.head_lost", team=team)
        return ChainPlace(newest, "")

    async def _total(self, work: UnitOfWork, total: Head | None) -> Total | None:
        """How much is sealed and signed. A signed count that is lost stays lost, and is found."""
        if total is None:
            return None if await work.audit.heads() else Total(0, 0)
        return total_of(total) if is_signed(self.keyring, total) else None
