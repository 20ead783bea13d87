"""Usage: what a run has used of its limits, and what it may not begin any more (docs/limits.md).

Compared before the model is asked, and each second while something runs. What side effects take up is counted in
`bot.runtime.limits.quotas`.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from bot.domain.limits import Budget, DailyBudgets, Limit, Limits, Today
from bot.domain.plans import Phase
from bot.domain.runs import Run
from bot.runtime.core.activity import active_ms

MILLISECOND = timedelta(milliseconds=1)
LEFT = 5  # the model gets a hint when a fifth of a limit is left, or less

TOLD_STOP = "stop"
REMINDED = "handover:told"
"""The mark that an agent was reminded to hand its result over, and a planner to propose."""
_FAILED_TASK = "failed:task "
_MEASURED = (Limit.STEPS, Limit.TOKENS, Limit.COST, Limit.ACTIVE)


# Time, steps, tokens, money -----------------------------------------------------------------------------------


def used(run: Run, now: datetime) -> Limits:
    """What the run's own row says that it used. A round of a task counts once it is over; of a flow's own steps none
    does: they ask no model, and those below count theirs.
    """
    under_way = 1 if run.phase is Phase.REFLECT else 0
    return Limits(
        steps=0 if run.is_flow else run.steps_taken - under_way,
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


def stopped_at(run: Run, now: datetime) -> Limit | Budget:
    """The limit, or budget of the day, at which a run stopped; silence since may have taken its name away."""
    if run.stop_code in set(Budget):
        return Budget(run.stop_code)
    return Limit(run.stop_code) if run.stop_code in set(Limit) else reached(run, now) or Limit.ACTIVE


def is_below(count: int, most: int | None) -> bool:
    """Whether there is room for one more."""
    return most is None or count < most


class Overdue(StrEnum):
    """How far a run is over its active time."""

    SOFT = "soft"  # tools off, and one word more
    HARD = "hard"  # and the grace is over as well
    DEADLINE = "deadline"  # the point in time is over by which it was to be done, waiting included


def overdue(run: Run, now: datetime, grace: timedelta) -> Overdue | None:
    """What its time asks for now, if anything new; of active time the hard stop comes after the grace."""
    if run.deadline_at is not None and now >= run.deadline_at and run.hard_stop is None and run.state.is_live():
        return Overdue.DEADLINE
    most = run.ceiling.active_ms
    if most is None or not run.state.holds_thread():
        return None
    over = active_ms(run, now) - most
    if over >= grace / MILLISECOND and run.hard_stop is None:
        return Overdue.HARD
    return Overdue.SOFT if over >= 0 and run.stopping is None else None


# Hints --------------------------------------------------------------------------------------------------------


def used_near(run: Run, today: Today, budgets: DailyBudgets) -> tuple[str, ...]:
    """The budgets of which most is used: of the run's present allowance, and of the day."""
    ours = {Limit.TOKENS: tokens_of(run), Limit.COST: run.cost_micros}
    of_run = [each.value for each, drawn in ours.items() if _is_near(drawn, run.ceiling.of(each), run.limits.of(each))]
    days = {each: budgets.most(each) for each in budgets.given}
    return (*of_run, *(each.value for each, most in days.items() if _is_near(each.drawn(today), most, most)))


def _is_near(drawn: int, end: int | None, allowance: int | None) -> bool:
    """Whether little is left of an allowance that ends there."""
    return end is not None and allowance is not None and (end - drawn) * LEFT <= allowance


def told(name: str) -> str:
    """The mark that the model was told of this."""
    return f"{name}:told"


def continued_behind(action_id: str) -> str:
    """The mark of a flow that its owner continued where this was the action of its last step."""
    return f"{action_id}:continued"


def failed_task(task_id: str) -> str:
    """The mark of a plan whose model was asked what follows from the failure of this task. It stands for good."""
    return f"{_FAILED_TASK}{task_id}"


def lasting(run: Run) -> tuple[str, ...]:
    """The marks that Continue leaves."""
    return tuple(name for name in run.hinted if name.startswith(_FAILED_TASK))


def untold(run: Run) -> tuple[str, ...]:
    """What came near and the model does not know yet."""
    return tuple(name for name in near(run) if told(name) not in run.hinted)


def near(run: Run) -> tuple[str, ...]:
    """The budgets that came near since the run began, or was continued."""
    return tuple(name for name in run.hinted if ":" not in name and name != TOLD_STOP)
