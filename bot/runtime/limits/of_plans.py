"""What a confirmed plan may use: for each of its tasks as much as one request, and what is added draws from that."""

from __future__ import annotations

from dataclasses import asdict, replace

from bot.domain.limits import Limits


def allowance(one: Limits, tasks: int) -> Limits:
    """What so many tasks may use together. How many steps the plan itself takes follows from its tasks."""
    every = {name: None if most is None else most * tasks for name, most in asdict(one).items()}
    return replace(Limits(**every), steps=None)
