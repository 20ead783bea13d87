"""The models that are known by name: their settings and prices, and which one is the default.

Names, levels and prices are those of ai.google.dev/gemini-api/docs/models and /pricing as of 21 November 2026; a change
that is announced there stands here with its day. A model that is not listed works too, with the settings of `OTHER`;
what it costs is not counted then.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from bot.llm.model import Parameters, ThinkingLevel, TurnUsage

DEFAULT_MODEL = "gemini-3.8-flash"

API_VERSION = "v1"
"""The Developer API's, for all models but those of `api_version_of`."""

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars per million tokens; output includes thoughts. `cached` is input from the model's cache; where its
    price is not known it counts as other input. From `until` on the price is `next`.
    """

    input: float
    output: float
    cached: float | None = None
    until: date | None = None
    next: Price | None = None

    def of(self, usage: TurnUsage) -> float:
        """What a turn cost at most."""
        cached = min(usage.cached_tokens, usage.prompt_tokens)
        for_cached = self.input if self.cached is None else self.cached
        new = usage.prompt_tokens - cached
        return (new * self.input + cached * for_cached + usage.output_tokens * self.output) / _MILLION

    def on(self, day: date) -> Price:
        """The price on this day."""
        return self.next if self.next is not None and self.until is not None and day >= self.until else self


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """What is sent along for one model. `price` None: not known here.

    A model takes a thinking level, or else a budget. From 3.5 Flash on none takes temperature and topP. Before 3.0 none
    gave JSON where it might call functions.
    """

    level: ThinkingLevel = ThinkingLevel.LOW
    takes_level: bool = True
    takes_sampling: bool = False
    takes_output_schema: bool = True
    max_output_tokens: int = 16_384
    price: Price | None = None


OTHER = ModelSettings()
BUDGETED = ModelSettings(takes_level=False, takes_sampling=True, takes_output_schema=False)
"""The 2.x models: they know a thinking budget and no level, and choose it themselves when none is sent."""

_DECEMBER = date(2026, 12, 1)
_ARGON = Price(input=2.0, cached=0.1, output=10.0, until=_DECEMBER, next=Price(input=4.0, cached=0.2, output=20.0))
_CARBON = Price(input=2.0, output=10.0, until=_DECEMBER, next=Price(input=4.0, output=20.0))

SETTINGS: Mapping[str, ModelSettings] = {
    # The first one's price is announced until 31 December 2026.
    DEFAULT_MODEL: ModelSettings(price=Price(input=0.75, cached=0.075, output=3.75)),
    "gemini-3.5-flash-lite": ModelSettings(price=Price(input=0.3, cached=0.03, output=2.5)),
    "gemini-4-hydrogen": ModelSettings(level=ThinkingLevel.MEDIUM, price=Price(input=1.5, cached=0.075, output=7.5)),
    "gemini-4-argon": ModelSettings(level=ThinkingLevel.MEDIUM, price=_ARGON),
    "gemini-4-carbon": ModelSettings(level=ThinkingLevel.MEDIUM, price=_CARBON),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Retirement:
    """A model is turned off `on` this day (None: long ago), and `successor` answers in its place."""

    successor: str
    on: date | None = None


_LITE = "gemini-3.5-flash-lite"
RETIRED: Mapping[str, Retirement] = {
    "gemini-pro": Retirement(successor=DEFAULT_MODEL),
    "gemini-1.0-pro": Retirement(successor=DEFAULT_MODEL),
    "gemini-1.5-pro": Retirement(successor=DEFAULT_MODEL),
    "gemini-1.5-flash": Retirement(successor=_LITE),
    "gemini-1.5-flash-8b": Retirement(successor=_LITE),
    "gemini-2.0-pro": Retirement(successor=DEFAULT_MODEL),
    "gemini-2.0-flash": Retirement(successor=_LITE),
    "gemini-2.0-flash-lite": Retirement(successor=_LITE),
    "gemini-2.5-pro": Retirement(successor=DEFAULT_MODEL, on=_DECEMBER),
    "gemini-2.5-flash": Retirement(successor=_LITE, on=_DECEMBER),
    "gemini-3-pro-preview": Retirement(successor=DEFAULT_MODEL),
}
"""Models that are no more, with the one that Google sends their requests to, or names, or its successor in turn
(ai.google.dev/gemini-api/docs/deprecations). Their versions (`-latest`, `-002`, `-exp-…`) went with them.
"""

_VERSION = re.compile(r"-(?:latest|exp|preview|\d{3})(?:-[a-z0-9-]+)?$", re.ASCII)

LEVELS: Sequence[tuple[int, ThinkingLevel]] = ((1_024, ThinkingLevel.LOW), (8_192, ThinkingLevel.MEDIUM))
"""The largest thinking budget of each level but the highest: those of Google's own table from efforts to budgets
(ai.google.dev/gemini-api/docs/openai).
"""

UNBOUNDED = -1
"""The thinking budget of a model that thinks as long as it likes."""


def successor_of(model: str, day: date) -> str | None:
    """The model that answers in the place of this one on this day; None where it answers itself."""
    name = model.removeprefix("models/")
    retired = RETIRED.get(name) or RETIRED.get(_VERSION.sub("", name))
    return retired.successor if retired and (retired.on is None or day >= retired.on) else None


def level_of(budget: int) -> ThinkingLevel:
    """The level that comes nearest to a thinking budget in tokens; the highest for one without bounds."""
    within = (level for most, level in LEVELS if UNBOUNDED < budget <= most)
    return next(within, ThinkingLevel.HIGH)


def settings_of(model: str) -> ModelSettings:
    """The settings of a model, by its id with or without `models/`."""
    name = model.removeprefix("models/")
    return SETTINGS.get(name, BUDGETED if name.startswith("gemini-2") else OTHER)


def cost_micros(model: str, usage: TurnUsage, now: datetime) -> int:
    """What this usage costs at this time, in millionths of a US dollar; 0 where no price is known."""
    price = settings_of(model).price
    return 0 if price is None else round(price.on(now.date()).of(usage) * _MILLION)


def api_version_of(model: str) -> str:
    """The Developer API's version that serves this model: `-latest` aliases exist on v1beta only."""
    return "v1beta" if model.endswith("-latest") else API_VERSION


def generation_config(model: str, parameters: Parameters) -> dict[str, object]:
    """The request's `generationConfig`: thoughts shown, and the model's own level where it has some and none is given.

    topK is never sent: it is deprecated with temperature and topP.
    """
    settings = settings_of(model)
    level = parameters.level or (settings.level if settings.takes_level else None)
    return {
        "maxOutputTokens": settings.max_output_tokens,
        **_given(temperature=parameters.temperature, topP=parameters.top_p),
        "thinkingConfig": {"includeThoughts": True, **_given(thinkingLevel=level, thinkingBudget=parameters.budget)},
    }


def _given(**values: object) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}
