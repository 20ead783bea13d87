"""The pruner deletes entries of the log when their time is over, up to a signed checkpoint (docs/audit.md)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from bot.domain.audit import (
    AuditCode,
    AuditEvent,
    Carried,
    Checkpoint,
    CheckpointKind,
    EntryRow,
    beginnings,
    carried_as_text,
    carried_of,
)
from bot.runtime.audit.bodies import body_of
from bot.runtime.audit.chain import checkpoint_at, is_true, place_at
from bot.runtime.audit.verify import ENDS, INTENTS, Verifier
from bot.runtime.core.transaction import AGENT
from bot.secrets import KeyRing
from bot.store.store import Store
from bot.store.unit_of_work import UnitOfWork
from integrations.ports import Clock

log = structlog.get_logger()

BATCH = 1_000
"""So many entries go in one transaction; more only where two checkpoints are further apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruner:
    """Prunes. One at a time per database: who comes second finds that the log begins elsewhere, and does nothing.

    A step goes from where a log begins to a checkpoint. It is one transaction, so a log is always whole from where it
    begins. What does not verify stays: nothing that was done to the log goes with its traces.
    """

    store: Store
    keyring: KeyRing
    clock: Clock
    batch: int = BATCH

    async def prune(self, before: datetime) -> int:
        """Prune every log up to the newest checkpoint that was signed before this; how many entries went. Raises
        `NotSaved` or `NotRead`.
        """
        async with self.store.read(long=True) as work:
            cuts = await work.audit.cuts(before=before)
        by_team: dict[str, list[Checkpoint]] = defaultdict(list)
        for cut in cuts:
            if type(cut.seq) is not int:  # SQLite stores anything; `verify` names it
                log.error("audit.not_pruned", team=cut.team, seq=str(cut.seq), problem="the checkpoint was changed")
                continue
            by_team[cut.team].append(cut)
        return sum([await self._prune(team_cuts, before) for team_cuts in by_team.values()])

    async def _prune(self, cuts: Sequence[Checkpoint], before: datetime) -> int:
        """One workspace's log, step by step. What says that it was pruned is no reason to prune it again."""
        async with self.store.read(long=True) as work:
            if not await work.audit.has_more_than(AuditCode.LOG_PRUNED, cuts[-1]):
                return 0
        count, events = 0, [_told(cuts[-1], before)]
        while cuts:
            async with self.store.read(long=True) as work:
                beginning = beginnings(await work.audit.pruned()).get(cuts[0].team)
                cut = _next(cuts, beginning, self.batch)
                entries = await _up_to(work, cut, beginning)
            gone = await self._step(cut, beginning, entries, events)
            if not gone:
                break
            count, events, cuts = count + gone, [], [one for one in cuts if one.seq > cut.seq]
        return count

    async def _step(
        self, cut: Checkpoint, beginning: Checkpoint | None, entries: Sequence[EntryRow], events: Sequence[AuditEvent]
    ) -> int:
        """Delete these entries, all from the beginning to the checkpoint, in one transaction; how many went."""
        if problem := self._wrong(cut, beginning, entries):
            log.error("audit.not_pruned", team=cut.team, seq=cut.seq, problem=problem)
            return 0
        known = _carried_over(carried_of(beginning) if beginning else {}, entries)
        async with self.store.write(long=True) as work:
            await work.audit.lock_chains()
            if beginnings(await work.audit.pruned()).get(cut.team) != beginning:
                return 0  # somebody else pruned it meanwhile
            await work.audit.record(*events)
            kept = await work.audit.going_on(known, cut)
            carried = carried_as_text({scope: known[scope] for scope in kept})
            to = checkpoint_at(self.keyring, cut.team, place_at(cut), CheckpointKind.PRUNED, self.clock.now(), carried)
            return await work.audit.prune(to, known.keys() - kept)

    def _wrong(self, cut: Checkpoint, beginning: Checkpoint | None, entries: Sequence[EntryRow]) -> str:
        """What is wrong with these entries, or with the places between which they stand; nothing where all is well."""
        if any(one.key not in self.keyring.public_keys or not is_true(one) for one in (cut, beginning) if one):
            return "a checkpoint was changed, or its key is missing"
        verifier = Verifier(self.keyring, {beginning.team: beginning} if beginning else {})
        for entry in entries:
            verifier.check(entry)
        if problems := verifier.report.problems:
            return problems[0]
        return "" if verifier.end_of(cut.team) == place_at(cut) else "the checkpoint does not fit its chain"


def _told(cut: Checkpoint, before: datetime) -> AuditEvent:
    """That a workspace's log is pruned, up to where it is to be at the end."""
    details = {"before": before.isoformat(), "through": cut.seq}
    return AuditEvent(team=cut.team, code=AuditCode.LOG_PRUNED, actor=AGENT, details=details)


def _next(cuts: Sequence[Checkpoint], beginning: Checkpoint | None, batch: int) -> Checkpoint:
    """The furthest of the places that a step reaches; the nearest where none is near enough."""
    reached = (beginning.seq if beginning else 0) + batch
    return max((one for one in cuts if one.seq <= reached), key=lambda one: one.seq, default=cuts[0])


async def _up_to(work: UnitOfWork, cut: Checkpoint, beginning: Checkpoint | None) -> Sequence[EntryRow]:
    """The workspace's entries from where its log begins to this place."""
    after = beginning.seq if beginning else 0
    found = await work.audit.chained(after=(cut.team, after), limit=cut.seq - after)
    return [entry for entry in found if entry[1] == cut.team]


def _carried_over(before: Mapping[str, Carried], entries: Iterable[EntryRow]) -> dict[str, Carried]:
    """What there is to be known of each scope at the end of these entries."""
    known = dict(before)
    for _, _, scope, number, code, _, text, *_ in entries:
        one = replace(known.get(scope, Carried()), number=number)
        if code in ENDS:
            one = replace(one, ended=code)
        if code in INTENTS:
            match body_of(text).get("details"):
                case {"action": str(action), "attempt": int(attempt)}:
                    one = replace(one, attempts=(*one.attempts, (action, attempt)))
                case _:
                    pass
        known[scope] = one
    return known
