"""What may be used, from the settings: part of the composition root. Zero in a setting is no limit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

from bot.domain.limits import DailyBudgets, Guard, Limits, Rate, resolve_limits
from bot.llm import models
from bot.settings import Settings
from bot.wiring.model import model_name

_MICROS = 1_000_000
_MS = 1_000


def chat_limits(settings: Settings) -> Limits:
    """What one request of a person may use."""
    return resolve_limits(
        {},
        {
            "steps": settings.agent_max_loop_steps,
            "active_ms": _most(settings.agent_max_active_seconds * _MS),
            "tokens": _most(settings.agent_max_tokens),
            "cost_micros": _micros(settings.agent_max_usd),
            "effects": _most(settings.agent_max_side_effects),
            "recipients": _most(settings.agent_max_recipients),
            "cards": _most(settings.agent_max_cards),
        },
    )


def grace(settings: Settings) -> timedelta:
    """How long a run may work on after its working time, until it is stopped hard."""
    return timedelta(seconds=settings.agent_grace_seconds)


def guard(settings: Settings) -> Guard:
    """What one step may ask for at once, and how often in a row."""
    return Guard(
        calls=settings.agent_max_calls_per_step,
        refused_at=settings.agent_same_call_refused_at,
        failed_at=settings.agent_same_call_failed_at,
    )


def daily_budgets(settings: Settings) -> DailyBudgets:
    """What may be spent on one day."""
    return DailyBudgets(
        user_tokens=_most(settings.agent_daily_tokens_per_user),
        user_cost=_micros(settings.agent_daily_usd_per_user),
        user_effects=_most(settings.agent_daily_side_effects_per_user),
        user_recipients=_most(settings.agent_daily_recipients_per_user),
        workspace_tokens=_most(settings.agent_daily_tokens_per_workspace),
        workspace_cost=_micros(settings.agent_daily_usd_per_workspace),
        workspace_effects=_most(settings.agent_daily_side_effects_per_workspace),
        workspace_recipients=_most(settings.agent_daily_recipients_per_workspace),
    )


def request_rate(settings: Settings) -> Rate | None:
    """How fast one person may ask: a minute's worth may come at once, and as much again waits for its turn."""
    most = settings.agent_requests_per_minute
    return Rate(per_minute=most, burst=most, ahead=timedelta(minutes=1)) if most else None


def model_rate(settings: Settings) -> Rate | None:
    """How fast the model may be called: evenly spaced, and waited for in turn for a minute."""
    most = settings.gemini_requests_per_minute
    return Rate(per_minute=most, ahead=timedelta(minutes=1)) if most else None


def unpriced(settings: Settings) -> Sequence[str]:
    """A warning where money is to be limited and the model's price is not known."""
    name = model_name(settings)
    limits = (settings.agent_max_usd, settings.agent_daily_usd_per_user, settings.agent_daily_usd_per_workspace)
    if models.settings_of(name).price is not None or not any(limits):
        return []
    warning = (
        f"The price of {name} (GEMINI_MODEL) is not known here, so its money is not counted, and limits in US dollars "
        "never end a request; those in tokens do."
    )
    return [warning]


def _most(count: int) -> int | None:
    return count or None


def _micros(dollars: Decimal) -> int | None:
    return _most(int(dollars * _MICROS))
