"""Checkpoints: the newest place of each chain, signed now and then for those who have no key (docs/audit.md)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import structlog

from bot.domain.audit import EVERY_TEAM, Checkpoint, CheckpointKind, Head
from bot.domain.deliveries import Announced, DeliveryKind
from bot.runtime.audit.chain import checkpoint_at, end_of, is_signed
from bot.runtime.audit.export import checkpoint_as_json
from bot.runtime.core.leader import Fence, unfenced
from bot.secrets import KeyRing
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from integrations.ports import Clock

log = structlog.get_logger()

ENTRIES = 1_000
EVERY = timedelta(hours=1)

Last = tuple[int, datetime]
"""The sequence of a chain's newest checkpoint, and its moment."""

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
            heads, last = await self._heads(work), await work.audit.last_checkpoints()
        if any(self._is_due(head, last, now) for head in heads):
            async with self.store.write() as work:
                await self.fence(work)
                await work.audit.lock_chains()
                heads, last = await self._heads(work), await work.audit.last_checkpoints()
                for head in heads:
                    if self._is_due(head, last, now):
                        place = end_of(head)
                        made = checkpoint_at(self.keyring, head.team, place, CheckpointKind.SEALED, now)
                        await work.audit.add_checkpoint(made)
                        await self._announce(work, made)
                        last = {**last, head.team: (head.seq, now)}
        self._behind = max((_beyond(head, last) for head in heads), default=0)
        waits = [self._rest(head, last, now) for head in heads if _beyond(head, last)]
        return now + min(waits, default=self.every)

    async def _announce(self, work: UnitOfWork, made: Checkpoint) -> None:
        if self.channel:
            subject = str(Announced(self.channel, made.team, made.seq))
            await work.outbox.add(self.channel, DeliveryKind.CHECKPOINT, subject, team=made.team, at=made.at)

    async def _heads(self, work: UnitOfWork) -> Sequence[Head]:
        """Those that a key of ours signed, and that have a digest: what somebody else wrote is not signed."""
        heads = await work.audit.heads()
        return [head for head in heads if head.team != EVERY_TEAM and head.digest and is_signed(self.keyring, head)]

    def _is_due(self, head: Head, last: Mapping[str, Last], now: datetime) -> bool:
        beyond = _beyond(head, last)
        return beyond >= self.entries or (beyond > 0 and not self._rest(head, last, now))

    def _rest(self, head: Head, last: Mapping[str, Last], now: datetime) -> timedelta:
        """How long the next checkpoint of the chain can wait. A clock that was set back makes that no longer."""
        since = now - last[head.team][1] if head.team in last else self.every
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


def _beyond(head: Head, last: Mapping[str, Last]) -> int:
    """How many entries the chain has behind its newest checkpoint."""
    return head.seq - (last[head.team][0] if head.team in last else 0)


def _append(file: Path, made: Sequence[Checkpoint]) -> None:
    """One line each, on the disk when this returns."""
    text = "".join(f"{checkpoint_as_json(checkpoint)}\n" for checkpoint in made)
    handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(handle, text.encode())
        os.fsync(handle)
    finally:
        os.close(handle)
