"""What a confirmed plan may use: for each of its tasks as much as one request, and what is added draws from that."""

from __future__ import annotations

from dataclasses import asdict, replace

from bot.domain.limits import Limits
from bot.domain.plans import Phase
from bot.domain.runs import Run, RunChanges


def allowance(one: Limits, tasks: int) -> Limits:
    """What so many tasks may use together. How many steps the plan itself takes follows from its tasks."""
    every = {name: None if most is None else most * tasks for name, most in asdict(one).items()}
    return replace(Limits(**every), steps=None)


def carried_out(run: Run, tasks: int) -> RunChanges:
    """The columns of a plan's run that is carried out from now on: the allowance, on top of what planning used."""
    granted = allowance(run.limits, tasks)
    return {"phase": Phase.CARRY_OUT, "limits": granted, "ceiling": run.ceiling + granted}
