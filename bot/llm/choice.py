"""What of a model's written configuration is sent: models retire, and stop taking parameters that they took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from bot.llm.model import Parameters
from bot.llm.models import DEFAULT_MODEL, level_of, settings_of, successor_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenModel:
    """A model with what it takes. `warnings` are sentences on what was written and does not count."""

    model: str
    parameters: Parameters = field(default_factory=Parameters)
    warnings: Sequence[str] = ()


def choose(
    model: str | None,
    *,
    temperature: float | None = None,
    top_p: float | None = None,
    thinking_budget: int | None = None,
    day: date,
) -> ChosenModel:
    """The model that answers on this day, with those of the parameters that it takes. None is the default model."""
    successor = successor_of(model, day) if model else None
    answers = successor or model or DEFAULT_MODEL
    settings = settings_of(answers)
    given = {"temperature": temperature, "top_p": top_p}
    dropped = [] if settings.takes_sampling else [name for name, value in given.items() if value is not None]
    return ChosenModel(
        model=answers,
        parameters=Parameters(
            level=level_of(thinking_budget) if settings.takes_level and thinking_budget is not None else None,
            budget=None if settings.takes_level else thinking_budget,
            temperature=temperature if settings.takes_sampling else None,
            top_p=top_p if settings.takes_sampling else None,
        ),
        warnings=(
            *([f"{model} is retired: {answers} answers in its place."] if successor else []),
            *(f"{answers} takes no {name}: it is not sent." for name in dropped),
        ),
    )
