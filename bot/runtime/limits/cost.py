"""Spending: what a model call cost, counted for its run, its person and its workspace in the commit of its turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.domain.limits import Budget, DailyBudgets, Spent, Today, Usage, day_of
from bot.domain.runs import Run
from bot.domain.threads import zone_of
from bot.llm import model
from bot.runtime.core.transaction import Transaction
from bot.runtime.limits import usage as budgets
from bot.runtime.texts import about_limits
from bot.store.unit_of_work import UnitOfWork

Pricing = Callable[[str, model.TurnUsage, datetime], int]
"""What a model, by its id, costs for this usage at this time, in millionths of a US dollar; 0: no price is known."""


def free(name: str, usage: model.TurnUsage, now: datetime) -> int:
    """The pricing of models whose price is not known."""
    del name, usage, now
    return 0


_NOTHING = Today(user=Spent(), workspace=Spent())


@dataclass(frozen=True, slots=True, kw_only=True)
class CostTracker:
    """Counts what is spent, against the budgets of the day."""

    pricing: Pricing = free
    daily: DailyBudgets = field(default_factory=DailyBudgets)

    async def count(self, tx: Transaction, run: Run, turn: model.Turn, *, asked: str, steps: int) -> Run:
        """Count a turn of the model with this id, also one that comes to nothing: it is paid for.

        The run as it is then.
        """
        day, cost = day_of(tx.now), self.pricing(asked, turn.usage, tx.now)
        counts: dict[str, Any] = {
            "usage": run.usage + used(turn),
            "cost_micros": run.cost_micros + cost,
            "steps_taken": run.steps_taken + steps,
        }
        await tx.work.runs.change(run.id, **counts)
        await _count_above(tx, run, used(turn), cost)
        after = await tx.work.runs.find(run.id)
        spent = Spent(tokens=budgets.tokens_of(after) - budgets.tokens_of(run), cost_micros=cost)
        if spent != Spent():
            await tx.work.spending.add(run.team, run.user, day, spent)
        today = await self._today(tx.work, run, tx.now)
        found = [name for name in budgets.used_near(after, today, self.daily) if name not in run.hinted]
        near = [name for name in found if not await _was_said(tx.work, run, name, day)]
        if not near:
            return after
        await tx.work.runs.change(run.id, hinted=(*run.hinted, *near))
        return await tx.work.runs.find(run.id)

    async def exhausted(self, work: UnitOfWork, run: Run, now: datetime) -> Budget | None:
        """The budget of the day that lets nothing more be asked for this run."""
        return self.daily.exhausted(await self._today(work, run, now))

    async def _today(self, work: UnitOfWork, run: Run, now: datetime) -> Today:
        """Only looked up where there is a budget to compare it with."""
        if not self.daily.given:
            return _NOTHING
        recipients = self.daily.limit_recipients
        return await work.spending.of_day(run.team, run.user, day_of(now), recipients=recipients)

    async def over(self, work: UnitOfWork, run: Run, budget: Budget, now: datetime) -> str:
        """To people: that this budget is used up."""
        return about_limits.exhausted(budget, self.daily, now, await _zone(work, run))

    async def noted(self, work: UnitOfWork, run: Run, text: str, now: datetime) -> str:
        """An answer that will be read, and under it what is near its end; at a limit of the run only days count.

        Of a budget of the day it is said once, by whichever answer comes first: a run that crossed it may have none.
        """
        found = budgets.used_near(run, await self._today(work, run, now), self.daily)
        news = [name for name in found if await _is_to_be_said(work, run, name, now)]
        names = [name for name in news if name != run.stop_code]  # else it is said that there is no room left
        if not names:
            return text
        return f"{text}\n\n{about_limits.near(names, run, self.daily, now, await _zone(work, run))}"


def _mark(run: Run, budget: Budget) -> str:
    """The mark that has the day on which it was last said that this budget is near its end."""
    return f"hint {budget} {run.team}" + ("" if budget.is_of_workspace else f" {run.user}")


async def _count_above(tx: Transaction, run: Run, usage: Usage, cost: int) -> None:
    """What it spends is spent for those that it works for, too."""
    if run.is_child:
        for above in (await tx.work.runs.lineage(run))[1:]:
            await tx.work.runs.change(above.id, usage=above.usage + usage, cost_micros=above.cost_micros + cost)


async def _was_said(work: UnitOfWork, run: Run, name: str, day: str) -> bool:
    return name in set(Budget) and await work.metadata.find(_mark(run, Budget(name))) == day


async def _is_to_be_said(work: UnitOfWork, run: Run, name: str, now: datetime) -> bool:
    if name in set(Budget):
        return await work.metadata.move(_mark(run, Budget(name)), day_of(now))
    return run.stopping is None


async def _zone(work: UnitOfWork, run: Run) -> str:
    return zone_of(await work.users.find(run.team, run.user))


def used(turn: model.Turn) -> Usage:
    """A turn's tokens, as rows keep them."""
    counted = turn.usage
    return Usage(prompt=counted.prompt_tokens, output=counted.output_tokens, cached=counted.cached_tokens)
