"""What the model costs per day: what was spent, and what may be. A day is a UTC day, as a workspace has many zones."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Tokens as they are billed, and millionths of a US dollar. As a budget, None is no limit."""

    tokens: int = 0
    cost_micros: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Today:
    """What was spent on one day: by the person, and by everybody of the workspace together."""

    user: Spent
    workspace: Spent


class Budget(StrEnum):
    """A budget of the day."""

    USER_TOKENS = "user_tokens"
    USER_COST = "user_cost"
    WORKSPACE_TOKENS = "workspace_tokens"
    WORKSPACE_COST = "workspace_cost"

    @property
    def is_of_workspace(self) -> bool:
        """Whether everybody of the workspace draws on it."""
        return self in {Budget.WORKSPACE_TOKENS, Budget.WORKSPACE_COST}

    def drawn(self, today: Today) -> int:
        """How much of it is used."""
        spent = today.workspace if self.is_of_workspace else today.user
        return spent.tokens if self in {Budget.USER_TOKENS, Budget.WORKSPACE_TOKENS} else spent.cost_micros


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyBudgets:
    """How much may be spent on a day; None is no limit. The names are those of `Budget`."""

    user_tokens: int | None = None
    user_cost: int | None = None
    workspace_tokens: int | None = None
    workspace_cost: int | None = None

    def most(self, budget: Budget) -> int | None:
        """How much there is of one."""
        return getattr(self, budget.value)

    def exhausted(self, today: Today) -> Budget | None:
        """The first one that is used up."""
        return next((each for each in Budget if _is_used_up(each.drawn(today), self.most(each))), None)


def _is_used_up(drawn: int, most: int | None) -> bool:
    return most is not None and drawn >= most


def day_of(moment: datetime) -> str:
    """The day that spending counts for."""
    return moment.astimezone(UTC).date().isoformat()


def next_day(moment: datetime) -> datetime:
    """When the budgets are fresh again."""
    return datetime.combine(moment.astimezone(UTC).date() + timedelta(days=1), time(), UTC)
