"""Retention: what has been kept long enough is forgotten, in small batches; the audit log once a day, by its pruner
(docs/time.md).

Only what belongs to runs that are final goes. A paused run waits for its owner until its steps' time is over, and is
cancelled then, in words. One replica prunes, once an hour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from bot.domain import ids
from bot.domain.audit import AuditCode, AuditEvent
from bot.domain.retention import ForgettableRow, Outdated
from bot.domain.runs import Run, RunState
from bot.runtime.audit.pruner import Pruner
from bot.runtime.core.batch import isolated
from bot.runtime.core.transaction import AGENT, Transaction, TransactionFactory
from bot.runtime.runs.stop import cancel

log = structlog.get_logger()

BATCH = 100
EVERY = timedelta(minutes=55)  # a little less than an hour, so that a tick each few minutes finds it free again
_LEASE = "retention"
_LOG_EVERY, _LOG_LEASE = timedelta(hours=23), "retention of the log"

_FIXED = {
    Outdated.INBOX: timedelta(days=7),  # Slack delivers again for an hour or so
    Outdated.HTTP_REQUESTS: timedelta(days=1),  # for so long a key means what it meant
    Outdated.DELIVERED: timedelta(days=7),
    Outdated.DEAD: timedelta(days=30),
    Outdated.LEASES: timedelta(days=1),
    Outdated.RATES: timedelta(days=1),
    Outdated.DEFINITIONS: timedelta(days=1),
    Outdated.SESSIONS: timedelta(days=1),  # after they would have ended by themselves
    Outdated.CONNECTS: timedelta(days=1),  # so that the word about one can still be rendered
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """For how long what people said and did is kept; None is for ever."""

    steps: timedelta | None = timedelta(days=30)
    messages: timedelta | None = timedelta(days=90)
    runs: timedelta | None = timedelta(days=365)
    audit: timedelta | None = timedelta(days=400)

    @property
    def log(self) -> timedelta | None:
        """How long entries of the log are kept: never shorter than the requests that they tell of."""
        return None if self.audit is None or self.runs is None else max(self.audit, self.runs)

    def of(self, what: Outdated) -> timedelta | None:
        """How long rows of this kind are kept."""
        match what:
            case Outdated.STEPS:
                return self.steps
            case Outdated.ANSWERS | Outdated.MESSAGES | Outdated.SCHEDULES:
                return self.messages
            case Outdated.RUNS | Outdated.SPENDING | Outdated.THREADS:
                return self.runs
            case _:
                return _FIXED[what]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionService:
    """Forgets. Without a `pruner` the log stays whole."""

    transactions: TransactionFactory
    keep: Keep
    pruner: Pruner | None = None

    async def tick(self) -> None:
        """Forget all that is due, unless somebody did within the hour, of the log within the day. Raises `NotSaved` or
        `NotRead`.
        """
        now = self.transactions.clock.now()
        if await self._has_turn(_LEASE, EVERY, now):
            await self.prune(now)
        if self.pruner and self.keep.log and await self._has_turn(_LOG_LEASE, _LOG_EVERY, now):
            gone = await self.pruner.prune(now - self.keep.log)
            log.info("retention.log_pruned", entries=gone)

    async def _has_turn(self, name: str, every: timedelta, now: datetime) -> bool:
        async with self.transactions.store.write() as work:
            return await work.leases.take(name, ids.new_nonce(), now=now, seconds=every.total_seconds()) is not None

    async def prune(self, now: datetime) -> Mapping[Outdated, int]:
        """Forget all that is due; how many rows of each kind."""
        cuts = {what: now - kept for what in Outdated if (kept := self.keep.of(what)) is not None}
        await self._cancel_paused(now)
        told: set[str] = set()
        counts = {what: await self._forget(what, cuts, told) for what in cuts}
        gone = {what.value: count for what, count in counts.items() if count}
        if gone:
            log.info("retention.pruned", **gone)
        return counts

    async def _forget(self, what: Outdated, cuts: Mapping[Outdated, datetime], told: set[str]) -> int:
        """Batch after batch, each found without a lock and forgotten in its own transaction."""
        count = 0
        while found := await self._found(what, cuts[what]):
            async with self.transactions.write(long=True) as tx:
                await tx.work.retention.forget(what, [each.key for each in found])
                if what.is_personal:
                    _tell(tx, found, cuts, told)
            count += len(found)
            if len(found) < BATCH:
                break
        return count

    async def _found(self, what: Outdated, before: datetime) -> Sequence[ForgettableRow]:
        async with self.transactions.store.read(long=True) as work:
            return await work.retention.find(what, before=before, limit=BATCH)

    async def _cancel_paused(self, now: datetime) -> None:
        kept = self.keep.steps or self.keep.runs
        if kept is None:
            return
        after = ""
        while page := await self._paused(now - kept, after):
            for run in page:
                if _rests_since(run, now - kept):
                    async with isolated(self.transactions, "retention", run.id) as tx:
                        await _cancel_resting(tx, run, now - kept)
            after = page[-1].id

    async def _paused(self, before: datetime, after: str) -> Sequence[Run]:
        async with self.transactions.store.read(long=True) as work:
            return await work.retention.paused(before=before, after_id=after, limit=BATCH)


def _rests_since(run: Run, before: datetime) -> bool:
    """Whether it was paused before this, and still is."""
    return run.state is RunState.PAUSED and run.created_at + timedelta(milliseconds=run.duration_ms or 0) <= before


async def _cancel_resting(tx: Transaction, run: Run, before: datetime) -> None:
    """Its owner may have continued it since it was found."""
    await tx.work.threads.lock(run.thread_id)
    if _rests_since(await tx.work.runs.find(run.id), before):
        await cancel(tx, run, by=AGENT, code=AuditCode.RUN_OUTDATED)


def _tell(tx: Transaction, found: Sequence[ForgettableRow], cuts: Mapping[Outdated, datetime], told: set[str]) -> None:
    """Once a round and workspace, with the first that goes: the moments before which what people said and did goes."""
    before = {what.value: cut.isoformat() for what, cut in cuts.items() if what.is_personal}
    for team in {each.team for each in found} - told:
        tx.record(AuditEvent(team=team, code=AuditCode.RETENTION_PRUNED, actor=AGENT, details={"before": before}))
        told.add(team)
