"""Budgets: what a run has used of its allowance, and what it may not begin any more (docs/limits.md).

Compared before the model is asked, and each second while something runs. What side effects take up is counted in
`bot.runtime.places`.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from bot.domain.limits import Limit, Limits
from bot.domain.runs import Run
from bot.domain.spending import Budget, DailyBudgets, Spent, Today
from bot.runtime.activity import active_ms

GRACE_MS = 30_000  # of active time, after the limit of active time
NEAR = 0.8  # of a budget: the hint

TOLD_STOP = "stop"
_MEASURED = (Limit.STEPS, Limit.TOKENS, Limit.COST, Limit.ACTIVE)


# Time, steps, tokens, money -----------------------------------------------------------------------------------


def used(run: Run, now: datetime) -> Limits:
    """What the run's own row says that it used."""
    return Limits(
        steps=run.steps_taken,
        active_ms=active_ms(run, now),
        tokens=tokens_of(run),
        cost_micros=run.cost_micros,
    )


def tokens_of(run: Run) -> int:
    """Every token of its model calls, as they are billed."""
    return run.usage.prompt + run.usage.output


def reached(run: Run, now: datetime) -> Limit | None:
    """The first limit at which the model is not asked to go on."""
    so_far = used(run, now)
    return next((limit for limit in _MEASURED if not is_below(so_far.of(limit) or 0, run.ceiling.of(limit))), None)


def is_below(count: int, most: int | None) -> bool:
    """Whether there is room for one more."""
    return most is None or count < most


class Overdue(StrEnum):
    """How far a run is over its active time."""

    SOFT = "soft"  # tools off, and one word more
    HARD = "hard"  # and the grace is over as well


def overdue(run: Run, now: datetime) -> Overdue | None:
    """What its active time asks for now, if anything new."""
    most = run.ceiling.active_ms
    if most is None or not run.state.holds_thread():
        return None
    over = active_ms(run, now) - most
    if over >= GRACE_MS and run.hard_stop is None:
        return Overdue.HARD
    return Overdue.SOFT if over >= 0 and run.stopping is None else None


# Hints --------------------------------------------------------------------------------------------------------


def crossed(run: Run, spent: Spent, today: Today, budgets: DailyBudgets) -> tuple[str, ...]:
    """The budgets that came near with what was just spent: `run` and `today` are those after it."""
    tokens, cost = tokens_of(run), run.cost_micros
    ours = {
        Limit.TOKENS: (tokens - spent.tokens, tokens, run.ceiling.tokens),
        Limit.COST: (cost - spent.cost_micros, cost, run.ceiling.cost_micros),
    }
    before = Today(user=today.user - spent, workspace=today.workspace - spent)
    days = {each: (each.drawn(before), each.drawn(today), budgets.most(each)) for each in Budget}
    return tuple(name.value for name, counts in (ours | days).items() if _came_near(*counts))


def _came_near(before: int, after: int, most: int | None) -> bool:
    return most is not None and before < NEAR * most <= after


def told(name: str) -> str:
    """The mark that the model was told of this."""
    return f"{name}:told"


def untold(run: Run) -> tuple[str, ...]:
    """What came near and the model does not know yet."""
    return tuple(name for name in near(run) if told(name) not in run.hinted)


def near(run: Run) -> tuple[str, ...]:
    """The budgets that came near since the run began, or was continued."""
    return tuple(name for name in run.hinted if ":" not in name and name != TOLD_STOP)
