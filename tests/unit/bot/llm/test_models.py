"""The table of models, and when an unavailable one is asked again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.llm.model import ModelUnavailable, Parameters, ThinkingLevel, TurnUsage
from bot.llm.models import (
    DEFAULT_MODEL,
    Price,
    api_version_of,
    cost_micros,
    generation_config,
    settings_of,
)
from bot.llm.transport import Retries


def test_the_default_model_thinks_little_and_shows_it() -> None:
    """The default model gets a thinking level, thoughts included, and no sampling parameters."""
    assert generation_config(DEFAULT_MODEL, Parameters()) == {
        "maxOutputTokens": 16_384,
        "thinkingConfig": {"includeThoughts": True, "thinkingLevel": "LOW"},
    }


def test_a_level_that_is_given_counts() -> None:
    """It takes the place of the model's own."""
    config = generation_config("gemini-4-argon", Parameters(level=ThinkingLevel.HIGH))
    assert config["thinkingConfig"] == {"includeThoughts": True, "thinkingLevel": "HIGH"}


def test_models_without_levels_get_none() -> None:
    """A 2.x model knows no level: none is sent."""
    config = generation_config("gemini-2.5-flash", Parameters())
    assert config["thinkingConfig"] == {"includeThoughts": True}


def test_what_a_model_without_levels_takes() -> None:
    """It gets its budget, and temperature and topP; zero is a value, too."""
    assert generation_config("gemini-2.5-flash", Parameters(budget=0, temperature=0.0, top_p=0.9)) == {
        "maxOutputTokens": 16_384,
        "temperature": 0.0,
        "topP": 0.9,
        "thinkingConfig": {"includeThoughts": True, "thinkingBudget": 0},
    }


def test_unknown_models_work() -> None:
    """A model that is not listed gets usable settings and no price."""
    assert settings_of("gemini-9-neon").takes_level
    assert settings_of("gemini-9-neon").price is None


def test_latest_aliases_need_the_beta() -> None:
    """The `-latest` names exist on v1beta only."""
    assert (api_version_of("gemini-flash-latest"), api_version_of(DEFAULT_MODEL)) == ("v1beta", "v1")


def test_price_counts_thoughts_as_output() -> None:
    """A turn's price is that of its prompt and of all its output."""
    usage = TurnUsage(prompt_tokens=1_000_000, output_tokens=100_000)
    assert Price(input=0.75, output=3.75).of(usage) == pytest.approx(1.125)


def test_what_was_in_the_cache_has_its_own_price() -> None:
    """Cached tokens are a part of the prompt's; where their price is not known they count as the others."""
    usage = TurnUsage(prompt_tokens=1_000_000, cached_tokens=800_000, output_tokens=0)
    assert Price(input=0.75, cached=0.075, output=3.75).of(usage) == pytest.approx(0.21)
    assert Price(input=0.75, output=3.75).of(usage) == pytest.approx(0.75)


def test_a_price_that_changes_does_so_on_its_day() -> None:
    """A doubling that is announced is counted from its day on."""
    usage = TurnUsage(prompt_tokens=1_000_000, output_tokens=0)
    days = [datetime(2026, 11, 30, 23, 59, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC)]
    assert [cost_micros("models/gemini-4-argon", usage, day) for day in days] == [2_000_000, 4_000_000]


def test_what_has_no_price_costs_nothing() -> None:
    """The money of a model that is not listed is not counted."""
    usage = TurnUsage(prompt_tokens=10, output_tokens=10)
    assert cost_micros("gemini-9-neon", usage, datetime(2026, 11, 21, tzinfo=UTC)) == 0
    assert cost_micros(DEFAULT_MODEL, usage, datetime(2026, 11, 21, tzinfo=UTC)) == 45


# When an unavailable model is asked again --------------------------------------------------------------------------


RETRIES = Retries(attempts=3, first_delay=1.0, longest_delay=1.5, longest_advice=10.0, overall=60.0)


def delay(*, retry_after: float | None = None, attempt: int = 1, elapsed: float = 0.0) -> float | None:
    return RETRIES.delay(ModelUnavailable("rate", retry_after=retry_after), attempt=attempt, elapsed=elapsed)


@pytest.mark.parametrize(("attempt", "longest"), [(1, 1.0), (2, 1.5)])
def test_waits_double_up_to_a_limit(attempt: int, longest: float) -> None:
    """The wait doubles, with jitter, up to the longest delay."""
    waits = [delay(attempt=attempt) for _ in range(50)]
    assert all(wait is not None and longest / 2 <= wait <= longest for wait in waits)
    assert len(set(waits)) > 1


@pytest.mark.parametrize(
    ("asked", "waits"),
    [({"attempt": 3}, None), ({"retry_after": 4.0}, 4.0), ({"retry_after": 10.5}, None), ({"elapsed": 59.8}, None)],
    ids=["after the last attempt", "as advised", "advice beyond the limit", "after the overall limit"],
)
def test_a_step_does_not_wait_for_ever(asked: dict[str, Any], waits: float | None) -> None:
    """Advice is followed as it stands, or reported where it is too long; no attempt begins after a limit."""
    assert delay(**asked) == waits
