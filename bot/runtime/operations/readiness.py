"""Readiness: whether this process lives, and whether it can work. Each named part is asked.

A process is alive as long as its loops go round. What a new start would not mend (Slack away, a locked database) does
not end its life, but keeps it from being ready.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import structlog

from bot.runtime.audit.chain import unknown_keys
from bot.runtime.core.heartbeat import Heartbeat
from bot.secrets import KeyRing
from bot.store.errors import NotRead, NotSaved
from bot.store.store import Store
from integrations.ports import Clock

log = structlog.get_logger()

STUCK_SECONDS = 60.0
"""A loop that did not go round for so long is stuck: each of them goes round within seconds."""

DEAD_SECONDS = 180.0
"""A loop that is stuck for so long is dead: a patient wait for a locked database has ended long before."""

HUNG_SECONDS = 1800.0
"""A job that is late by so much hangs: each of the hundred things of a round may wait for a locked database."""

UNSEALED_SECONDS = 60.0
"""Effects wait while the oldest unsealed entry of the log is older (docs/states.md §5)."""

_PROBE_SECONDS = 5.0  # for so long a look at the database counts
_PROBE_PATIENCE_SECONDS = 2.0
_PROBED = "probed_at"


@dataclass(slots=True, kw_only=True)
class Readiness:
    """What `/healthz` and `/readyz` say: of the loops that began, of the scheduler's jobs, and of further `parts` that
    being ready needs.
    """

    store: Store
    keyring: KeyRing
    clock: Clock
    heartbeats: dict[str, Heartbeat] = field(default_factory=dict[str, Heartbeat])
    jobs: Mapping[str, Heartbeat] = field(default_factory=dict[str, Heartbeat])
    parts: dict[str, Callable[[], bool]] = field(default_factory=dict[str, Callable[[], bool]])
    monotonic: Callable[[], float] = time.monotonic
    _looked: dict[str, bool] = field(default_factory=dict[str, bool])
    _looked_at: float = float("-inf")
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)

    def alive(self) -> dict[str, bool]:
        """Each loop and job, and whether a new start is not needed for it."""
        loops = {name: heartbeat.age() < DEAD_SECONDS for name, heartbeat in self.heartbeats.items()}
        return {name: heartbeat.age() < HUNG_SECONDS for name, heartbeat in self.jobs.items()} | loops

    async def ready(self) -> dict[str, bool]:
        """Each part, and whether it works now. The database is written to, at most every few seconds."""
        going = {name: heartbeat.age() < STUCK_SECONDS for name, heartbeat in {**self.jobs, **self.heartbeats}.items()}
        return {**{name: works() for name, works in self.parts.items()}, **going, **await self._database()}

    async def _database(self) -> dict[str, bool]:
        async with self._looking:  # many may ask at once, and one of them looks
            if self.monotonic() - self._looked_at >= _PROBE_SECONDS:
                self._looked = {"database": await self._writable(), "log": await self._sealed()}
                self._looked_at = self.monotonic()
            return self._looked

    async def _writable(self) -> bool:
        try:
            async with self.store.write(patience=_PROBE_PATIENCE_SECONDS) as work:
                await work.metadata.set(_PROBED, self.clock.now().isoformat())
        except NotSaved as error:
            log.warning("database.not_writable", why=str(error))
            return False
        return True

    async def _sealed(self) -> bool:
        try:
            async with self.store.read(patience=_PROBE_PATIENCE_SECONDS) as work:
                figures, heads = await work.statistics.now(), await work.audit.heads()
        except NotRead as error:
            log.warning("database.not_readable", why=str(error))
            return False
        if unknown := unknown_keys(self.keyring, heads):
            log.warning("log.key_missing", keys=unknown)
            return False
        return figures.unsealed.age(self.clock.now()) <= UNSEALED_SECONDS
