"""Limits: what one run may use, what may be spent on a day, how many requests a minute may bring.

The limits of a run are resolved once, at its start; Continue grants the same once more (docs/states.md §1). A day is a
UTC day, as a workspace has many zones. A rate is stored as one moment per name (the generic cell rate algorithm, ATM
Forum UNI 3.1).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from functools import cache


class Limit(StrEnum):
    """What is limited; the values are the names of `Limits`."""

    STEPS = "steps"
    ACTIVE = "active_ms"
    TOKENS = "tokens"
    COST = "cost_micros"
    EFFECTS = "effects"
    RECIPIENTS = "recipients"
    CARDS = "cards"

    @property
    def rule(self) -> str:
        """The rule that a verdict names which denies what is beyond it."""
        return f"limit.{self.value}"


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

    def less(self, used: Limits) -> Limits:
        """What is left of each once so much of it is used, never less than nothing."""
        pairs = {name: (most, getattr(used, name) or 0) for name, most in asdict(self).items()}
        return Limits(**{name: None if most is None else max(0, most - drawn) for name, (most, drawn) in pairs.items()})


DEFAULT_LIMITS = Limits(
    steps=8, active_ms=600_000, tokens=200_000, cost_micros=500_000, effects=10, recipients=10, cards=3
)


MOST_RETRIES = 2
"""Unusable outputs, or steps whose calls were all invalid, one after the other, until a run ends with them."""

GRACE = timedelta(seconds=30)  # of active time, after the limit of active time

MOST_AGENT_STEPS, LONGEST_WORK = 1_000, timedelta(days=1)
"""What a definition may set at most, and the one who begins the run of an agent."""


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
    """The limits of a run: each as its spawner sets it, else as its agent's definition does, else the default.

    A value of None is set too: there is no such limit. Raises `KeyError` for a name that is no limit.
    """
    known = {field.name for field in fields(Limits)}
    if unknown := (spawn.keys() | definition.keys()) - known:
        raise KeyError(f"no such limit: {', '.join(sorted(unknown))}")
    return Limits(**{**asdict(default), **definition, **spawn})


@dataclass(frozen=True, slots=True, kw_only=True)
class SpawnLimits:
    """What the one who begins the run of an agent sets in the place of its definition: an operator, or the author of a
    flow for one of its steps, never a model. None is not set.
    """

    timeout: timedelta | None = None
    max_steps: int | None = None

    @property
    def set(self) -> Mapping[str, int]:
        """By the names of `Limits`."""
        active_ms = None if self.timeout is None else self.timeout // timedelta(milliseconds=1)
        chosen = {Limit.STEPS.value: self.max_steps, Limit.ACTIVE.value: active_ms}
        return {name: most for name, most in chosen.items() if most is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the model counted them. `output` is candidates and thoughts together; `cached` is part of `prompt`."""

    prompt: int = 0
    output: int = 0
    cached: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Both together."""
        return Usage(
            prompt=self.prompt + other.prompt, output=self.output + other.output, cached=self.cached + other.cached
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Tokens as they are billed, and millionths of a US dollar; changes outside, and a mark (`mark_of`) for each
    address that they reach.
    """

    tokens: int = 0
    cost_micros: int = 0
    effects: int = 0
    recipients: frozenset[str] = frozenset()

    def __add__(self, other: Spent) -> Spent:
        """Both together; an address that both reach counts once."""
        return Spent(
            tokens=self.tokens + other.tokens,
            cost_micros=self.cost_micros + other.cost_micros,
            effects=self.effects + other.effects,
            recipients=self.recipients | other.recipients,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Today:
    """What was spent on one day: by the person, and by everybody of the workspace together."""

    user: Spent
    workspace: Spent

    def with_more(self, spent: Spent) -> Today:
        """The day once the person has spent this, too."""
        return Today(user=self.user + spent, workspace=self.workspace + spent)


class Budget(StrEnum):
    """A budget of the day: whose it is, and what is counted."""

    USER_TOKENS = "user_tokens"
    USER_COST = "user_cost"
    USER_EFFECTS = "user_effects"
    USER_RECIPIENTS = "user_recipients"
    WORKSPACE_TOKENS = "workspace_tokens"
    WORKSPACE_COST = "workspace_cost"
    WORKSPACE_EFFECTS = "workspace_effects"
    WORKSPACE_RECIPIENTS = "workspace_recipients"

    is_of_workspace: bool
    """Whether everybody of the workspace draws on it."""
    limit: Limit
    """What is counted."""
    is_of_places: bool
    """Whether it is used up by what is done outside; the model uses up the others."""

    def __init__(self, name: str) -> None:
        owner, _, counted = name.partition("_")
        self.is_of_workspace = owner == "workspace"
        self.limit = Limit.COST if counted == "cost" else Limit(counted)
        self.is_of_places = self.limit in {Limit.EFFECTS, Limit.RECIPIENTS}

    @property
    def rule(self) -> str:
        """The rule that a verdict names which denies what is beyond it."""
        return f"limit.{self.value}"

    def drawn(self, today: Today) -> int:
        """How much of it is used."""
        spent = today.workspace if self.is_of_workspace else today.user
        match self.limit:
            case Limit.RECIPIENTS:
                return len(spent.recipients)
            case limit:
                return getattr(spent, limit.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyBudgets:
    """How much may be spent on a day; None is no limit. The names are those of `Budget`."""

    user_tokens: int | None = None
    user_cost: int | None = None
    user_effects: int | None = None
    user_recipients: int | None = None
    workspace_tokens: int | None = None
    workspace_cost: int | None = None
    workspace_effects: int | None = None
    workspace_recipients: int | None = None

    def most(self, budget: Budget) -> int | None:
        """How much there is of one."""
        return getattr(self, budget.value)

    @property
    def given(self) -> Sequence[Budget]:
        """Those that there are."""
        return _given(self)

    @property
    def have_places(self) -> bool:
        """Whether there is one that what is done outside uses up."""
        return any(each.is_of_places for each in self.given)

    @property
    def limit_recipients(self) -> bool:
        """Whether there is one of recipients."""
        return (self.user_recipients, self.workspace_recipients) != (None, None)

    def exhausted(self, today: Today) -> Budget | None:
        """The first one that is used up of those of the model."""
        models = (each for each in self.given if not each.is_of_places)
        return next((each for each in models if _is_used_up(each.drawn(today), self.most(each))), None)

    def overdrawn(self, before: Today, after: Today) -> Budget | None:
        """The first one of places that is passed between these two, or that was passed and of which more is used."""
        grown = (each for each in Budget if each.is_of_places and each.drawn(after) > each.drawn(before))
        return next((each for each in grown if _is_used_up(each.drawn(after) - 1, self.most(each))), None)


@cache
def _given(budgets: DailyBudgets) -> Sequence[Budget]:
    """The same for each call of the model."""
    return [each for each in Budget if budgets.most(each) is not None]


def _is_used_up(drawn: int, most: int | None) -> bool:
    return most is not None and drawn >= most


_MARK = 20  # hexadecimal digits: two of ten thousand addresses have the same one once in 10^16 days


def mark_of(address: str, team: str, about: str) -> str:
    """What stands for an address where it need not be read: the same in any case, for one day or one person."""
    return hashlib.sha256(f"{team}\n{about}\n{address.casefold()}".encode()).hexdigest()[:_MARK]


def day_of(moment: datetime) -> str:
    """The day that spending counts for."""
    return moment.astimezone(UTC).date().isoformat()


def next_day(moment: datetime) -> datetime:
    """When the budgets are fresh again."""
    return datetime.combine(moment.astimezone(UTC).date() + timedelta(days=1), time(), UTC)


_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """So many per minute. `burst` of them may come at once; 1 spaces them evenly. Places are given away at most so long
    `ahead` of their time. A stored time beyond that was made by a clock that went back since, and counts for nothing.
    So no step of a clock makes anybody wait for longer than the rate itself.
    """

    per_minute: int
    burst: int = 1
    ahead: timedelta = timedelta(0)

    @property
    def waiting(self) -> int:
        """How many may wait for their turn."""
        return int(self.ahead / (_MINUTE / self.per_minute))

    def ask(self, next_at: datetime | None, now: datetime) -> RateAnswer:
        """Whether one more is in time. `next_at` is the moment that the last answer left, None before the first."""
        interval = _MINUTE / self.per_minute
        due = max(now, next_at or now)
        if due - now > self.ahead + interval * self.burst:  # the clock went back since it was stored
            due = now
        in_time_at = due - interval * (self.burst - 1)
        granted = in_time_at - now <= self.ahead
        return RateAnswer(in_time_at=max(now, in_time_at), next_at=due + interval, granted=granted)


@dataclass(frozen=True, slots=True, kw_only=True)
class RateAnswer:
    """In time from `in_time_at` on. The caller stores `next_at` when the place is `granted`, else asks again later."""

    granted: bool
    in_time_at: datetime
    next_at: datetime
