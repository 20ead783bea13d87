"""Limits, budgets and rates as they are set."""

from __future__ import annotations

from datetime import timedelta

from bot.domain.limits import DEFAULT_LIMITS, GRACE, DailyBudgets, Guard, Limits, Rate
from bot.settings import Settings, read
from bot.wiring import limits


def settings(**given: str) -> Settings:
    return read({"COUNTERSIGN_ENV_FILE": "", **given})


def test_without_a_setting_the_defaults_hold() -> None:
    """The limits of one request as documented, no budgets of a day, twenty requests a minute, no pace of the model."""
    plain = settings()
    assert limits.chat_limits(plain) == DEFAULT_LIMITS
    assert limits.daily_budgets(plain) == DailyBudgets()
    assert limits.request_rate(plain) == Rate(per_minute=20, burst=20, ahead=timedelta(minutes=1))
    assert limits.model_rate(plain) is None
    assert (limits.guard(plain), limits.grace(plain)) == (Guard(), GRACE)


def test_every_limit_can_be_set() -> None:
    """Each variable sets its own limit, in the unit of its name."""
    given = settings(
        AGENT_MAX_LOOP_STEPS="3",
        AGENT_MAX_ACTIVE_SECONDS="90",
        AGENT_MAX_TOKENS="1000",
        AGENT_MAX_USD="0.015",
        AGENT_MAX_SIDE_EFFECTS="4",
        AGENT_MAX_RECIPIENTS="5",
        AGENT_MAX_CARDS="6",
        AGENT_DAILY_TOKENS_PER_USER="7",
        AGENT_DAILY_USD_PER_USER="8",
        AGENT_DAILY_SIDE_EFFECTS_PER_USER="20",
        AGENT_DAILY_RECIPIENTS_PER_USER="21",
        AGENT_DAILY_TOKENS_PER_WORKSPACE="9",
        AGENT_DAILY_USD_PER_WORKSPACE="1.5",
        AGENT_DAILY_SIDE_EFFECTS_PER_WORKSPACE="22",
        AGENT_DAILY_RECIPIENTS_PER_WORKSPACE="23",
        AGENT_REQUESTS_PER_MINUTE="2",
        GEMINI_REQUESTS_PER_MINUTE="60",
        AGENT_GRACE_SECONDS="10",
        AGENT_MAX_CALLS_PER_STEP="11",
        AGENT_SAME_CALL_REFUSED_AT="4",
        AGENT_SAME_CALL_FAILED_AT="6",
    )
    assert limits.chat_limits(given) == Limits(
        steps=3, active_ms=90_000, tokens=1_000, cost_micros=15_000, effects=4, recipients=5, cards=6
    )
    assert limits.daily_budgets(given) == DailyBudgets(
        user_tokens=7,
        user_cost=8_000_000,
        user_effects=20,
        user_recipients=21,
        workspace_tokens=9,
        workspace_cost=1_500_000,
        workspace_effects=22,
        workspace_recipients=23,
    )
    assert (limits.request_rate(given), limits.model_rate(given)) == (
        Rate(per_minute=2, burst=2, ahead=timedelta(minutes=1)),
        Rate(per_minute=60, ahead=timedelta(minutes=1)),
    )
    assert (limits.guard(given), limits.grace(given)) == (
        Guard(calls=11, refused_at=4, failed_at=6),
        timedelta(seconds=10),
    )


def test_zero_is_no_limit() -> None:
    """Every limit but that of steps can be switched off."""
    names = "ACTIVE_SECONDS", "TOKENS", "USD", "SIDE_EFFECTS", "RECIPIENTS", "CARDS"
    none = settings(**{f"AGENT_MAX_{name}": "0" for name in names}, AGENT_REQUESTS_PER_MINUTE="0")
    assert limits.chat_limits(none) == Limits(steps=8)
    assert limits.request_rate(none) is None


def test_a_model_without_a_price_is_warned_of() -> None:
    """Where money is to be limited and cannot be counted, the doctor says so; else it says nothing."""
    (warning,) = limits.unpriced(settings(GEMINI_MODEL="gemini-9-neon"))
    assert warning.startswith("The price of gemini-9-neon (GEMINI_MODEL) is not known here")
    assert limits.unpriced(settings(GEMINI_MODEL="gemini-9-neon", AGENT_MAX_USD="0")) == []
    assert limits.unpriced(settings()) == []
