"""The checkpoint: what is looked at before the model is asked: what it may still use, and what it must be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.runs import Run, RunState
from bot.domain.spending import Budget
from bot.llm import wire
from bot.runtime import budgets, limit_words, limits, pauses
from bot.runtime.leases import Lease
from bot.runtime.ports import Store, UnitOfWork
from bot.runtime.spending import Purse
from bot.runtime.transitions import Transitions
from integrations.ports import Clock

_WATCHED = max(limits.CIRCLE_CALLS) * limits.CIRCLE_ROUNDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Lets a planning run ask the model, or pauses it."""

    store: Store
    clock: Clock
    purse: Purse

    async def passed(self, run: Run, lease: Lease) -> Run | None:
        """The run as it may ask now, told what it must know; None when it was paused instead."""
        async with self.store.read() as work:
            run = await work.runs.find(run.id)
            exhausted = await self.purse.exhausted(work, run, self.clock.now())
            circles = await _circles(work, run)
        if exhausted is None and not circles and not self._is_to_be_told(run):
            return run
        async with lease.write() as moves:
            current = await moves.work.runs.find(run.id)
            if current.state is not RunState.PLANNING:
                return None
            if exhausted is not None:
                await self._pause(moves, current, exhausted)
                return None
            return await self._tell(moves, current, circles=circles)

    def _is_to_be_told(self, run: Run) -> bool:
        if run.stopping is not None:
            return budgets.TOLD_STOP not in run.hinted
        return bool(budgets.untold(run)) or budgets.reached(run, self.clock.now()) is not None

    async def _pause(self, moves: Transitions, run: Run, budget: Budget) -> None:
        """Not one call more: what the day's budget does not hold is not spent."""
        why = await self.purse.over(moves.work, run, budget, moves.now)
        await pauses.without_text(moves, run, why, pauses.Ending.AT_ONCE)

    async def _tell(self, moves: Transitions, run: Run, *, circles: bool) -> Run:
        """The soft stop at a limit, or hints, as the newest content; marked in the same commit, so said once."""
        limit = budgets.reached(run, moves.now)
        if limit is not None:
            await pauses.softly(moves, run, limit)
            run = await moves.work.runs.find(run.id)
        said, marks = _words(run, circles=circles)
        if said:
            await moves.work.steps.append(run.id, [wire.user_text("\n\n".join(said))])
            await moves.work.runs.change(run.id, hinted=(*run.hinted, *marks))
        return await moves.work.runs.find(run.id)


def _words(run: Run, *, circles: bool) -> tuple[Sequence[str], Sequence[str]]:
    """What the model is told now, and the marks that it was."""
    if run.stopping is not None:
        return ([limit_words.soft_stop(run.stopping)], [budgets.TOLD_STOP]) if _untold_stop(run) else ([], [])
    names = budgets.untold(run)
    hints = [limit_words.nearly(names)] if names else []
    return [*hints, *([limit_words.CIRCLE] if circles else [])], [budgets.told(name) for name in names]


def _untold_stop(run: Run) -> bool:
    return budgets.TOLD_STOP not in run.hinted


async def _circles(work: UnitOfWork, run: Run) -> bool:
    """Whether the same calls go round; what came of them is only read when they do."""
    if run.stopping is not None or not limits.circles(await work.actions.calls(run.id, limit=_WATCHED)):
        return False
    return limits.circles(await work.actions.answered(run.id, limit=_WATCHED))
