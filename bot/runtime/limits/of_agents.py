"""What the run of an agent may use: as the one who begins it says, else as its definition does, else the default.

What is not written is no limit of its own. Only an agent that was given its work may then take `STEPS` steps. No model
sets any of it. What a request has left is seen to each time (`bot.runtime.limits.preflight`), whatever is set here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.agents.definition import Definition, QueryStep, Sequential, Single
from bot.domain.limits import Limit, Limits, SpawnLimits, resolve_limits

STEPS = 50
"""What an agent that is given work may take where its definition names no number."""

_OF_CHILD = Limits(steps=STEPS)
"""The rest is limited for the whole request."""

_MINUTE_MS = 60_000


def limits_of_child(definition: Definition, spawn: SpawnLimits) -> Limits:
    """What a run of this agent may use by itself, when it was given its work."""
    return resolve_limits(spawn.set, _written(definition), _OF_CHILD)


def spawn_of_step(flow: Definition, place: int, own: Limits) -> SpawnLimits:
    """What a flow that has limits of its `own` sets for the run of its step at this place, counted from 0. Steps that
    whoever began the flow has set are those of each of its steps that asks the model.
    """
    step = flow.flow.steps[place] if isinstance(flow.flow, Sequential) else None
    spawn = SpawnLimits() if step is None else step.limits
    asks_model = step is None or isinstance(step, QueryStep)
    return replace(spawn, max_steps=own.steps) if asks_model and own.steps is not None else spawn


def limits_of_request(definition: Definition, usual: Limits, spawn: SpawnLimits) -> Limits:
    """What a request of a person to this agent may use: as any request (`usual`), but for steps and time. The steps of
    a flow are those that each step of it may take which asks the model, as in its definition.
    """
    return resolve_limits(spawn.set, {Limit.STEPS: None, **_written(definition)}, usual)


def limits_asked_for(definition: Definition, usual: Limits, asked: SpawnLimits) -> Limits:
    """The same where a person says the limits, who may lower what they would be, and raise nothing. A flow's steps have
    numbers of their own, which stay.
    """
    own = limits_of_request(definition, usual, SpawnLimits())
    given = {name: _lower(getattr(own, name), most) for name, most in asked.set.items()}
    if not isinstance(definition.flow, Single):
        given.pop(Limit.STEPS.value, None)
    return replace(own, **given)


def _lower(own: int | None, asked: int) -> int:
    return asked if own is None else min(own, asked)


def _written(definition: Definition) -> Mapping[str, int | None]:
    written, own = definition.limits, dict[str, int | None]()
    if not isinstance(definition.flow, Single):
        own[Limit.STEPS] = None  # each of its steps may take so many
    elif written is not None and written.turns is not None:
        own[Limit.STEPS] = written.turns
    if written is not None and written.minutes is not None:
        own[Limit.ACTIVE] = int(written.minutes * _MINUTE_MS)
    return own
