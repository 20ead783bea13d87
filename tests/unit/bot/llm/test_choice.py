"""What of a model's written configuration is sent."""

from __future__ import annotations

from datetime import date

import pytest

from bot.llm.choice import ChosenModel, choose
from bot.llm.model import Parameters, ThinkingLevel
from bot.llm.models import DEFAULT_MODEL, RETIRED, level_of, settings_of, successor_of

NOVEMBER, DECEMBER = date(2026, 11, 30), date(2026, 12, 1)


@pytest.mark.parametrize(
    ("budget", "level"),
    [
        (-1, ThinkingLevel.HIGH),
        (0, ThinkingLevel.LOW),
        (1_024, ThinkingLevel.LOW),
        (1_025, ThinkingLevel.MEDIUM),
        (8_192, ThinkingLevel.MEDIUM),
        (8_193, ThinkingLevel.HIGH),
        (1_000_000, ThinkingLevel.HIGH),
    ],
)
def test_a_thinking_budget_becomes_a_level(budget: int, level: ThinkingLevel):
    """A budget becomes the level that is nearest; -1, which has no bounds, the highest."""
    assert level_of(budget) is level
    assert choose(DEFAULT_MODEL, thinking_budget=budget, day=NOVEMBER) == ChosenModel(
        model=DEFAULT_MODEL, parameters=Parameters(level=level)
    )


def test_parameters_that_are_not_taken_are_dropped_with_a_warning():
    """A current model takes neither temperature nor top_p; each that was written is named."""
    chosen = choose("gemini-4-hydrogen", temperature=0.0, top_p=0.9, day=NOVEMBER)
    assert chosen.parameters == Parameters()
    assert chosen.warnings == (
        "gemini-4-hydrogen takes no temperature: it is not sent.",
        "gemini-4-hydrogen takes no top_p: it is not sent.",
    )
    assert choose("gemini-4-hydrogen", day=NOVEMBER).warnings == ()


def test_an_older_model_takes_what_it_took():
    """A 2.x model gets its sampling and its budget, and no level beside it."""
    chosen = choose("gemini-2.5-flash-lite", temperature=0.2, top_p=0.9, thinking_budget=-1, day=NOVEMBER)
    assert chosen == ChosenModel(
        model="gemini-2.5-flash-lite", parameters=Parameters(budget=-1, temperature=0.2, top_p=0.9)
    )


@pytest.mark.parametrize(
    ("model", "successor"),
    [
        ("gemini-1.5-pro-latest", "gemini-3.8-flash"),
        ("models/gemini-1.5-pro-002", "gemini-3.8-flash"),
        ("gemini-1.5-flash", "gemini-3.5-flash-lite"),
        ("gemini-1.5-flash-8b-001", "gemini-3.5-flash-lite"),
        ("gemini-2.0-flash-exp", "gemini-3.5-flash-lite"),
        ("gemini-2.0-pro-exp-02-05", "gemini-3.8-flash"),
        ("gemini-3-pro-preview", "gemini-3.8-flash"),
        ("gemini-3.8-flash", None),
        ("gemini-flash-latest", None),
        ("gemini-2.5-flash-lite", None),
        ("gemini-9-neon", None),
    ],
)
def test_a_retired_model_has_its_successor(model: str, successor: str | None):
    """A retired model's name, with whatever version, means the model that answers now; others stay themselves."""
    assert successor_of(model, NOVEMBER) == successor


def test_a_model_retires_on_its_day():
    """Until the day that is announced, the model answers itself, and takes its own parameters."""
    before = choose("gemini-2.5-pro", temperature=0.2, thinking_budget=512, day=NOVEMBER)
    assert before == ChosenModel(model="gemini-2.5-pro", parameters=Parameters(budget=512, temperature=0.2))
    after = choose("gemini-2.5-pro", temperature=0.2, thinking_budget=512, day=DECEMBER)
    assert (after.model, after.parameters) == (DEFAULT_MODEL, Parameters(level=ThinkingLevel.LOW))
    assert after.warnings == (
        "gemini-2.5-pro is retired: gemini-3.8-flash answers in its place.",
        "gemini-3.8-flash takes no temperature: it is not sent.",
    )


def test_no_successor_is_retired():
    """A successor is a model of today, whose price is known."""
    for retired in RETIRED.values():
        assert successor_of(retired.successor, date.max) is None
        assert settings_of(retired.successor).price is not None


def test_without_a_model_the_default_one_answers():
    """None means the default model."""
    assert choose(None, day=NOVEMBER) == ChosenModel(model=DEFAULT_MODEL)
