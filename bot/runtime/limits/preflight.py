"""Preflight: what the model may still use, and what it must be told, checked before it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.agents.definition import ENDING_TOOL
from bot.domain.limits import Budget, Limit
from bot.domain.runs import Run
from bot.llm import wire
from bot.runtime.core.transaction import Transaction
from bot.runtime.limits import loop_guard, stops, usage
from bot.runtime.limits.cost import CostTracker
from bot.runtime.texts import about_limits
from bot.store.unit_of_work import UnitOfWork
from integrations.ports import Clock

WATCHED = max(loop_guard.CIRCLE_CALLS) * loop_guard.CIRCLE_ROUNDS
"""So many calls are looked at for a circle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Above:
    """Where a run that this one works for has stopped, or must, and what was said of it; "" where nothing was."""

    limit: Limit | Budget
    said: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightFindings:
    """The newest calls of a run, whether they go round in circles, the budget of the day that is used up, and the limit
    at which a run that it works for has stopped, or must, with what that said of it.
    """

    calls: Sequence[str]
    exhausted: Budget | None
    circles: bool
    above: Above | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preflight:
    """Lets a planning run ask the model, or pauses it."""

    clock: Clock
    costs: CostTracker

    async def look(self, work: UnitOfWork, run: Run, calls: Sequence[str]) -> PreflightFindings:
        """What is to be known before it asks; `calls` are its newest ones, at least `WATCHED` if there are so many."""
        exhausted = await self.costs.exhausted(work, run, self.clock.now())
        return PreflightFindings(
            calls=calls,
            exhausted=exhausted,
            circles=await _circles(work, run, calls),
            above=await _above(work, run, self.clock.now()) if run.is_child else None,
        )

    def is_clear(self, run: Run, found: PreflightFindings) -> bool:
        """Whether it may ask, and there is nothing that it must be told."""
        clear = found.exhausted is None and not found.circles and not self._is_to_be_told(run)
        return clear and (found.above is None or run.stopping is not None)

    async def passed(self, tx: Transaction, run: Run, found: PreflightFindings) -> Run | None:
        """The run as it may ask now, told what it must know; None when it was paused instead."""
        if found.exhausted is not None:  # not one call more: the day's budget is not overspent
            why = await self.costs.over(tx.work, run, found.exhausted, tx.now)
            await stops.without_text(tx, run, why, stops.Ending.AT_ONCE, code=found.exhausted.value)
            return None
        return await self._tell(tx, run, found)

    async def goes_on(self, tx: Transaction, run: Run) -> bool:
        """Whether one thing more may begin in a run that code leads; else it is paused here."""
        found = await self.look(tx.work, run, ())
        if found.exhausted is not None:
            await self.passed(tx, run, found)
            return False
        run = await _stopped(tx, run, found)
        if run.stopping is not None:
            await stops.without_text(tx, run, run.stopping, stops.Ending.AT_ONCE)
        return run.stopping is None

    def _is_to_be_told(self, run: Run) -> bool:
        if run.stopping is not None:
            return _untold_stop(run)
        return bool(usage.untold(run)) or usage.reached(run, self.clock.now()) is not None

    async def _tell(self, tx: Transaction, run: Run, found: PreflightFindings) -> Run:
        """The soft stop at a limit, or hints, as the newest content; marked in the same commit, so said once."""
        run = await _stopped(tx, run, found)
        said, marks = _words(run, circles=found.circles)
        if said:
            await tx.work.steps.append(run.id, [wire.user_text("\n\n".join(said))])
            await tx.work.runs.change(run.id, hinted=(*run.hinted, *marks))
        return await tx.work.runs.find(run.id)


async def _stopped(tx: Transaction, run: Run, found: PreflightFindings) -> Run:
    """The run, softly stopped where a limit is reached: its own, or that of what it works for."""
    own = usage.reached(run, tx.now)
    above = Above(limit=own) if own else found.above
    if above is not None:
        await stops.softly(tx, run, above.limit, of_request=own is None, why=above.said)
        run = await tx.work.runs.find(run.id)
    return run


def _words(run: Run, *, circles: bool) -> tuple[Sequence[str], Sequence[str]]:
    """What the model is told now, and the marks that it was."""
    if run.stopping is not None:
        told = about_limits.soft_stop(run.stopping, ending_tool=ENDING_TOOL if run.agent else None)
        return ([told], [usage.TOLD_STOP]) if _untold_stop(run) else ([], [])
    names = usage.untold(run)
    hints = [about_limits.nearly(names)] if names else []
    return [*hints, *([about_limits.CIRCLE] if circles else [])], [usage.told(name) for name in names]


def _untold_stop(run: Run) -> bool:
    return usage.TOLD_STOP not in run.hinted


async def _above(work: UnitOfWork, run: Run, now: datetime) -> Above | None:
    """How many steps it takes is each run's own affair; all else is the request's, too."""
    for above in (await work.runs.lineage(run))[1:]:
        if above.stopping is not None or above.hard_stop is not None:
            return Above(limit=usage.stopped_at(above, now), said=above.stopping or above.hard_stop or "")
        if (limit := usage.reached(replace(above, steps_taken=0), now)) is not None:
            return Above(limit=limit)
    return None


async def _circles(work: UnitOfWork, run: Run, calls: Sequence[str]) -> bool:
    """Whether the same calls go round; what came of them is only read when they do."""
    if run.stopping is not None or not loop_guard.circles(calls):
        return False
    return loop_guard.circles(await work.actions.answered(run.id, limit=WATCHED))
