"""What one run may use. Resolved once, at its start; Continue grants the same once more (docs/states.md §1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import timedelta
from enum import StrEnum


class Limit(StrEnum):
    """What is limited; the values are the names of `Limits`."""

    STEPS = "steps"
    ACTIVE = "active_ms"
    TOKENS = "tokens"
    COST = "cost_micros"
    EFFECTS = "effects"
    RECIPIENTS = "recipients"
    CARDS = "cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much of each thing; None is no limit. `active_ms` leaves out the time spent waiting for people.

    `cost_micros` is in millionths of a US dollar; `effects` are side effects, `recipients` distinct addresses that they
    reach, `cards` approval cards.
    """

    steps: int | None = None
    active_ms: int | None = None
    tokens: int | None = None
    cost_micros: int | None = None
    effects: int | None = None
    recipients: int | None = None
    cards: int | None = None

    def of(self, limit: Limit) -> int | None:
        """How much of this; None is no limit."""
        return getattr(self, limit.value)

    def __add__(self, other: Limits) -> Limits:
        """Both together; without a limit on either side there is none."""
        pairs = {name: (value, getattr(other, name)) for name, value in asdict(self).items()}
        return Limits(**{name: None if None in pair else sum(pair) for name, pair in pairs.items()})


DEFAULT_LIMITS = Limits(
    steps=8, active_ms=600_000, tokens=200_000, cost_micros=500_000, effects=10, recipients=10, cards=3
)


GRACE = timedelta(seconds=30)  # of active time, after the limit of active time


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """What one step may ask for at once, and the guard against loops; the same for every run.

    So many `calls` of one step are executed; of identical calls in a row the one of this number is answered with an
    error (`refused_at`), or ends the run (`failed_at`).
    """

    calls: int = 16
    refused_at: int = 3
    failed_at: int = 5


def resolve_limits(
    spawn: Mapping[str, int | None], definition: Mapping[str, int | None], default: Limits = DEFAULT_LIMITS
) -> Limits:
    """The first that speaks of a limit decides it: who spawned the run, its agent's definition, the default.

    A value of None speaks too: it says that there is no such limit. Raises `KeyError` on a name that is no limit.
    """
    known = {field.name for field in fields(Limits)}
    if strange := (spawn.keys() | definition.keys()) - known:
        raise KeyError(f"no such limit: {', '.join(sorted(strange))}")
    return Limits(**{**asdict(default), **definition, **spawn})
