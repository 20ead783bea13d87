"""Checkpoints: the newest place of each chain, signed now and then for those who have no key (docs/audit.md)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import structlog

from bot.domain.audit import EVERY_TEAM, Checkpoint, CheckpointKind, Head, Signed
from bot.domain.deliveries import Announced, DeliveryKind
from bot.runtime.audit.chain import Total, checkpoint_at, end_of, is_signed, total_at, total_of
from bot.runtime.audit.export import checkpoint_as_json
from bot.runtime.core.leader import Fence, unfenced
from bot.secrets import KeyRing
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from integrations.ports import Clock

log = structlog.get_logger()

ENTRIES = 1_000
EVERY = timedelta(hours=1)

_AGAIN = timedelta(minutes=1)  # until a file that could not be written is tried again


@dataclass(slots=True, kw_only=True)
class Checkpoints:
    """Signs a checkpoint of each chain that has so many `entries` more than at the last one, or any after so long
    (`every`). Each is appended to the `file`, where there is one, until it stands there: at least once. In the
    `channel`, where there is one, each is posted.
    """

    store: Store
    keyring: KeyRing
    clock: Clock
    file: Path | None = None
    channel: str = ""
    entries: int = ENTRIES
    every: timedelta = EVERY
    fence: Fence = unfenced
    _behind: int = field(default=0, init=False)
    _look_at: datetime | None = field(default=None, init=False)

    async def keep_up(self, sealed: int) -> None:
        """So many entries were just sealed: sign what is due. Raises `NotSaved`, `NotRead` or `LostRace`."""
        self._behind += sealed
        now = self.clock.now()
        if self._behind < self.entries and not self._is_time(now):
            return
        self._look_at = await self._sign(now)
        if self.file is not None and not await self._keep(self.file):
            self._look_at = min(self._look_at, now + _AGAIN)

    def _is_time(self, now: datetime) -> bool:
        """Whether it is time to look again, also on a clock that was set back."""
        return self._look_at is None or not timedelta(0) < self._look_at - now <= self.every

    async def _sign(self, now: datetime) -> datetime:
        """Look how far each chain is beyond its checkpoint, and sign where one is due: an idle log is only read. When
        to look again.
        """
        async with self.store.read() as work:
            heads, total, last = await self._seen(work)
        is_uncounted = total is not None and total.checkpoints is None
        if is_uncounted or any(self._is_due(head, last, now) for head in heads):
            async with self.store.write() as work:
                await self.fence(work)
                await work.audit.lock_chains()
                heads, total, last = await self._seen(work)
                made = [await self._signed(work, head, now) for head in heads if self._is_due(head, last, now)]
                if total is not None:
                    await self._count(work, total, there=sum(one.number for one in last.values()), made=len(made))
                last |= {one.team: Signed(one.seq, one.at, 1 + _count(last, one.team)) for one in made}
        self._behind = max((_beyond(head, last) for head in heads), default=0)
        waits = [self._rest(head, last, now) for head in heads if _beyond(head, last)]
        return now + min(waits, default=self.every)

    async def _signed(self, work: UnitOfWork, head: Head, now: datetime) -> Checkpoint:
        made = checkpoint_at(self.keyring, head.team, end_of(head), CheckpointKind.SEALED, now)
        await work.audit.add_checkpoint(made)
        if self.channel:
            subject = str(Announced(self.channel, made.team, made.seq))
            await work.outbox.add(self.channel, DeliveryKind.CHECKPOINT, subject, team=made.team, at=made.at)
        return made

    async def _count(self, work: UnitOfWork, total: Total, *, there: int, made: int) -> None:
        """Sign how many checkpoints there are by now. Those that are gone stay counted; what a release that did not
        count has signed meanwhile is counted with them.
        """
        counted = Total(total.entries, max(total.checkpoints or 0, there) + made)
        await work.audit.sign(total_at(self.keyring, counted))

    async def _seen(self, work: UnitOfWork) -> tuple[Sequence[Head], Total | None, dict[str, Signed]]:
        """The heads that a key of ours signed, and that have a digest: what somebody else wrote is not signed. Then the
        count of all chains, if a key of ours signed it, and each workspace's checkpoints.
        """
        heads = await work.audit.heads()
        ours = [head for head in heads if head.team != EVERY_TEAM and head.digest and is_signed(self.keyring, head)]
        totals = (total_of(head) for head in heads if head.team == EVERY_TEAM and is_signed(self.keyring, head))
        return ours, next(totals, None), await work.audit.last_checkpoints()

    def _is_due(self, head: Head, last: Mapping[str, Signed], now: datetime) -> bool:
        beyond = _beyond(head, last)
        return beyond >= self.entries or (beyond > 0 and not self._rest(head, last, now))

    def _rest(self, head: Head, last: Mapping[str, Signed], now: datetime) -> timedelta:
        """How long the next checkpoint of the chain can wait. A clock that was set back makes that no longer."""
        since = now - last[head.team].at if head.team in last else self.every
        return max(self.every - since, timedelta(0)) if since >= timedelta(0) else timedelta(0)

    async def _keep(self, file: Path) -> bool:
        """Append to the file what is not there yet; False where it cannot be written."""
        async with self.store.read() as work:
            waiting = await work.audit.unkept()
        if not waiting:
            return True
        try:
            await asyncio.to_thread(_append, file, waiting)
        except OSError as error:
            log.error("audit.checkpoints_not_kept", file=str(file), reason=error.strerror or str(error))
            return False
        async with self.store.write() as work:
            await work.audit.keep(waiting, at=self.clock.now())
        return True


def _beyond(head: Head, last: Mapping[str, Signed]) -> int:
    """How many entries the chain has behind its newest checkpoint."""
    return head.seq - (last[head.team].seq if head.team in last else 0)


def _count(last: Mapping[str, Signed], team: str) -> int:
    return last[team].number if team in last else 0


def _append(file: Path, made: Sequence[Checkpoint]) -> None:
    """One line each, on the disk when this returns."""
    text = "".join(f"{checkpoint_as_json(checkpoint)}\n" for checkpoint in made)
    handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(handle, text.encode())
        os.fsync(handle)
    finally:
        os.close(handle)
